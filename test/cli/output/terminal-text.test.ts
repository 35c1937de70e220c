// Text on a terminal: sanitizing, colours, times and line breaks.
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { colourLevel, createPaint } from '../../../src/cli/output/colour.ts'
import { formatApproxDuration, formatElapsed, formatTimeOfDay } from '../../../src/domain/time-text.ts'
import { sanitizeLine, sanitizeText, stringifyForTerminal, truncateChars } from '../../../src/terminal/sanitize.ts'
import { wrapWords } from '../../../src/terminal/wrap-words.ts'
import { psp } from '../helpers.ts'

describe('text of other programs', () => {
  test.each([
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007x', 'x'],
    ['\u001b]8;;http://evil\u0007click\u001b]8;;\u0007', 'click'],
    ['a\u009b31mb', 'ab'],
    ['b\u001b[31mred\u0007zz', 'bredzz'],
    ['a\u001b[31mred', 'ared'],
    ['a\u001b[38;5;1mb\u001b[2Kc\u001b(Bd\u001bce', 'abcde'],
    ['a\u001bP1$r q\u001b\\b\u009dtitle\u009cc\u001b_x\u009cd', 'abcd'],
    ['a\u001b]0;never ends', 'a0;never ends'],
    ['bell\u0007', 'bell'],
    ['back\u0008\u0008', 'back'],
    ['over\rwritten', 'overwritten'],
    ['\u202edetrevni', 'detrevni'],
    ['null\u0000byte', 'nullbyte'],
    ['\ud800lone', '\ufffdlone'],
    ['lone\udc00', 'lone\ufffd'],
    ['a\u200bb\u061cc\u2060d\ufeffe\u00adf', 'abcdef'],
    ['tag\u{e0041}s\u{e007f}', 'tags'],
    ['none\ufffe\uffff\ufdd0\u{1fffe}', 'none'],
    ['می\u200cخواهم 👩\u200d💻', 'می\u200cخواهم 👩\u200d💻'],
    ['a pair 😀', 'a pair 😀'],
    ['Привет, ₽ 你好', 'Привет, ₽ 你好'],
  ])('`sanitizeLine` turns %j into %j', (text, shown) => {
    expect(sanitizeLine(text)).toBe(shown)
  })

  test('`sanitizeText` keeps line breaks, and `sanitizeLine` replaces them', () => {
    expect(sanitizeText('a\r\nb\tc')).toBe('a\nb\tc')
    expect(sanitizeLine(' a\r\nb\tc ')).toBe('a b c')
  })

  test('JSON for the terminal escapes each control character and keeps its value', () => {
    const value = { a: '\u001b[31m\u009b\u007f\u202e\u200b\u{e0041}\ufffe', b: 'ж' }
    const text = stringifyForTerminal(value)
    expect(text).toMatch(/^[\x20-\x7e ж]+$/)
    expect(JSON.parse(text)).toEqual(value)
  })

  test('an escaped character has four digits, and a pair of surrogates two escapes', () => {
    expect(stringifyForTerminal('a\u009b\u{e0041}b')).toBe(String.raw`"a\u009b\udb40\udc41b"`)
    expect(stringifyForTerminal({ a: [1] }, 2)).toBe('{\n  "a": [\n    1\n  ]\n}')
    expect(stringifyForTerminal(undefined)).toBe('null')
  })

  test('`truncateChars` counts characters instead of code units', () => {
    expect(truncateChars('abcdef', 4)).toBe('abc…')
    expect(truncateChars('😀😀😀', 3)).toBe('😀😀😀')
    expect(truncateChars('😀😀😀😀', 3)).toBe('😀😀…')
  })
})

describe('colour', () => {
  test.each([
    ['auto', {}, true, 1],
    ['auto', {}, false, 0],
    ['auto', { NO_COLOR: '1' }, true, 0],
    ['auto', { NO_COLOR: '' }, true, 1],
    ['auto', { FORCE_COLOR: '1' }, false, 1],
    ['auto', { FORCE_COLOR: '0' }, true, 0],
    ['auto', { NO_COLOR: '1', FORCE_COLOR: '1' }, true, 0],
    ['auto', { TERM: 'dumb' }, true, 0],
    ['always', { NO_COLOR: '1', TERM: 'dumb' }, false, 1],
    ['never', { FORCE_COLOR: '1' }, true, 0],
  ] as const)('--color %s with %j and terminal %s gives level %s', (mode, env, terminal, level) => {
    expect(colourLevel(mode, env, terminal)).toBe(level)
  })
})

test('times and durations are formatted for people', () => {
  expect(formatTimeOfDay(new Date(2026, 0, 2, 3, 4, 5, 6).getTime())).toBe('03:04:05.006')
  expect(formatTimeOfDay('nonsense')).toBe('--:--:--.---')
  expect([45, 12_345].map(formatElapsed)).toEqual(['45 ms', '12.3 s'])
  expect([10_000, 60_000, 300_000, 7_200_000, 172_800_000, 500].map(formatApproxDuration)).toEqual([
    '10 s',
    '60 s',
    '5 min',
    '2 h',
    '2 d',
    '500 ms',
  ])
})

test('a colour function paints only its first argument', async () => {
  const paint = await createPaint(1)
  for (const colour of Object.values(paint) as ((text: string) => string)[])
    expect(['a', 'b'].map(colour).map(stripVTControlCharacters)).toEqual(['a', 'b'])
})

test('`wrapWords` breaks between words, and keeps lines that fit', () => {
  expect(wrapWords('fits  as it  is', 15)).toEqual(['fits  as it  is'])
  expect(wrapWords('  indented', 10)).toEqual(['  indented'])
  expect(wrapWords('one two three\nfour', 8)).toEqual(['one two', 'three', 'four'])
  expect(wrapWords('one two', 7)).toEqual(['one two'])
  expect(wrapWords('one two three', 7)).toEqual(['one two', 'three'])
  expect(wrapWords('one two three', 6)).toEqual(['one', 'two', 'three'])
  expect(wrapWords('a 0123456789abcdef b', 8)).toEqual(['a', '0123456789abcdef', 'b'])
})

test('`wrapWords` does not count escape sequences', () => {
  expect(wrapWords('\u001b[2mone two\u001b[22m', 7)).toEqual(['\u001b[2mone two\u001b[22m'])
})

test('errors are wrapped to the width of a terminal, and not in a pipe', async () => {
  const line = ['payments', 'create', '--amount', '100', '--method', 'pigeon post '.repeat(12).trim()]
  const shown = await psp(line, { terminal: true, env: { NO_COLOR: '1' } })
  expect(Math.max(...shown.stderr.split('\n').map((text) => text.length))).toBeLessThanOrEqual(100)
  expect(shown.stderr.trimEnd().split('\n').length).toBeGreaterThan(2)
  const piped = await psp(line)
  expect(piped.stderr.trimEnd().split('\n')).toHaveLength(2)
  expect(shown.stderr.replace(/\s+/g, ' ')).toBe(piped.stderr.replace(/\s+/g, ' '))
})
