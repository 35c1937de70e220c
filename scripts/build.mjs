// Bundles src/ into dist/. The library is bundled as ES modules and as CommonJS. The commands are one CommonJS file,
// because it needs no linking and its compiled code can be cached. The build also writes declarations and licences.
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { bundleDashboard } from './build-dashboard.mjs'
import { COMMON, COMMON_CJS, PROGRAM, ROOT } from './bundle-options.mjs'
import { writeDeclarations } from './declarations.mjs'
import { excludeDevtools } from './exclude-devtools.mjs'
import { collectLicences } from './licences.mjs'
import { resolveModuleUrls, separateUndici, separateView, sourceModuleUrls, toScript } from './module-urls.mjs'

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
  // The commands import it for `psp ui`.
  'src/tui/view.tsx',
]

/**
 * Entries for projects that cannot load ES modules: older TypeScript settings, and runners with a custom `require` such
 * as Jest. Entries in `separate` do not contain the sandbox. Entries in `shared` are in one file, to share classes.
 */
const COMMONJS = {
  folder: 'dist/commonjs',
  separate: ['src/webhooks/index.ts', 'src/msw/index.ts'],
  shared: { index: 'src/index.ts', testing: 'src/testing/index.ts' },
}

// Folders that are copied to the same place under dist/, so that `new URL('./assets/…', import.meta.url)` works.
const ASSETS = ['http/pages/assets']

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
  const library = await bundleModules()
  const commonJs = await bundleCommonJs()
  const program = await bundleProgram()
  const dashboard = await bundleDashboard(esbuild)
  rmSync('dist', { recursive: true, force: true })
  const files = [...library.outputFiles, ...commonJs.files, ...program.files]
  for (const { path, text } of files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, resolveModuleUrls(text, path, ROOT))
  }
  mkdirSync('dist/dashboard', { recursive: true })
  for (const { name, bytes } of dashboard.files) writeFileSync(`dist/dashboard/${name}`, bytes)
  for (const folder of ASSETS) {
    if (existsSync(`src/${folder}`)) cpSync(`src/${folder}`, `dist/${folder}`, { recursive: true })
  }
  writeFileSync(
    'dist/THIRD-PARTY-LICENSES.txt',
    collectLicences(
      [library, ...commonJs.built, program.built, dashboard].flatMap(({ metafile }) => Object.keys(metafile.inputs)),
    ),
  )
  if (process.env.PSP_BUILD_META) writeFileSync(process.env.PSP_BUILD_META, JSON.stringify(program.built.metafile))
  writeDeclarations(
    ENTRIES.filter((entry) => entry.endsWith('/index.ts')),
    { folder: COMMONJS.folder, entries: [...COMMONJS.separate, ...Object.values(COMMONJS.shared)] },
  )
}

async function bundleCommonJs() {
  const { folder: outdir, separate, shared } = COMMONJS
  // A runner with a custom `require` may not support `import()`.
  const common = { ...COMMON_CJS, supported: { 'dynamic-import': false } }
  const plugins = [sourceModuleUrls(ROOT), separateUndici()]
  const contents = Object.entries(shared).map(([name, path]) => `export * as ${name} from './${path}'`)
  const built = await Promise.all([
    esbuild.build({ ...common, outdir, entryPoints: separate, plugins }),
    bundleText(`${outdir}/sandbox.js`, contents.join('\n'), { ...common, plugins }),
    bundleText(`${outdir}/undici.js`, "export { Agent, Client, Pool } from 'undici'", common),
  ])
  const entries = Object.keys(shared).map((name) => ({
    path: `${outdir}/${name === 'index' ? 'index' : `${name}/index`}.js`,
    text: `module.exports = require('${name === 'index' ? '.' : '..'}/sandbox.js').${name}\n`,
  }))
  const manifest = { path: `${outdir}/package.json`, text: '{ "type": "commonjs" }\n' }
  return {
    files: [...built.flatMap(({ outputFiles }) => outputFiles), ...entries, manifest],
    built,
  }
}

async function bundleProgram() {
  const plugins = [sourceModuleUrls(ROOT), separateUndici(), separateView()]
  const built = await bundleText('dist/cli/program.cjs', PROGRAM, { ...COMMON_CJS, plugins })
  return { built, files: built.outputFiles.map(({ path, text }) => ({ path, text: toScript(text) })) }
}

function bundleText(outfile, contents, options) {
  return esbuild.build({ ...options, stdin: { contents, resolveDir: ROOT }, outfile })
}

function bundleModules() {
  return esbuild.build({
    ...COMMON,
    outdir: 'dist',
    entryPoints: ENTRIES,
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    format: 'esm',
    // CommonJS packages load Node's modules by `require`.
    banner: { js: 'const require=(id)=>process.getBuiltinModule(id);' },
    plugins: [sourceModuleUrls(ROOT), separateUndici(), excludeDevtools()],
  })
}
