// In a bundle `import.meta.url` is the URL of a chunk. These two steps make it mean what it means in the source: src/a/b.ts
// becomes dist/a/b.js, so that a URL made relative to it finds assets, workers, fixtures/ and package.json in both worlds.
import { readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

const DIST = '__PSP_DIST__'

/**
 * An esbuild plugin: marks each `import.meta.url` of the sources with the place that it stands for.
 * @param {Map<string, readonly string[]>} more by a source's path from the root: sources that it is to import besides its own
 */
export function sourceModuleUrls(root, more) {
  const src = join(root, 'src')
  return {
    name: 'source-module-urls',
    setup(build) {
      build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        if (!path.startsWith(src + sep)) return undefined
        const added = more.get(posix(relative(root, path))) ?? []
        const imports = added.map((each) => `\nimport ${JSON.stringify(join(root, each))}`).join('')
        const text = readFileSync(path, 'utf8') + imports
        if (/import\.meta\.(dirname|filename)/.test(text)) {
          return { errors: [{ text: `${path}: use import.meta.url, the only form that a bundle keeps right` }] }
        }
        if (imports === '' && !text.includes('import.meta.url')) return undefined
        const place = posix(relative(src, path)).replace(/\.tsx?$/, '.js')
        const url = `new URL(${JSON.stringify(`${DIST}/${place}`)}, import.meta.url).href`
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
 * An esbuild plugin: the HTTP client is half as large as all the rest, so it is in the package once, as CommonJS. ES modules
 * require it, too: an import would first read all of it to learn what it exports, which takes three times as long.
 */
export function undiciApart() {
  const path = `${DIST}/commonjs/undici.js`
  return {
    name: 'undici-apart',
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

/** Once the bundler has said which file the code went to, the mark becomes the way from there to dist/. */
export function placeModuleUrls(text, file, root) {
  return text.replaceAll(DIST, posix(relative(dirname(file), join(root, 'dist'))) || '.')
}

function posix(path) {
  return path.split(sep).join('/')
}
