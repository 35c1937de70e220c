// Tests mistakes in arguments: options of other libraries, unset variables, arguments in the wrong order.
import { expect, expectTypeOf, it } from 'vitest'
import { signatureHeader } from '../../src/domain/signatures.ts'
import {
  type ExplainInput,
  explainSignature,
  signWebhook,
  unwrapWebhook,
  verifyWebhook,
} from '../../src/webhooks/index.ts'

const secret = 'whs_secret'
const timestamp = 1778068800
const now = timestamp * 1000
const body = '{"id":"evt_1","event":"payment.succeeded","created_at":"2026-05-06T12:00:00.000Z","data":{}}'
const header = signWebhook({ body, secret, timestamp })
const messageOf = (result: ReturnType<typeof verifyWebhook>) => (result.valid ? 'valid' : result.message)

it('verifyWebhook accepts a secret from process.env, or a list of them', () => {
  expectTypeOf(verifyWebhook).toBeCallableWith(body, {}, process.env['PSP_WEBHOOK_SECRET'])
  expectTypeOf(unwrapWebhook).toBeCallableWith(body, {}, [process.env['NEW_SECRET'], process.env['OLD_SECRET']])
  expect(() => verifyWebhook(body, {}, undefined)).toThrow('The webhook secret is not set.')
  expect(() => verifyWebhook(body, {}, [secret, undefined])).toThrow('The webhook secret is not set.')
})

it('verifyWebhook accepts the value of the header instead of all headers, and a missing one', () => {
  expect(messageOf(verifyWebhook(body, header, secret, { now }))).toBe('valid')
  expect(unwrapWebhook(body, header, secret, { now }).id).toBe('evt_1')
  expect(messageOf(verifyWebhook(body, 't=1,v1=a', secret, { now }))).toMatch(/^X-PSP-Signature is malformed: /)
  for (const absent of [undefined, null]) {
    expect(verifyWebhook(body, absent, secret, { now })).toMatchObject({ valid: false, reason: 'missing_header' })
  }
})

it('verifyWebhook names the order of the arguments, and does not print a misplaced secret', () => {
  for (const misplaced of ['whs_of_mine', 'thm_of_mine']) {
    const call = () => verifyWebhook(body, misplaced, header)
    expect(call).toThrow('The order is verifyWebhook(rawBody, headers, secret).')
    expect(call).not.toThrow('of_mine')
  }
  expect(() => verifyWebhook(body, 5 as never, secret)).toThrow('headers: expected the headers of the request')
})

it('verifyWebhook accepts the tolerance as a duration', () => {
  const at = (ms: number, tolerance: string) =>
    messageOf(verifyWebhook(body, header, secret, { now: now + ms, tolerance }))
  expect(at(600_000, '10m')).toBe('valid')
  expect(at(600_001, '10m')).toMatch(/^The webhook was signed 600 s ago, more than the tolerance of 600 s\. /)
  for (const tolerance of ['300', '', 'soon', '-5m']) {
    expect(() => verifyWebhook(body, header, secret, { now, tolerance })).toThrow(
      `tolerance: expected a duration such as '5m', or a number of ms such as 300_000, got ${tolerance}.`,
    )
  }
})

it('verifyWebhook prints the unit of a tolerance of 300', () => {
  const late = messageOf(verifyWebhook(body, header, secret, { now: now + 3000, tolerance: 300 }))
  expect(late).toMatch(/^The webhook was signed 3 s ago, more than the tolerance of 300 ms \(numbers are in ms\)\. /)
  const early = messageOf(verifyWebhook(body, header, secret, { now: now - 3000, tolerance: 300 }))
  expect(early).toContain('3 s ahead of this clock, more than the tolerance of 300 ms')
})

it('verifyWebhook rejects invalid options instead of using the default tolerance', () => {
  const call = (options: unknown) => () => verifyWebhook(body, header, secret, options as never)
  for (const options of [10, '10s', null, [10], Buffer.from('10')]) {
    expect(call(options)).toThrow(TypeError)
    expect(call(options)).toThrow("verifyWebhook expects its options as an object, such as { tolerance: '10s' }, got")
  }
  expect(call({ tolerence: 10 })).toThrow(
    'tolerence: verifyWebhook has no such option. It has tolerance, now, allowV1.',
  )
  expect(call({ now: '2026-05-06' })).toThrow('now: expected a number of ms since the Unix epoch.')
  expect(call({ now: Number.NaN })).toThrow(TypeError)
  expect(call({ allowV1: 'no' })).toThrow('allowV1: expected true or false.')
  expect(call({ tolerance: true })).toThrow(RangeError)
  expect(() => unwrapWebhook(body, header, secret, 10 as never)).toThrow(TypeError)
  expect(verifyWebhook(body, header, secret, { now, tolerance: undefined } as never).valid).toBe(true)
})

it('verifyWebhook reports a time in milliseconds', () => {
  const inMs = signatureHeader({ body, secret, timestamp: now, version: 'v2', v1: 'body' })
  expect(messageOf(verifyWebhook(body, inMs, secret, { now }))).toBe(
    'The time is in milliseconds instead of seconds. Divide by 1000 and round down, both in t= and in the signed text.',
  )
})

it('signWebhook uses the system time by default', () => {
  expect(verifyWebhook(body, signWebhook({ body, secret }), secret).valid).toBe(true)
})

it('signWebhook rejects arguments that no receiver would accept', () => {
  const call = (webhook: unknown) => () => signWebhook(webhook as never)
  expect(call({ body, secret: undefined })).toThrow('The webhook secret is not set. Set PSP_WEBHOOK_SECRET')
  expect(call(body)).toThrow('signWebhook expects its options as an object, such as { body, secret }, got a string.')
  expect(call({ body: { id: 1 }, secret })).toThrow('body: signWebhook expects the bytes or text that are sent.')
  for (const invalid of [Number.NaN, 1.5, -1, '1778068800', new Date(0)]) {
    expect(call({ body, secret, timestamp: invalid })).toThrow('timestamp: signWebhook expects whole Unix seconds.')
  }
  expect(call({ body, secret, timestamp: now })).toThrow('timestamp: The time is in milliseconds instead of seconds.')
  expect(call({ body, secret, version: 'v3' })).toThrow('version: signWebhook expects v2 or v1.')
  expect(call({ body, secret, v1: 'none' })).toThrow('v1: signWebhook expects body, timestamped or omit.')
  expect(call({ body, secret, time: 1 })).toThrow('time: signWebhook has no such option.')
})

it('explainSignature rejects invalid arguments', () => {
  const call = (input: object | undefined) => () =>
    explainSignature((input && { rawBody: body, header, secrets: [secret], now, ...input }) as ExplainInput)
  expect(call({})().valid).toBe(true)
  expect(call(undefined)).toThrow('explainSignature expects its options as an object')
  for (const invalid of [{ now: Number.NaN }, { now: 'x' }, { secrets: secret }, { header: 5 }, { rawBody: {} }]) {
    expect(call(invalid)).toThrow(TypeError)
  }
  expect(call({ tolerance: 'soon' })).toThrow(RangeError)
  expect(call({ tolerence: '5m' })).toThrow('tolerence: explainSignature has no such option.')
  expect(call({ rawBody: new Uint16Array(2) })).toThrow('got a Uint16Array: wrap it')
})
