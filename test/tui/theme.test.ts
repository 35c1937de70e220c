import { expect, test } from 'vitest'
import { createTheme } from '../../src/tui/theme/theme.ts'

test.each([
  [true, ['\u001b[32mx\u001b[39m', '\u001b[31mx\u001b[39m', '\u001b[33mx\u001b[39m', '\u001b[36mx\u001b[39m']],
  [false, ['x', '\u001b[1mx\u001b[22m', 'x', 'x']],
])('a theme with colours (%s) has colours only if the terminal shows them', (colour, colours) => {
  const { success, failure, warning, accent, plain, bold, dim, selected } = createTheme({ colour, unicode: true })
  expect([success, failure, warning, accent].map((style) => style('x'))).toEqual(colours)
  expect([plain, bold, dim, selected].map((style) => style('x'))).toEqual([
    'x',
    '\u001b[1mx\u001b[22m',
    '\u001b[2mx\u001b[22m',
    '\u001b[7mx\u001b[27m',
  ])
})

test('a theme without typographic characters replaces them in each line, but no letters', () => {
  const finished = (unicode: boolean) => createTheme({ colour: true, unicode }).finishLine('“Ёлка” → …')
  expect(finished(true)).toBe('“Ёлка” → …')
  expect(finished(false)).toBe('"Ёлка" > ~')
})
