// In a bundle, `import.meta.url` is the URL of a chunk. These two steps restore its meaning in the source: for src/a/b.ts it
// becomes dist/a/b.js, so that relative URLs of assets, workers, fixtures/ and package.json work in source and bundle.
import { readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

const DIST = '__PSP_DIST__'

/**
 * An esbuild plugin that replaces each `import.meta.url` of the sources by a placeholder with the path of the source.
 * @param {Map<string, readonly string[]>} addedImports additional imports of a source, by its path relative to the root
 */
export function sourceModuleUrls(root, addedImports) {
  const src = join(root, 'src')
  return {
    name: 'source-module-urls',
    setup(build) {
      build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        if (!path.startsWith(src + sep)) return undefined
        const added = addedImports.get(toPosix(relative(root, path))) ?? []
        const imports = added.map((each) => `\nimport ${JSON.stringify(join(root, each))}`).join('')
        const text = readFileSync(path, 'utf8') + imports
        if (/import\.meta\.(dirname|filename)/.test(text)) {
          return { errors: [{ text: `${path}: use import.meta.url, because the bundle supports no other form` }] }
        }
        if (imports === '' && !text.includes('import.meta.url')) return undefined
        const target = toPosix(relative(src, path)).replace(/\.tsx?$/, '.js')
        const url = `new URL(${JSON.stringify(`${DIST}/${target}`)}, import.meta.url).href`
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
 * An esbuild plugin that keeps the HTTP client in a separate CommonJS file, because it is half as large as all other code.
 * ES modules load it by `require` too. An `import` takes three times as long, because it reads the file for its exports.
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

/** Replaces the placeholder by the relative path from the output file to dist/. */
export function resolveModuleUrls(text, file, root) {
  return text.replaceAll(DIST, toPosix(relative(dirname(file), join(root, 'dist'))) || '.')
}

function toPosix(path) {
  return path.split(sep).join('/')
}
