import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signWebhook, unwrapWebhook, verifyWebhook, WebhookSecretError } from '../../src/webhooks/index.ts'

const secret = 'whs_secret'
const timestamp = 1778068800
const now = timestamp * 1000
const body =
  '{"id":"evt_1","event":"payment.succeeded","created_at":"2026-05-06T12:00:00.000Z","data":{"description":"Кофе ₽"}}'
const header = signWebhook({ body, secret, timestamp })
const verify = (value: string | undefined, options: Parameters<typeof verifyWebhook>[3] = { now }) =>
  verifyWebhook(body, { 'x-psp-signature': value }, secret, options)
const reasonOf = (result: ReturnType<typeof verifyWebhook>) => (result.valid ? 'valid' : result.reason)

describe('a valid webhook', () => {
  test('returns the message, its id and the time of signing', () => {
    expect(verify(header)).toEqual({ valid: true, event: JSON.parse(body), id: 'evt_1', timestamp, version: 'v2' })
  })

  test('is valid with the body as bytes', () => {
    expect(verifyWebhook(Buffer.from(body), { 'X-PSP-Signature': header }, secret, { now }).valid).toBe(true)
  })

  test('is valid with headers in every form of a framework', () => {
    const forms = [
      { 'x-psp-signature': header },
      { 'X-Psp-Signature': [header] },
      new Headers({ 'X-PSP-Signature': header }),
      [['Content-Type', 'application/json'] as const, ['X-PSP-Signature', header] as const],
      ['Content-Type', 'application/json', 'X-PSP-Signature', header],
    ]
    for (const headers of forms) expect(reasonOf(verifyWebhook(body, headers, secret, { now }))).toBe('valid')
  })

  test('is valid if one of several secrets matches', () => {
    expect(verifyWebhook(body, { 'x-psp-signature': header }, ['whs_new', secret], { now }).valid).toBe(true)
    expect(reasonOf(verifyWebhook(body, { 'x-psp-signature': header }, ['whs_new', 'whs_other'], { now }))).toBe(
      'mismatch',
    )
  })

  test('is valid without v1=, with spaces, in another order, and with unknown parts', () => {
    const [t, v1, v2] = header.split(',')
    for (const value of [`${t},${v2}`, `${t}, ${v1}, ${v2}`, `${v2},${v1},${t}`, `${header},v3=xyz`]) {
      expect(reasonOf(verify(value))).toBe('valid')
    }
  })

  test('is returned by unwrapWebhook, which throws the reason if it is invalid', () => {
    expect(unwrapWebhook(body, { 'x-psp-signature': header }, secret, { now }).id).toBe('evt_1')
    expect(() => unwrapWebhook(`${body} `, { 'x-psp-signature': header }, secret, { now })).toThrow(
      expect.objectContaining({ name: 'WebhookVerificationError', reason: 'mismatch' }),
    )
  })
})

describe('the tolerance of verifyWebhook', () => {
  test.each([
    [0, 'valid'],
    [300_000, 'valid'],
    [300_001, 'stale'],
    [-300_000, 'valid'],
    [-300_001, 'future'],
  ])('classifies a webhook that was signed %d ms ago as %s', (ms, result) => {
    expect(reasonOf(verify(header, { now: now + ms }))).toBe(result)
  })

  test('can be set and disabled', () => {
    expect(reasonOf(verify(header, { now: now + 1001, tolerance: 1000 }))).toBe('stale')
    expect(reasonOf(verify(header, { now: now + 1e12, tolerance: Number.POSITIVE_INFINITY }))).toBe('valid')
    expect(() => verify(header, { now, tolerance: Number.NaN })).toThrow(RangeError)
    expect(() => verify(header, { now, tolerance: -1 })).toThrow(RangeError)
  })

  test('is compared with the system time by default', () => {
    expect(reasonOf(verify(header, {}))).toMatch(/stale|future/)
  })
})

describe('verifyWebhook rejects', () => {
  test('a webhook without a signature header', () => {
    expect(reasonOf(verify(undefined))).toBe('missing_header')
    expect(reasonOf(verifyWebhook(body, [], secret, { now }))).toBe('missing_header')
  })

  test.each([
    '',
    'garbage',
    't=,v1=,v2=',
    `t=${timestamp}`,
    header.toUpperCase(),
    header.replace('v2=', 'v2=0'),
    header.slice(0, -1),
    `${header},${header}`,
    header.replace('t=', 't=-'),
    header.replace(/v2=.{4}/, 'v2=яяяя'),
    `sha256=${'0'.repeat(64)},t=${timestamp}`,
    `v2=${'я'.repeat(64)}`,
    'x'.repeat(100_000),
    `${header},v3=${'x'.repeat(2000)}`,
    header.replace(/,v2=.*/, ''),
    '\u{1f4a5}\ud800\u0000',
  ])('the malformed header %j without throwing', (value) => {
    expect(reasonOf(verify(value))).toBe('malformed_header')
  })

  test('any random text as a header without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (value) => {
        expect(verify(value).valid).toBe(false)
      }),
    )
  })

  test('a body with any changed byte', () => {
    const bytes = Buffer.from(body)
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const changed = Buffer.from(bytes)
        changed[at] = ((changed[at] ?? 0) + by) % 256
        expect(reasonOf(verifyWebhook(changed, { 'x-psp-signature': header }, secret, { now }))).toBe('mismatch')
      }),
    )
  })

  test('a webhook with a changed time', () => {
    expect(reasonOf(verify(header.replace(`t=${timestamp}`, `t=${timestamp + 1}`)))).toBe('mismatch')
  })

  test('v1 unless allowV1 is set, because v1= can be replayed forever', () => {
    const v1 = signWebhook({ body, secret, timestamp, version: 'v1' })
    expect(reasonOf(verify(v1))).toBe('v1_not_allowed')
    expect(verify(v1, { allowV1: true })).toMatchObject({ valid: true, version: 'v1' })
    expect(reasonOf(verify(v1.replace(/.{4}$/, '0000'), { allowV1: true }))).toBe('mismatch')
  })

  test.each(['', 'null', '[]', '{"id":1}', 'not json', '{"id":"evt_1"}'])(
    'the signed body %j, which is not a message',
    (text) => {
      const signed = signWebhook({ body: text, secret, timestamp })
      expect(reasonOf(verifyWebhook(text, { 'x-psp-signature': signed }, secret, { now }))).toBe('malformed_body')
    },
  )

  test('a parsed body by throwing an error about the raw body', () => {
    const parsed = JSON.parse(body)
    expect(() => verifyWebhook(parsed, { 'x-psp-signature': header }, secret, { now })).toThrow(/raw body/)
  })

  test('a thm_ secret, and names the right kind', () => {
    const result = verifyWebhook(body, { 'x-psp-signature': header }, 'thm_secret', { now })
    expect(!result.valid && result.message).toContain('whs_')
  })
})

describe('a secret from a file or variable', () => {
  test.each(['\r', '\n', '\r\n', '\n\n'])('is used without the line ending %j', (end) => {
    expect(verifyWebhook(body, { 'x-psp-signature': header }, secret + end, { now }).valid).toBe(true)
  })

  test.each(['', '\r\n', 'whs_\u001b[32msecret', 'whs_a\nwhs_b', 'whs_\u0000'])(
    'is rejected as unusable if it is %j',
    (text) => {
      expect(() => verifyWebhook(body, {}, text)).toThrow(WebhookSecretError)
    },
  )
})
