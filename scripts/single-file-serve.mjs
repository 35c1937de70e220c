// `psp serve` as one file that is run as a script: see bin/serve.js.

export const MODULE_URL = "const moduleUrl=require('node:url').pathToFileURL(__filename).href;"

/** `module.import` is given where the file is no module of Node's, and has no way of its own to import one. */
export const SERVE_BANNER = [MODULE_URL, 'const moduleImport=module.import??((path)=>import(path));'].join('')

/**
 * An esbuild plugin: the other commands, which that file never runs, and the HTTP client, which few starts need. Both stay where
 * the other build puts them.
 */
export function serveAlone() {
  return {
    name: 'serve-alone',
    setup(build) {
      build.onResolve({ filter: /./ }, ({ kind, path, importer }) => {
        if (kind !== 'dynamic-import') return undefined
        if (path.endsWith('/undici-client.ts')) return { path: '../receiver-client/undici-client.js', external: true }
        if (path.endsWith('/complete.ts')) return { path, external: true }
        const command = /\/src\/cli\/commands\/(\w+)\/.*group\.ts$/.exec(importer)?.[1]
        return command === undefined || command === 'serve' ? undefined : { path, external: true }
      })
    },
  }
}

/** Bytes are characters in it, which saves the decoding: what is left beyond ASCII stands in patterns and comments. */
export function asScript(text) {
  return text
    .replaceAll(/\bimport\("/g, 'moduleImport("')
    .replaceAll(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
