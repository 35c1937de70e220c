// Tests mistakes in arguments: options of other libraries, unset variables, arguments in the wrong order.
import { expect, expectTypeOf, it } from 'vitest'
import { FIXES } from '../../src/domain/remediation.ts'
import { signatureHeader } from '../../src/domain/signatures.ts'
import {
  type ExplainInput,
  explainSignature,
  signWebhook,
  unwrapWebhook,
  verifyWebhook,
  WebhookSecretError,
} from '../../src/webhooks/index.ts'

const secret = 'whs_secret'
const timestamp = 1778068800
const now = timestamp * 1000
const body = '{"id":"evt_1","event":"payment.succeeded","created_at":"2026-05-06T12:00:00.000Z","data":{}}'
const header = signWebhook({ body, secret, timestamp })
const messageOf = (result: ReturnType<typeof verifyWebhook>) => (result.valid ? 'valid' : result.message)

const SECRET_NOT_SET = new WebhookSecretError(
  'The webhook secret is not set. Set PSP_WEBHOOK_SECRET to the whs_… secret of the endpoint.',
)

it('verifyWebhook accepts a secret from process.env, or a list of them', () => {
  expectTypeOf(verifyWebhook).toBeCallableWith(body, {}, process.env['PSP_WEBHOOK_SECRET'])
  expectTypeOf(unwrapWebhook).toBeCallableWith(body, {}, [process.env['NEW_SECRET'], process.env['OLD_SECRET']])
  expect(() => verifyWebhook(body, {}, undefined)).toThrow(SECRET_NOT_SET)
  expect(() => verifyWebhook(body, {}, [secret, undefined])).toThrow(SECRET_NOT_SET)
})

it('verifyWebhook accepts the value of the header instead of all headers, and a missing one', () => {
  expect(messageOf(verifyWebhook(body, header, secret, { now }))).toBe('valid')
  expect(unwrapWebhook(body, header, secret, { now }).id).toBe('evt_1')
  for (const absent of [undefined, null]) {
    expect(verifyWebhook(body, absent, secret, { now })).toEqual({
      valid: false,
      reason: 'missing_header',
      message: 'The X-PSP-Signature header is missing, so this is not a webhook from psp.',
    })
  }
})

it('verifyWebhook names the order of the arguments, and does not print a misplaced secret', () => {
  for (const misplaced of ['whs_of_mine', 'thm_of_mine']) {
    expect(() => verifyWebhook(body, misplaced, header)).toThrow(
      new TypeError(
        'headers: expected the headers of the request, or the value of X-PSP-Signature, got a secret. The order is verifyWebhook(rawBody, headers, secret).',
      ),
    )
  }
  expect(() => verifyWebhook(body, 5 as never, secret)).toThrow(
    new TypeError('headers: expected the headers of the request, or the value of X-PSP-Signature, got 5.'),
  )
})

it('verifyWebhook does not throw if a client sends a secret as the signature', () => {
  for (const sent of ['whs_x', { 'x-psp-signature': 'thm_x' }]) {
    expect(verifyWebhook(body, sent, secret, { now })).toEqual({
      valid: false,
      reason: 'malformed_header',
      message: 'X-PSP-Signature is malformed: it is a secret, not a signature.',
    })
  }
})

it('verifyWebhook accepts the tolerance as a duration', () => {
  const at = (ms: number, tolerance: string) =>
    messageOf(verifyWebhook(body, header, secret, { now: now + ms, tolerance }))
  expect(at(600_000, '10m')).toBe('valid')
  expect(at(600_001, '10m')).toBe(
    'The webhook was signed 600 s ago, more than the tolerance of 600 s. It is a replay, or this clock is ahead.',
  )
  for (const tolerance of ['300', '', 'soon', '-5m']) {
    expect(() => verifyWebhook(body, header, secret, { now, tolerance })).toThrow(
      new RangeError(
        `tolerance: expected a duration such as '5m', or a number of ms such as 300_000, got ${tolerance}.`,
      ),
    )
  }
})

it.each([
  [0, 1, '1 ms', '0 s'],
  [1, 999, '999 ms', '1 ms (numbers are in ms)'],
  [300, 1000, '1 s', '300 ms (numbers are in ms)'],
  [999, 3040, '3 s', '999 ms (numbers are in ms)'],
  [1000, 3050, '3.1 s', '1 s'],
  [300_000, 7_199_999, '7200 s', '300 s'],
  [300_000, 7_200_000, '2 h', '300 s'],
  [7_200_000, 86_400_000 * 3, '3 d', '2 h'],
])('verifyWebhook prints units of a tolerance of %d ms and a difference of %d ms', (tolerance, ms, age, limit) => {
  const at = (offset: number) => messageOf(verifyWebhook(body, header, secret, { now: now + offset, tolerance }))
  expect(at(ms)).toBe(
    `The webhook was signed ${age} ago, more than the tolerance of ${limit}. It is a replay, or this clock is ahead.`,
  )
  expect(at(-ms)).toBe(
    `The webhook was signed ${age} ahead of this clock, more than the tolerance of ${limit}. Synchronize the clock (NTP).`,
  )
})

