// Bundles `psp serve` as one file that bin/serve.js runs as a script.

export const MODULE_URL = "const moduleUrl=require('node:url').pathToFileURL(__filename).href;"

/** bin/serve.js provides `module.import` if it runs the file as a script, because a script cannot use `import()`. */
export const SERVE_BANNER = [MODULE_URL, 'const moduleImport=module.import??((path)=>import(path));'].join('')

/**
 * An esbuild plugin that excludes the other commands, which this file never runs, and the HTTP client, which few starts
 * need. Both are loaded from the files of the other build.
 */
export function singleFileServe() {
  return {
    name: 'single-file-serve',
    setup(build) {
      build.onResolve({ filter: /./ }, ({ kind, path, importer }) => {
        if (kind !== 'dynamic-import') return undefined
        if (path.endsWith('/undici-client.ts')) return { path: '../receiver-client/undici-client.js', external: true }
        if (path.endsWith('/complete.ts')) return { path, external: true }
        const command = /\/src\/cli\/commands\/(\w+)\.ts$/.exec(importer)?.[1]
        return command === undefined || command === 'serve' ? undefined : { path, external: true }
      })
    },
  }
}

/** Escapes non-ASCII characters, so that Node need not decode the file. They are only in patterns, strings and comments. */
export function toScript(text) {
  return text
    .replaceAll(/\bimport\("/g, 'moduleImport("')
    .replaceAll(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
