// Bundles src/dashboard for browsers. Names contain a hash of the content, so that browsers may cache the files without
// a limit. The compressed variants are made here, so that the server does not compress anything.
import { readFileSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { minify } from 'terser'
import { ROOT } from './bundle-options.mjs'

const ENTRY = 'src/dashboard/main.tsx'

/** Modules that the dashboard does not need. A small module replaces all of them in the browser. */
const REPLACED = [
  'src/client/call-arguments.ts',
  'src/domain/closest-name.ts',
  'src/client/hints.ts',
  'src/client/network-failures.ts',
  'src/view-model/rates.ts',
  'src/view-model/rows/message-rows.ts',
  'src/domain/typed-address.ts',
]
const REPLACEMENTS = resolve(ROOT, 'src/dashboard/replacements.ts')

const MESSAGES = 'src/dashboard/text/messages.ts'

/**
 * Bundles the messages as one text for each language. Texts of one language next to each other are much smaller when
 * compressed than pairs of texts.
 */
const groupMessages = (esbuild) => ({
  name: 'group-messages',
  setup({ onLoad }) {
    onLoad({ filter: /text[\\/]messages\.ts$/ }, async () => {
      const { outputFiles } = await esbuild.build({
        entryPoints: [MESSAGES],
        bundle: true,
        format: 'esm',
        write: false,
      })
      const url = `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
      const rows = Object.entries((await import(url)).MESSAGES)
      const texts = [rows.map(([key]) => key), rows.map(([, [en]]) => en), rows.map(([, [, ru]]) => ru)]
      if (texts.flat().some((text) => text.includes('\n'))) throw new Error(`A text of ${MESSAGES} has several lines.`)
      const [keys, en, ru] = texts.map((lines) => `${JSON.stringify(lines.join('\n'))}.split('\\n')`)
      const contents = `const en = ${en}, ru = ${ru}
export const MESSAGES = Object.fromEntries(${keys}.map((key, at) => [key, [en[at], ru[at]]]))`
      return { contents, loader: 'js' }
    })
  },
})

/** @param unused loses each module that was replaced */
const replaceModules = (unused) => ({
  name: 'replace-modules',
  setup({ onResolve, onLoad }) {
    // The dashboard shows only these tables.
    onLoad({ filter: /magic\.json$/ }, ({ path }) => {
      const { amounts, cards, phones, banks } = JSON.parse(readFileSync(path, 'utf8'))
      return { contents: JSON.stringify({ amounts, cards, phones, banks }), loader: 'json' }
    })
    onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
      const wanted = relative(ROOT, resolve(resolveDir, path))
      if (!REPLACED.includes(wanted)) return undefined
      unused.delete(wanted)
      return { path: REPLACEMENTS }
    })
  },
})

/** Returns the files of dist/dashboard, with the manifest that `src/http/dashboard/dashboard-files.ts` reads. */
export async function bundleDashboard(esbuild) {
  const unused = new Set(REPLACED)
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: [ENTRY],
    outdir: 'dist/dashboard',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome123', 'firefox128', 'safari17.5'],
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    external: ['*.woff2'],
    plugins: [replaceModules(unused), groupMessages(esbuild)],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
  if (unused.size > 0) throw new Error(`No module of the dashboard imports ${[...unused].join(', ')}.`)
  const [script, { cssBundle, imports }] = Object.entries(metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint === ENTRY,
  )
  const manifest = {
    script: basename(script),
    style: basename(cssBundle),
    preload: imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path)),
    files: outputFiles.map(({ path }) => basename(path)),
  }
  const outputs = await Promise.all(
    outputFiles.map(async ({ path, text }) => [basename(path), await smaller(path, text)]),
  )
  return {
    metafile,
    files: [
      { name: 'manifest.json', bytes: JSON.stringify(manifest) },
      ...outputs.flatMap(([name, bytes]) => [
        { name, bytes },
        { name: `${name}.br`, bytes: brotli(bytes) },
        { name: `${name}.gz`, bytes: gzipSync(bytes, { level: 9 }) },
      ]),
    ],
  }
}

/** Minifies a script further. Terser removes 5 % of the compressed bytes that esbuild leaves. */
async function smaller(path, text) {
  if (!path.endsWith('.js')) return Buffer.from(text)
  const { code } = await minify(text, { module: true, ecma: 2022, compress: { passes: 3, sequences: false } })
  return Buffer.from(code)
}

/** Returns the smallest result of four ways to write distances. Which one is smallest depends on the bytes. */
function brotli(bytes) {
  return [0, 1, 2, 3]
    .map((postfix) =>
      brotliCompressSync(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
          [constants.BROTLI_PARAM_NDIRECT]: postfix === 0 ? 0 : 4 << postfix,
        },
      }),
    )
    .sort((a, b) => a.length - b.length)[0]
}
