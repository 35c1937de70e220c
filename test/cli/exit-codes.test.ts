import { describe, expect, test } from 'vitest'
import { CliError, EXIT_CODES, exitCodeOf, exitCodeOfStatus, explain } from '../../src/cli/failure.ts'
import { ApiError, ConnectionError } from '../../src/client/errors.ts'
import { closestName } from '../../src/domain/closest-name.ts'
import { psp } from './helpers.ts'

describe('exit codes', () => {
  test.each([
    [200, 0],
    [204, 0],
    [302, 0],
    [101, 1],
    [400, 5],
    [401, 3],
    [403, 3],
    [404, 4],
    [405, 5],
    [409, 5],
    [413, 5],
    [415, 5],
    [422, 5],
    [429, 5],
    [500, 1],
    [502, 1],
    [503, 1],
  ])('an API status %d gives the exit code %d', (status, code) => {
    expect(exitCodeOfStatus(status)).toBe(code)
    if (status >= 400) expect(exitCodeOf(new ApiError(status, 'x', 'x'))).toBe(code)
  })

  test('each exit code has the number of the contract', () => {
    expect(EXIT_CODES).toEqual({
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
      not_runnable: 126,
      no_such_program: 127,
      hung_up: 129,
      interrupted: 130,
      terminated: 143,
    })
    expect(exitCodeOf(new ConnectionError('http://127.0.0.1:1/x', new Error('x')))).toBe(6)
    expect(exitCodeOf(new CliError('timed_out', 'x', 'y'))).toBe(7)
    expect(exitCodeOf(new Error('x'))).toBe(1)
  })

  test('each failure has a code, a message and a hint', () => {
    expect(explain(new ApiError(409, 'not_pending', 'The payment is not pending.'))).toMatchObject({
      code: 'not_pending',
    })
    expect(explain(new ConnectionError('http://127.0.0.1:1/x', new Error('x'))).code).toBe('unreachable')
    expect(explain(new CliError('usage', 'a', 'b'))).toEqual({ code: 'usage', message: 'a', hint: 'b' })
    expect(explain(new TypeError('x is not a function'))).toMatchObject({ code: 'internal_error' })
    const coded = (code: unknown) => explain(Object.assign(new Error('x'), { code })).code
    expect(['ENOENT', 'ERR_INVALID_ARG_TYPE', 'abc', 5, null].map(coded)).toEqual([
      'ENOENT',
      ...['internal_error', 'internal_error', 'internal_error', 'internal_error'],
    ])
    expect(explain(Object.assign(new Error('no space'), { code: 'ENOSPC' })).code).toBe('ENOSPC')
    expect(explain('text')).toMatchObject({ message: 'text' })
  })
})

test('a long error text keeps its start and its end, and a hint with a command keeps a long path', () => {
  const path = `/home/${'x'.repeat(400)}/file.json`
  const hint = `Run \`psp events import ${path}\`.`
  const shown = explain(new CliError('usage', `${path} is missing.`, hint))
  expect(shown.message).toMatch(/^\/home\/x+…x+\/file\.json is missing\.$/)
  expect(shown.message).toHaveLength(300 + ' is missing.'.length)
  expect(shown.hint).toBe(hint)
  expect(explain(new CliError('usage', 'a', `Check ${path}`)).hint).toMatch(/^Check \/home.+…x+\/file\.json$/)
})

test('an error with --json keeps a long path', async () => {
  const name = `${'x'.repeat(200)}/${'y'.repeat(200)}/file.json`
  const { stderr } = await psp(['events', 'import', name, '--json'])
  expect(JSON.parse(stderr).error.message).toContain(name)
})

test('the closest name is found if it is similar enough', () => {
  expect(closestName('creat', ['create', 'cancel'])).toBe('create')
  expect(closestName('xyz', ['create', 'cancel'])).toBeUndefined()
})
