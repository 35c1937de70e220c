// Bundles src/dashboard for browsers. Names contain a hash of the content, so that browsers may keep the files for ever. The
// compressed variants are made here, so that the server does not compress anything.
import { basename } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const ENTRY = 'src/dashboard/main.tsx'

/** Returns the files of dist/dashboard, with the manifest that `src/http/dashboard/dashboard-files.ts` reads. */
export async function bundleDashboard(esbuild) {
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
    jsx: 'automatic',
    jsxImportSource: 'preact',
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
  const [script, { cssBundle, imports }] = Object.entries(metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint === ENTRY,
  )
  const manifest = {
    script: basename(script),
    style: basename(cssBundle),
    preload: imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path)),
    files: outputFiles.map(({ path }) => basename(path)),
  }
  return {
    metafile,
    files: [
      { name: 'manifest.json', bytes: JSON.stringify(manifest) },
      ...outputFiles.flatMap(({ path, contents }) => [
        { name: basename(path), bytes: contents },
        { name: `${basename(path)}.br`, bytes: brotli(contents) },
        { name: `${basename(path)}.gz`, bytes: gzipSync(contents, { level: 9 }) },
      ]),
    ],
  }
}

function brotli(bytes) {
  return brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
}
