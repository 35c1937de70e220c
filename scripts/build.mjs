// Bundles src/ into dist/: a file per entry, with shared and lazily imported code in chunks beside them, so that a short
// command loads little; and `psp serve` once more as one file. Then the declarations, and the licences of the bundled packages.
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { groupImports } from './chunk-groups.mjs'
import { declarations } from './declarations.mjs'
import { licences } from './licences.mjs'
import { placeModuleUrls, sourceModuleUrls, undiciApart } from './module-urls.mjs'
import { asScript, MODULE_URL, SERVE_BANNER, serveAlone } from './single-file-serve.mjs'
import { withoutDevtools } from './exclude-devtools.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const ENTRIES = [
  'src/index.ts',
  'src/cli/main.ts',
  'src/testing/index.ts',
  'src/msw/index.ts',
  'src/vitest/index.ts',
  'src/webhooks/index.ts',
  // Started as a thread, by its URL.
  'src/store/checkpoint/checkpoint-worker.ts',
  // Imported by the one file of `psp serve`, when a first webhook goes out.
  'src/receiver-client/undici-client.ts',
]

/**
 * For those who cannot load ES modules: older TypeScript settings, and runners with a `require` of their own, such as Jest's.
 * `alone` bring nothing of the sandbox; `together` share one file, so that what one of them makes is what the other knows.
 */
const COMMONJS = {
  folder: 'dist/commonjs',
  alone: ['src/webhooks/index.ts', 'src/msw/index.ts'],
  together: { index: 'src/index.ts', testing: 'src/testing/index.ts' },
}

// The merchant's own copies (optional peers): two copies would not share handlers and tests.
const EXTERNAL = ['msw', 'vitest']

// Copied to the same place under dist/, where `new URL('./assets/…', import.meta.url)` finds them.
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
  // Dead branches go; names and lines stay, so that a stack trace can be read. Smaller files start no faster.
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
    // The bundler has printed its own.
    if (!Array.isArray(error.errors)) throw error
    process.exitCode = 1
  }
}

async function loadEsbuild() {
  try {
    return await import('esbuild')
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    process.stderr.write('The build needs the development packages: run `npm ci --include=dev`.\n')
    process.exitCode = 1
  }
}

async function build() {
  // Twice: the first one only to learn what imports what.
  const { metafile } = await bundle(new Map())
  const result = await bundle(groupImports(metafile.inputs, ENTRIES))
  rmSync('dist', { recursive: true, force: true })
  mkdirSync('dist')
  const [serve] = (await bundleServe()).outputFiles
  const commonJs = await bundleCommonJs()
  const files = [...result.outputFiles, ...commonJs.files, { path: serve.path, text: asScript(serve.text) }]
  for (const { path, text } of files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, placeModuleUrls(text, path, ROOT))
  }
  for (const folder of ASSETS) {
    if (existsSync(`src/${folder}`)) cpSync(`src/${folder}`, `dist/${folder}`, { recursive: true })
  }
  writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licences([...Object.keys(result.metafile.inputs), ...commonJs.inputs]))
  if (process.env.PSP_BUILD_META) writeFileSync(process.env.PSP_BUILD_META, JSON.stringify(result.metafile))
  declarations(
    ENTRIES.filter((entry) => entry.endsWith('/index.ts')),
    { folder: COMMONJS.folder, entries: [...COMMONJS.alone, ...Object.values(COMMONJS.together)] },
  )
}

async function bundleCommonJs() {
  const { folder: outdir, alone, together } = COMMONJS
  const common = {
    ...COMMON,
    outdir,
    format: 'cjs',
    // A runner's `require` has no `import()` beside it.
    supported: { 'dynamic-import': false },
    define: { ...COMMON.define, 'import.meta.url': 'moduleUrl' },
    banner: { js: MODULE_URL },
  }
  const plugins = [sourceModuleUrls(ROOT, new Map()), undiciApart()]
  const contents = Object.entries(together).map(([name, path]) => `export * as ${name} from './${path}'`)
  const built = await Promise.all([
    esbuild.build({ ...common, entryPoints: alone, plugins }),
    bundleText('sandbox', contents.join('\n'), { ...common, plugins }),
    bundleText('undici', "export { Agent, Client, Pool } from 'undici'", common),
  ])
  const doors = Object.keys(together).map((name) => ({
    path: `${outdir}/${name === 'index' ? 'index' : `${name}/index`}.js`,
    text: `module.exports = require('${name === 'index' ? '.' : '..'}/sandbox.js').${name}\n`,
  }))
  const made = { path: `${outdir}/package.json`, text: '{ "type": "commonjs" }\n' }
  return {
    files: [...built.flatMap(({ outputFiles }) => outputFiles), ...doors, made],
    inputs: built.flatMap(({ metafile }) => Object.keys(metafile.inputs)),
  }
}

function bundleText(name, contents, { outdir, ...common }) {
  return esbuild.build({ ...common, stdin: { contents, resolveDir: ROOT }, outfile: `${outdir}/${name}.js` })
}

/** @param more see `groupImports` */
function bundle(more) {
  return esbuild.build({
    ...COMMON,
    entryPoints: ENTRIES,
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    format: 'esm',
    // CommonJS packages ask for Node's own modules through `require`.
    banner: { js: 'const require=(id)=>process.getBuiltinModule(id);' },
    plugins: [sourceModuleUrls(ROOT, more), undiciApart(), withoutDevtools()],
  })
}

/** The same code as CommonJS, which Node starts with half the work: it need not be linked, and can be cached compiled. */
function bundleServe() {
  return esbuild.build({
    ...COMMON,
    entryPoints: { 'cli/serve': 'src/cli/main.ts' },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    define: { ...COMMON.define, 'import.meta.url': 'moduleUrl' },
    banner: { js: SERVE_BANNER },
    plugins: [sourceModuleUrls(ROOT, new Map()), serveAlone(), undiciApart()],
  })
}
