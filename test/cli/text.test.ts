import { describe, expect, test } from 'vitest'
import { EXIT_CODES, exitCodeOfStatus } from '../../src/cli/exit-codes.ts'
import { CliError, exitCodeOf, explain } from '../../src/cli/failure.ts'
import { colourLevel } from '../../src/cli/output/colour.ts'
import { ApiError, ConnectionError } from '../../src/client/errors.ts'
import { closestName } from '../../src/domain/closest-name.ts'
import { sanitizeLine, sanitizeText, stringifyForTerminal, truncateChars } from '../../src/terminal/sanitize.ts'
import { formatApproxDuration, formatElapsed, formatTimeOfDay } from '../../src/terminal/time-format.ts'

describe('foreign text', () => {
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
  ])('%j is shown as %j', (text, shown) => {
    expect(sanitizeLine(text)).toBe(shown)
  })

  test('blocks keep their lines, lines do not', () => {
    expect(sanitizeText('a\r\nb\tc')).toBe('a\nb\tc')
    expect(sanitizeLine(' a\r\nb\tc ')).toBe('a b c')
  })

  test('no control character is left bare in JSON, and the value stays the same', () => {
    const value = { a: '\u001b[31m\u009b\u007f\u202e\u200b\u{e0041}\ufffe', b: 'ж' }
    const text = stringifyForTerminal(value)
    expect(text).toMatch(/^[\x20-\x7e ж]+$/)
    expect(JSON.parse(text)).toEqual(value)
  })

  test('shortening counts letters', () => {
    expect(truncateChars('abcdef', 4)).toBe('abc…')
    expect(truncateChars('😀😀😀', 3)).toBe('😀😀😀')
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
  ] as const)('--color %s, %j, terminal %s: %s', (mode, env, terminal, level) => {
    expect(colourLevel(mode, env, terminal)).toBe(level)
  })
})

describe('exit codes', () => {
  test.each([
    [200, 0],
    [400, 5],
    [401, 3],
    [403, 3],
    [404, 4],
    [409, 5],
    [422, 5],
    [429, 5],
    [500, 1],
    [502, 1],
    [503, 1],
  ])('status %d: %d', (status, code) => {
    expect(exitCodeOfStatus(status)).toBe(code)
    if (status >= 400) expect(exitCodeOf(new ApiError(status, 'x', 'x'))).toBe(code)
  })

  test('the table of the contract', () => {
    expect(EXIT_CODES).toMatchObject({
      done: 0,
      failed: 1,
      usage: 2,
      forbidden: 3,
      not_found: 4,
      refused: 5,
      unreachable: 6,
      timed_out: 7,
      not_verified: 8,
      busy: 9,
      interrupted: 130,
      terminated: 143,
    })
    expect(exitCodeOf(new ConnectionError('http://127.0.0.1:1/x', new Error('x')))).toBe(6)
    expect(exitCodeOf(new CliError('timed_out', 'x', 'y'))).toBe(7)
    expect(exitCodeOf(new Error('x'))).toBe(1)
  })

  test('every failure is told in code, message and hint', () => {
    expect(explain(new ApiError(409, 'not_pending', 'The payment is not pending.'))).toMatchObject({
      code: 'not_pending',
    })
    expect(explain(new ConnectionError('http://127.0.0.1:1/x', new Error('x'))).code).toBe('unreachable')
    expect(explain(new CliError('usage', 'a', 'b'))).toEqual({ code: 'usage', message: 'a', hint: 'b' })
    expect(explain(new TypeError('x is not a function'))).toMatchObject({ code: 'internal_error' })
    expect(explain(Object.assign(new Error('no space'), { code: 'ENOSPC' })).code).toBe('ENOSPC')
    expect(explain('text')).toMatchObject({ message: 'text' })
  })
})

test('nearest names', () => {
  expect(closestName('creat', ['create', 'cancel'])).toBe('create')
  expect(closestName('xyz', ['create', 'cancel'])).toBeUndefined()
})

test('times and durations for people', () => {
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
