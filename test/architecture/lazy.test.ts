import { expect, test } from 'vitest'
import { importsOf, sources } from './source.ts'

/** Half a second of start time: for the live view alone. */
const HEAVY = /^(ink|react|@inkjs\/ui|string-width)(\/|$)/

test('what draws in a terminal is imported by the view alone', () => {
  const files = sources('src', ['.ts', '.tsx'])
  const faults = files
    .filter(({ path }) => !path.startsWith('src/tui/') && !path.startsWith('src/terminal/'))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ specifier }) => HEAVY.test(specifier))
        .map(({ specifier, line }) => `${file.path}:${line} imports ${specifier}`),
    )
  expect(faults).toEqual([])
})

test('no command loads the view but at the moment it is opened', () => {
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

test('a table of plain letters loads nothing to measure them', () => {
  const [table] = sources('src/cli/output', ['.ts']).filter(({ path }) => path.endsWith('/table.ts'))
  const ways = importsOf(table ?? { path: '', text: '' })
    .filter(({ target }) => target === 'src/terminal/text-width.ts')
    .map(({ line }) => table?.text.split('\n')[line - 1])
  expect(ways).toEqual([expect.stringContaining('await import(')])
})
