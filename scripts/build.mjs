// Bundles src/ into dist/. Each entry is a file, and shared and lazily imported code is in chunks, so that a short command
// loads little. `psp serve` is also bundled as one file. Then it writes the declarations and the licences.
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { groupImports } from './chunk-groups.mjs'
import { writeDeclarations } from './declarations.mjs'
import { excludeDevtools } from './exclude-devtools.mjs'
import { collectLicences } from './licences.mjs'
import { resolveModuleUrls, separateUndici, sourceModuleUrls } from './module-urls.mjs'
import { MODULE_URL, SERVE_BANNER, singleFileServe, toScript } from './single-file-serve.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const ENTRIES = [
  'src/index.ts',
  'src/cli/main.ts',
  'src/testing/index.ts',
  'src/msw/index.ts',
  'src/vitest/index.ts',
  'src/webhooks/index.ts',
  // The store starts it as a thread by its URL.
  'src/store/checkpoint/checkpoint-worker.ts',
  'src/store/import/import-worker.ts',
  // The single file of `psp serve` imports it for the first webhook.
  'src/receiver-client/undici-client.ts',
]

/**
 * Entries for projects that cannot load ES modules: older TypeScript settings, and runners with a custom `require` such as
 * Jest. Entries in `separate` do not contain the sandbox. Entries in `shared` are in one file, so that they share classes.
 */
const COMMONJS = {
  folder: 'dist/commonjs',
  separate: ['src/webhooks/index.ts', 'src/msw/index.ts'],
  shared: { index: 'src/index.ts', testing: 'src/testing/index.ts' },
}

// Optional peers that the merchant installs. A second copy would not share handlers and tests.
const EXTERNAL = ['msw', 'vitest']

// Folders that are copied to the same place under dist/, so that `new URL('./assets/…', import.meta.url)` works.
const ASSETS = ['http/pages/assets']

const COMMON = {
  outbase: 'src',
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node20',
  jsx: 'automatic',
  external: EXTERNAL,
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  // Removes dead branches but keeps names and lines, so that stack traces are readable. Smaller files do not start faster.
  minifySyntax: true,
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'warning',
}

process.chdir(ROOT)
const esbuild = await loadEsbuild()
if (esbuild !== undefined) {
  try {
    await build()
  } catch (error) {
    // The bundler has already printed its errors.
    if (!Array.isArray(error.errors)) throw error
    process.exitCode = 1
  }
}

async function loadEsbuild() {
  try {
    return await import('esbuild')
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    process.stderr.write('The build needs the development packages. Run `npm ci --include=dev`.\n')
    process.exitCode = 1
  }
}

async function build() {
  // The first bundle only provides the graph of imports.
  const { metafile } = await bundle(new Map())
  const result = await bundle(groupImports(metafile.inputs, ENTRIES))
  rmSync('dist', { recursive: true, force: true })
  mkdirSync('dist')
  const [serve] = (await bundleServe()).outputFiles
  const commonJs = await bundleCommonJs()
  const files = [...result.outputFiles, ...commonJs.files, { path: serve.path, text: toScript(serve.text) }]
  for (const { path, text } of files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, resolveModuleUrls(text, path, ROOT))
  }
  for (const folder of ASSETS) {
    if (existsSync(`src/${folder}`)) cpSync(`src/${folder}`, `dist/${folder}`, { recursive: true })
  }
  writeFileSync(
    'dist/THIRD-PARTY-LICENSES.txt',
    collectLicences([...Object.keys(result.metafile.inputs), ...commonJs.inputs]),
  )
  if (process.env.PSP_BUILD_META) writeFileSync(process.env.PSP_BUILD_META, JSON.stringify(result.metafile))
  writeDeclarations(
    ENTRIES.filter((entry) => entry.endsWith('/index.ts')),
    { folder: COMMONJS.folder, entries: [...COMMONJS.separate, ...Object.values(COMMONJS.shared)] },
  )
}

async function bundleCommonJs() {
  const { folder: outdir, separate, shared } = COMMONJS
  const common = {
    ...COMMON,
    outdir,
    format: 'cjs',
    // A runner with a custom `require` may not support `import()`.
    supported: { 'dynamic-import': false },
    define: { ...COMMON.define, 'import.meta.url': 'moduleUrl' },
    banner: { js: MODULE_URL },
  }
  const plugins = [sourceModuleUrls(ROOT, new Map()), separateUndici()]
  const contents = Object.entries(shared).map(([name, path]) => `export * as ${name} from './${path}'`)
  const built = await Promise.all([
    esbuild.build({ ...common, entryPoints: separate, plugins }),
    bundleText('sandbox', contents.join('\n'), { ...common, plugins }),
    bundleText('undici', "export { Agent, Client, Pool } from 'undici'", common),
  ])
  const entries = Object.keys(shared).map((name) => ({
    path: `${outdir}/${name === 'index' ? 'index' : `${name}/index`}.js`,
    text: `module.exports = require('${name === 'index' ? '.' : '..'}/sandbox.js').${name}\n`,
  }))
  const manifest = { path: `${outdir}/package.json`, text: '{ "type": "commonjs" }\n' }
  return {
    files: [...built.flatMap(({ outputFiles }) => outputFiles), ...entries, manifest],
    inputs: built.flatMap(({ metafile }) => Object.keys(metafile.inputs)),
  }
}

function bundleText(name, contents, { outdir, ...common }) {
  return esbuild.build({ ...common, stdin: { contents, resolveDir: ROOT }, outfile: `${outdir}/${name}.js` })
}

/** @param addedImports the result of `groupImports` */
function bundle(addedImports) {
  return esbuild.build({
    ...COMMON,
    entryPoints: ENTRIES,
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    format: 'esm',
    // CommonJS packages load Node's modules by `require`.
    banner: { js: 'const require=(id)=>process.getBuiltinModule(id);' },
    plugins: [sourceModuleUrls(ROOT, addedImports), separateUndici(), excludeDevtools()],
  })
}

/** Bundles `psp serve` as CommonJS. It starts faster, because Node does not link it and can cache the compiled code. */
function bundleServe() {
  return esbuild.build({
    ...COMMON,
    entryPoints: { 'cli/serve': 'src/cli/main.ts' },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    define: { ...COMMON.define, 'import.meta.url': 'moduleUrl' },
    banner: { js: SERVE_BANNER },
    plugins: [sourceModuleUrls(ROOT, new Map()), singleFileServe(), separateUndici()],
  })
}
