// In a bundle, `import.meta.url` is the URL of a chunk. The two steps `sourceModuleUrls` and `resolveModuleUrls`
// replace it: for src/a/b.ts it becomes the URL of dist/a/b.js, so that relative URLs of assets, workers, fixtures/ and
// package.json work in source and bundle.
import { readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

const DIST = '__PSP_DIST__'

/**
 * An esbuild plugin that replaces each `import.meta.url` of the sources by a placeholder with the path of the source.
 * @param base the URL of the output file, as an expression
 */
export function sourceModuleUrls(root, base = 'import.meta.url') {
  const src = join(root, 'src')
  return {
    name: 'source-module-urls',
    setup(build) {
      build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        if (!path.startsWith(src + sep)) return undefined
        const text = readFileSync(path, 'utf8')
        if (/import\.meta\.(dirname|filename)/.test(text)) {
          return { errors: [{ text: `${path}: use import.meta.url, because the bundle supports no other form` }] }
        }
        if (!text.includes('import.meta.url')) return undefined
        const target = toPosix(relative(src, path)).replace(/\.tsx?$/, '.js')
        const url = `new URL(${JSON.stringify(`${DIST}/${target}`)}, ${base}).href`
        return {
          contents: text.replaceAll('import.meta.url', url),
          loader: path.endsWith('.tsx') ? 'tsx' : 'ts',
          resolveDir: dirname(path),
        }
      })
    },
  }
}

/**
 * An esbuild plugin that keeps the HTTP client in a separate CommonJS file, because it is half as large as all other
 * code. ES modules load it by `require` too. An `import` takes three times as long, because Node parses the file for
 * its exports.
 */
export function separateUndici() {
  const path = `${DIST}/commonjs/undici.js`
  return {
    name: 'separate-undici',
    setup(build) {
      const commonJs = build.initialOptions.format === 'cjs'
      build.onResolve({ filter: /^undici$/ }, () =>
        commonJs ? { path, external: true } : { path, namespace: 'undici' },
      )
      build.onLoad({ filter: /./, namespace: 'undici' }, () => ({
        contents: `import { createRequire } from 'node:module'
export const { Agent, Client, Pool } = createRequire(import.meta.url)(${JSON.stringify(path)})`,
      }))
    },
  }
}

/** An esbuild plugin that leaves the terminal view out of a CommonJS file, because Ink exists only as ES modules. */
export function separateView() {
  return {
    name: 'separate-view',
    setup(build) {
      build.onResolve({ filter: /\/tui\/view\.tsx$/ }, () => ({ path: `${DIST}/tui/view.js`, external: true }))
    },
  }
}

/**
 * Prepares a bundle for `vm.Script`. A script cannot use `import()`, so its loader provides `module.import`. Non-ASCII
 * characters are only in patterns, strings and comments. They are escaped, so that the file can be read as Latin-1.
 */
export function toScript(text) {
  return text
    .replaceAll(/\bimport\("/g, 'module.import("')
    .replaceAll(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Replaces the placeholder by the relative path from the output file to dist/. */
export function resolveModuleUrls(text, file, root) {
  return text.replaceAll(DIST, toPosix(relative(dirname(file), join(root, 'dist'))) || '.')
}

function toPosix(path) {
  return path.split(sep).join('/')
}
