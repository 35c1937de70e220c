// What people hand over who come from other providers, and what an unset variable looks like.
import { expect, expectTypeOf, it } from 'vitest'
import { signWebhook, unwrapWebhook, verifyWebhook } from '../../src/webhooks/index.ts'

const secret = 'whs_secret'
const timestamp = 1778068800
const now = timestamp * 1000
const body = '{"id":"evt_1","event":"payment.succeeded","created_at":"2026-05-06T12:00:00.000Z","data":{}}'
const header = signWebhook({ body, secret, timestamp })
const message = (result: ReturnType<typeof verifyWebhook>) => (result.valid ? 'valid' : result.message)

it('takes the secret as process.env has it, and a list of such', () => {
  expectTypeOf(verifyWebhook).toBeCallableWith(body, {}, process.env['PSP_WEBHOOK_SECRET'])
  expectTypeOf(unwrapWebhook).toBeCallableWith(body, {}, [process.env['NEW_SECRET'], process.env['OLD_SECRET']])
  expect(() => verifyWebhook(body, {}, undefined)).toThrow('The webhook secret is not set.')
  expect(() => verifyWebhook(body, {}, [secret, undefined])).toThrow('The webhook secret is not set.')
})

it('takes the value of the header for the headers, and its absence', () => {
  expect(message(verifyWebhook(body, header, secret, { now }))).toBe('valid')
  expect(unwrapWebhook(body, header, secret, { now }).id).toBe('evt_1')
  expect(message(verifyWebhook(body, 't=1,v1=a', secret, { now }))).toMatch(/^X-PSP-Signature cannot be read: /)
  for (const absent of [undefined, null]) {
    expect(verifyWebhook(body, absent, secret, { now })).toMatchObject({ valid: false, reason: 'missing_header' })
  }
})

it('names the order of the arguments, and does not repeat a secret that stands in the wrong place', () => {
  for (const misplaced of ['whs_of_mine', 'thm_of_mine']) {
    const call = () => verifyWebhook(body, misplaced, header)
    expect(call).toThrow('The order is verifyWebhook(rawBody, headers, secret).')
    expect(call).not.toThrow('of_mine')
  }
  expect(() => verifyWebhook(body, 5 as never, secret)).toThrow('headers: expected the headers of the request')
})

it('takes the tolerance as a duration', () => {
  const at = (ms: number, tolerance: string) =>
    message(verifyWebhook(body, header, secret, { now: now + ms, tolerance }))
  expect(at(600_000, '10m')).toBe('valid')
  expect(at(600_001, '10m')).toMatch(/^The webhook was signed 600 s ago, more than the tolerance of 600 s: /)
  for (const tolerance of ['300', '', 'soon', '-5m']) {
    expect(() => verifyWebhook(body, header, secret, { now, tolerance })).toThrow(
      `tolerance: expected a duration such as '5m', or a number of ms such as 300_000, got ${tolerance}.`,
    )
  }
})

it('shows that a tolerance of 300 is 300 ms', () => {
  const late = message(verifyWebhook(body, header, secret, { now: now + 3000, tolerance: 300 }))
  expect(late).toMatch(
    /^The webhook was signed 3 s ago, more than the tolerance of 300 ms \(a number is taken as ms\): /,
  )
  const early = message(verifyWebhook(body, header, secret, { now: now - 3000, tolerance: 300 }))
  expect(early).toContain('3 s ahead of this clock, more than the tolerance of 300 ms')
})
