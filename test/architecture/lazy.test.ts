import { expect, test } from 'vitest'
import { importsOf, sources } from './source.ts'

/** Packages that take half a second to load, and that only the terminal view may import. */
const HEAVY = /^(ink|react|@inkjs\/ui|string-width)(\/|$)/

test('only the terminal view imports packages that draw in a terminal', () => {
  const files = sources('src', ['.ts', '.tsx'])
  const imports = files
    .filter(({ path }) => !path.startsWith('src/tui/') && !path.startsWith('src/terminal/'))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ specifier }) => HEAVY.test(specifier))
        .map(({ specifier, line }) => `${file.path}:${line} imports ${specifier}`),
    )
  expect(imports).toEqual([])
})

test('a command loads the terminal view only when it opens it', () => {
  const files = sources('src/cli', ['.ts'])
  const eager = files.flatMap((file) =>
    importsOf(file)
      .filter(({ target }) => target?.startsWith('src/tui/'))
      .map(({ line }) => ({ path: file.path, text: file.text.split('\n')[line - 1] ?? '' }))
      .filter(({ text }) => !/await import\(|import type /.test(text)),
  )
  expect(eager).toEqual([])
  expect(files.some(({ text }) => text.includes("await import('../../../tui/view.tsx')"))).toBe(true)
})

test('a table of ASCII text does not load the code that measures text', () => {
  const [table] = sources('src/cli/output', ['.ts']).filter(({ path }) => path.endsWith('/table.ts'))
  const ways = importsOf(table ?? { path: '', text: '' })
    .filter(({ target }) => target === 'src/terminal/text-width.ts')
    .map(({ line }) => table?.text.split('\n')[line - 1])
  expect(ways).toEqual([expect.stringContaining('await import(')])
})
