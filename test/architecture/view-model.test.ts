import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { importsOf, type Source, sources } from './source.ts'

/** Lines of `files`, and of all files that they load, that import a module of Node or a global object of it. */
function nodeImports(files: readonly Source[], read: (path: string) => string): string[] {
  const pending = [...files]
  const seen = new Set(files.map(({ path }) => path))
  const found: string[] = []
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    for (const { line, specifier, target, typeOnly } of importsOf(file)) {
      if (typeOnly) continue
      if (specifier.startsWith('node:')) found.push(`${file.path}:${line} imports ${specifier}`)
      if (target === undefined || seen.has(target) || !/\.tsx?$/.test(target)) continue
      seen.add(target)
      pending.push({ path: target, text: read(target) })
    }
  }
  return found
}

test('the view model and all that it loads import no module of Node', () => {
  const files = sources('src/view-model')
  expect(files.length).toBeGreaterThan(20)
  const client = sources('src/client').filter(({ path }) => path.endsWith('/assemble-client.ts'))
  expect(client).toHaveLength(1)
  expect(nodeImports([...files, ...client], (path) => readFileSync(path, 'utf8'))).toEqual([])
})

test('the check finds a module of Node behind other files, and ignores types', () => {
  const texts: Readonly<Record<string, string>> = {
    'src/b.ts': "import './c.ts'\nimport type { D } from './d.ts'",
    'src/c.ts': "import { createHash } from 'node:crypto'",
  }
  const found = nodeImports([{ path: 'src/a.ts', text: "import { b } from './b.ts'" }], (path) => texts[path] ?? '')
  expect(found).toEqual(['src/c.ts:1 imports node:crypto'])
})

test('the view model and its client can be bundled for browsers, without the list of banks', async () => {
  const paths = [...sources('src/view-model').map(({ path }) => path), 'src/client/assemble-client.ts']
  const { outputFiles, metafile } = await build({
    stdin: { contents: paths.map((path) => `export * from './${path}'`).join('\n'), resolveDir: '.' },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    minify: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  expect(Object.keys(metafile.inputs).filter((path) => /banks|string-width|react|\bink\b/.test(path))).toEqual([])
  expect(outputFiles[0]?.contents.length).toBeLessThan(100_000)
})
