// Bundles what the executable contains into a folder: main.cjs, and each asset in assets/ at the path of its key.
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as esbuild from 'esbuild'
import { COMMON, COMMON_CJS, PROGRAM, ROOT } from '../bundle-options.mjs'
import { excludeDevtools } from '../exclude-devtools.mjs'
import { resolveModuleUrls, separateUndici, separateView, sourceModuleUrls, toScript } from '../module-urls.mjs'

/** Folders of the built package whose files psp reads when it runs. */
const FOLDERS = ['dist/http', 'dist/dashboard', 'fixtures/scenarios']

const THREADS = ['store/checkpoint/checkpoint-worker', 'store/import/import-worker']

const PROGRAM_KEY = 'dist/cli/program.cjs'

/** The options of a script. Only psp reads assets by its `import.meta.url`. Other packages would look for files. */
const scriptAt = (key) => ({
  ...COMMON_CJS,
  target: 'node22',
  banner: { js: "const moduleUrl=require('node:url').pathToFileURL('/').href;" },
  plugins: [sourceModuleUrls(ROOT, JSON.stringify(`psp:/${key}`)), separateUndici(), separateView()],
})

/** Bundles into `folder`. The package must be built. */
export async function bundleExecutable(folder) {
  const undici = 'dist/commonjs/undici.js'
  await Promise.all([
    bundle('../main.cjs', { ...scriptAt(''), entryPoints: ['scripts/executable/entry.mjs'] }),
    bundle(PROGRAM_KEY, { ...scriptAt(PROGRAM_KEY), stdin: text(PROGRAM) }),
    bundle(undici, {
      ...scriptAt(undici),
      stdin: text("export { Agent, Client, Pool } from 'undici'"),
      plugins: [],
      minifyWhitespace: true,
    }),
    ...THREADS.map((name) => {
      const key = `dist/${name}.js`
      return bundle(key, { ...scriptAt(key), entryPoints: [`src/${name}.ts`] })
    }),
    bundle('dist/tui/view.js', {
      ...COMMON,
      target: 'node22',
      minifyWhitespace: true,
      format: 'esm',
      banner: { js: 'const require=(id)=>process.getBuiltinModule(id);' },
      entryPoints: ['src/tui/view.tsx'],
      plugins: [sourceModuleUrls(ROOT), separateUndici(), excludeDevtools()],
    }),
  ])
  for (const each of FOLDERS) {
    if (existsSync(join(ROOT, each))) cpSync(join(ROOT, each), join(folder, 'assets', each), { recursive: true })
  }

  async function bundle(key, options) {
    const built = await esbuild.build({ ...options, absWorkingDir: ROOT, outfile: join(ROOT, key) })
    const file = join(folder, 'assets', key)
    mkdirSync(dirname(file), { recursive: true })
    const resolved = resolveModuleUrls(built.outputFiles[0].text, join(ROOT, key), ROOT)
    writeFileSync(file, options.format === 'cjs' ? toScript(resolved) : resolved)
  }
}

const text = (contents) => ({ contents, resolveDir: ROOT })