it.each([
  [10, '10'],
  ['10s', '"10s"'],
  ['12345678', '"12345678"'],
  ['whs_12345', 'a string'],
  [null, 'null'],
  [[10], 'a list'],
  [Buffer.from('10'), 'bytes'],
])('verifyWebhook rejects the options %j instead of using the default tolerance', (options, shown) => {
  const expected = new TypeError(
    `verifyWebhook expects its options as an object, such as { tolerance: '10s' }, got ${shown}.`,
  )
  expect(() => verifyWebhook(body, header, secret, options as never)).toThrow(expected)
  expect(() => unwrapWebhook(body, header, secret, options as never)).toThrow(expected)
})

it('verifyWebhook rejects unknown and invalid options', () => {
  const call = (options: unknown) => () => verifyWebhook(body, header, secret, options as never)
  expect(call({ tolerence: 10 })).toThrow(
    new TypeError('tolerence: verifyWebhook has no such option. It has tolerance, now, allowV1.'),
  )
  for (const now of ['2026-05-06', Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(call({ now })).toThrow(new TypeError('now: expected a number of ms since the Unix epoch.'))
  }
  expect(call({ allowV1: 'no' })).toThrow(new TypeError('allowV1: expected true or false.'))
  expect(call({ tolerance: true })).toThrow(RangeError)
  expect(verifyWebhook(body, header, secret, { now, tolerance: undefined } as never).valid).toBe(true)
})

it.each([
  [{ id: 1 }, 'a parsed object'],
  [undefined, 'undefined'],
  [null, 'null'],
  [new ArrayBuffer(2), 'an ArrayBuffer: wrap it, Buffer.from(body)'],
  [new Uint16Array(2), 'a Uint16Array: wrap it, Buffer.from(body.buffer, body.byteOffset, body.byteLength)'],
])('verifyWebhook and explainSignature reject the body %j, because only raw bytes can match', (rawBody, shown) => {
  const expected = (call: string) =>
    new TypeError(`${call} needs the raw body as bytes or text, got ${shown}. ${FIXES.body_once}`)
  expect(() => verifyWebhook(rawBody as never, header, secret)).toThrow(expected('verifyWebhook'))
  expect(() => explainSignature({ rawBody: rawBody as never, header, secrets: [] })).toThrow(
    expected('explainSignature'),
  )
})

it('verifyWebhook reports a time in milliseconds if it is outside the tolerance', () => {
  const inMs = signatureHeader({ body, secret, timestamp: now, version: 'v2', v1Form: 'body' })
  const at = (ms: number) => verifyWebhook(body, inMs, secret, { now: now * 1000 + ms })
  expect(at(-300_000).valid).toBe(true)
  expect(at(-300_001)).toEqual({
    valid: false,
    reason: 'future',
    message:
      'The time is in milliseconds instead of seconds. Divide by 1000 and round down, both in t= and in the signed text.',
  })
})

it('signWebhook uses the system time by default', () => {
  expect(verifyWebhook(body, signWebhook({ body, secret }), secret).valid).toBe(true)
})

it('signWebhook rejects arguments that no receiver would accept', () => {
  const call = (webhook: unknown) => () => signWebhook(webhook as never)
  expect(call({ body, secret: undefined })).toThrow(SECRET_NOT_SET)
  for (const [invalid, message] of [
    [body, 'signWebhook expects its options as an object, such as { body, secret }, got a string.'],
    [{ body: { id: 1 }, secret }, 'body: signWebhook expects the bytes or text that are sent.'],
    ...[Number.NaN, 1.5, -1, '1778068800', new Date(0)].map(
      (timestamp) => [{ body, secret, timestamp }, 'timestamp: signWebhook expects whole Unix seconds.'] as const,
    ),
    [{ body, secret, timestamp: now }, `timestamp: The time is in milliseconds instead of seconds. ${FIXES.seconds}`],
    [{ body, secret, version: 'v3' }, 'version: signWebhook expects v2 or v1.'],
    [{ body, secret, v1: 'none' }, 'v1: signWebhook expects body, timestamped or omit.'],
    [{ body, secret, time: 1 }, 'time: signWebhook has no such option. It has body, secret, timestamp, version, v1.'],
  ] as const) {
    expect(call(invalid)).toThrow(new TypeError(message))
  }
})

it('signWebhook accepts times from 0 up to 11 digits, because more digits mean milliseconds', () => {
  for (const accepted of [0, 99_999_999_999]) {
    expect(signWebhook({ body, secret, timestamp: accepted })).toMatch(new RegExp(`^t=${accepted},`))
  }
  expect(() => signWebhook({ body, secret, timestamp: 100_000_000_000 })).toThrow(TypeError)
})

it('explainSignature rejects invalid arguments', () => {
  const call = (input: object | undefined) => () =>
    explainSignature((input && { rawBody: body, header, secrets: [secret], now, ...input }) as ExplainInput)
  expect(call({})().valid).toBe(true)
  for (const [invalid, message] of [
    [
      undefined,
      'explainSignature expects its options as an object, such as { rawBody, header, secrets }, got undefined.',
    ],
    [{ now: 'x' }, 'now: expected a number of ms since the Unix epoch.'],
    [{ header: 5 }, 'header: expected the value of X-PSP-Signature, or undefined if it is missing.'],
    [{ secrets: secret }, 'secrets: expected a list of secrets.'],
    [
      { tolerence: '5m' },
      'tolerence: explainSignature has no such option. It has rawBody, header, secrets, known, storedBody, purpose, tolerance, now.',
    ],
  ] as const) {
    expect(call(invalid)).toThrow(new TypeError(message))
  }
  expect(call({ tolerance: 'soon' })).toThrow(RangeError)
})
