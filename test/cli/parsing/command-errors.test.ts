import { expect, test } from 'vitest'
import { CliError, usageError } from '../../../src/cli/failure.ts'
import { mergeCreateErrors, suggestionIn, toFlagNames } from '../../../src/cli/parsing/command-errors.ts'
import { value } from '../../../src/cli/parsing/flags.ts'
import { ApiError, ConnectionError, UnsendableHeaderError } from '../../../src/client/errors.ts'
import { API_ERRORS } from '../../../src/domain/errors.ts'

const READ = { order_id: value('-o, --order-id <id>', 'the order') }
const CREATE = { ...READ, idempotency_key: value('--idempotency-key <key>', 'the key') }

const HELP = 'Correct it and try again; `--help` shows what each option takes.'

const invalid = (message: string, hint?: string) => new ApiError(400, 'validation_error', message, undefined, hint)

/** Returns the error of a create request whose response was lost, or that did not reach the server. */
function lostCreate(key: string, code = 'ECONNRESET'): ConnectionError {
  const cause = Object.assign(new Error('failed'), { code })
  return new ConnectionError('http://localhost:7770/v1', cause, {
    method: 'POST',
    headers: { 'Idempotency-Key': key },
  })
}

const LOST = 'http://localhost:7770 was reached, but its response was lost: the connection was closed (ECONNRESET)'

test.each([
  ['order_id: too long.', '--order-id: too long.'],
  ['order_id is too long.', '--order-id is too long.'],
  ['Idempotency-Key: at most 255 characters.', '--idempotency-key: at most 255 characters.'],
  // A field without a flag, or a name that is not the subject, is unchanged.
  ['customer_id: too long.', 'customer_id: too long.'],
  ['order_id, too long.', 'order_id, too long.'],
  ['"a" of order_id: too long.', '"a" of order_id: too long.'],
  ['"order_id: a" is too long.', '"order_id: a" is too long.'],
])('the API error %j is reported as %j, with a hint that names --help', (message, shown) => {
  expect(toFlagNames(invalid(message), CREATE)).toEqual(invalid(shown, HELP))
})

test('an API error keeps its status, code, time to wait and hint', () => {
  const error = new ApiError(429, 'rate_limited', 'order_id: too many.', 7)
  expect(toFlagNames(error, READ)).toEqual(
    new ApiError(429, 'rate_limited', '--order-id: too many.', 7, 'Wait 7 s and try again.'),
  )
})

test('an API error that lists known names suggests the nearest one', () => {
  const message = 'order_id: "fourty-two" is not one of its values. The values are forty-two, seven.'
  expect(toFlagNames(invalid(message), READ)).toEqual(
    invalid(message.replace('order_id', '--order-id'), 'Did you mean forty-two?'),
  )
})

test('the hint of an API error names the id of the command', () => {
  const error = new ApiError(409, 'not_pending', 'The payment is final.')
  const hint = (id?: unknown) => (toFlagNames(error, READ, { id }) as ApiError).hint
  expect(hint('pay_1')).toBe('`psp events list --object pay_1` lists the events of the payment.')
  expect(hint()).toBe('`psp events list --object ID` lists the events of the payment.')
  expect(hint(['pay_1'])).toBe('`psp events list --object ID` lists the events of the payment.')
})

test('a failed write without a server names the place of the reason', () => {
  const { message } = API_ERRORS.storage_unavailable
  const error = new ApiError(503, 'storage_unavailable', message)
  const shown = (isWithoutServer: boolean) => (toFlagNames(error, READ, { isWithoutServer }) as ApiError).message
  expect(shown(false)).toBe(message)
  expect(shown(true)).toBe(
    'The change could not be stored, so nothing was changed. The warning above shows the reason and the fix.',
  )
})

test('the hint of an API error does not mention the log if the command runs without a server', () => {
  const hint = (status: number, isWithoutServer?: boolean) =>
    (
      toFlagNames(new ApiError(status, 'other', 'It failed.'), READ, {
        ...(isWithoutServer !== undefined && { isWithoutServer }),
      }) as ApiError
    ).hint
  const withLog = 'The server failed, or a fault made it fail: `psp logs` shows which.'
  expect([hint(500), hint(500, false)]).toEqual([withLog, withLog])
  expect(hint(500, true)).toBe(
    'A rule, a fault, a magic value or --outcome may be the cause: `psp rules list`, `psp faults list`. While `psp serve` runs, `psp logs` shows which one.',
  )
  expect(hint(429, true)).toBe('Wait 1 s and try again.')
})

test('the error of a header that cannot be sent names the flag that sets the header', () => {
  const error = new UnsendableHeaderError('Idempotency-Key')
  expect(toFlagNames(error, CREATE)).toEqual(
    usageError('--idempotency-key: the value contains characters that cannot be sent in a header.', error.hint),
  )
  expect(toFlagNames(error, READ)).toBe(error)
})

test('the error of a lost create names the key for the next run', () => {
  expect(toFlagNames(lostCreate('key-1'), CREATE)).toEqual(
    new CliError(
      'unreachable',
      LOST,
      'The object may have been created. Run the same command again with `--idempotency-key key-1`: the server returns the object it created, and creates no second one.',
    ),
  )
})

test.each([
  ['a create that did not reach the server', lostCreate('key-1', 'ECONNREFUSED'), CREATE],
  ['a command without --idempotency-key', lostCreate('key-1'), READ],
  ['a usage error', usageError('Wrong.', 'Correct it.'), CREATE],
])('the error of %s is unchanged', (_, error, flags) => {
  expect(toFlagNames(error, flags)).toBe(error)
})

test('the error of several creates names the keys of the lost responses', () => {
  const refused = invalid('amount: too small.')
  const unreached = lostCreate('key-0', 'ECONNREFUSED')
  const merged = (payments: string, keys: string) =>
    new CliError(
      'unreachable',
      LOST,
      `${payments} may have been created in addition to the reported number. Run the same command ${keys} in place of --count: the server returns the object it created, and creates no second one.`,
    )
  expect(mergeCreateErrors([refused, unreached])).toBe(refused)
  expect(mergeCreateErrors([unreached, lostCreate('key-1')])).toEqual(
    merged('One payment', 'again with `--idempotency-key key-1`'),
  )
  expect(mergeCreateErrors([lostCreate('key-1'), refused, lostCreate('key-2')])).toEqual(
    merged('2 payments', 'once for each of `--idempotency-key key-1`, `--idempotency-key key-2`'),
  )
})

test.each([
  ['"faild:x" is not a plan. The plans are succeeded, failed:<code>, cut.', 'failed'],
  ['"failed:lost_crad" has an unknown failure code. The codes are lost_card, stolen_card.', 'lost_card'],
  ['"payment.paid" is unknown. The events are payment.succeeded, payment.failed.', 'payment.succeeded'],
  ['match. ordr_id: unknown field. The fields are amount, order_id.', 'order_id'],
  // These quote no name, list no names, or no listed name is near.
  ['The plans are succeeded, failed.', undefined],
  ['"faild" is not a plan.', undefined],
  ['"zzzzzz" is not a plan. The plans are succeeded, failed.', undefined],
  // A part of up to three letters has no suggestion.
  ['"cit" is not a plan. The plans are cut, failed.', undefined],
])('the message %j suggests %j', (message, name) => {
  expect(suggestionIn(message)).toBe(name)
})
