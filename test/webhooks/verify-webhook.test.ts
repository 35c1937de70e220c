import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signWebhook, unwrapWebhook, verifyWebhook } from '../../src/webhooks/index.ts'

const secret = 'whs_secret'
const timestamp = 1778068800
const now = timestamp * 1000
const body =
  '{"id":"evt_1","event":"payment.succeeded","created_at":"2026-05-06T12:00:00.000Z","data":{"description":"Кофе ₽"}}'
const header = signWebhook({ body, secret, timestamp })
const verify = (value: string | undefined, options: Parameters<typeof verifyWebhook>[3] = { now }) =>
  verifyWebhook(body, { 'x-psp-signature': value }, secret, options)
const reasonOf = (result: ReturnType<typeof verifyWebhook>) => (result.valid ? 'valid' : result.reason)

const RAW_BYTES_AND_SECRET =
  'Check that the body is the raw bytes and that the secret is the one of this endpoint. `psp verify --delivery ID --explain` finds the cause.'

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
      { get: 'a header named get', 'x-psp-signature': header },
      { 'content-length': undefined, 'x-psp-signature': header },
      // A value that equals the name of the header.
      ['X-Other', 'X-PSP-Signature', 'X-PSP-Signature', header],
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
    const longest = `${header},v3=`.padEnd(1024, ' ~')
    for (const value of [`${t},${v2}`, `${t}, ${v1}, ${v2}`, `${v2},${v1},${t}`, longest]) {
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

  const hex = '0'.repeat(64)
  test.each([
    ['', 'it is empty'],
    ['  ', 'it is empty'],
    ['garbage', '"garbage" is not name=value'],
    [`${header}, =`, '"=" is not name=value'],
    [header.toUpperCase(), `"T=${timestamp}" is not name=value`],
    [`${header},${header}`, 't= is in it twice'],
    [`v2=${hex}`, 'it has neither sha256= nor t='],
    ['t=,v1=,v2=', 't= is not a Unix time in digits'],
    [header.replace('t=', 't=-'), 't= is not a Unix time in digits'],
    [`t=1s,v2=${hex}`, 't= is not a Unix time in digits'],
    [`t=${'1'.repeat(17)},v2=${hex}`, 't= is not a Unix time in digits'],
    [`t=${timestamp}`, 'it has t= but neither v1= nor v2='],
    [`t=1,v1=${hex}0`, 'v1= must be 64 hex digits, not 65'],
    [`t=1,v2=${hex.slice(1)}`, 'v2= must be 64 hex digits, not 63'],
    [`t=1,v2=${'A'.repeat(64)}`, 'v2= must be lower-case hex'],
    [`t=1,v2=${'A'.repeat(63)}`, 'v2= must be 64 hex digits, not 63'],
    [`t=1,v2=${'A'.repeat(63)}=`, 'v2= must be hex digits (is it base64?)'],
    [`t=1,v1=g${hex},v2=${hex}`, 'v1= must be hex digits (is it base64?)'],
    ['sha256=', 'sha256= must be 64 hex digits, not 0'],
    [`sha256=${hex},t=1`, 'sha256= cannot be combined with other parts'],
    [`v2=${'я'.repeat(64)}`, 'it contains characters outside printable ASCII'],
    [`${header}\u007f`, 'it contains characters outside printable ASCII'],
    ['\u{1f4a5}\ud800\u0000', 'it contains characters outside printable ASCII'],
    [`${header},v3=`.padEnd(1025, 'x'), 'it is longer than 1024 characters'],
  ])('the malformed header %j, and names the problem', (value, problem) => {
    expect(verify(value)).toEqual({
      valid: false,
      reason: 'malformed_header',
      message: `X-PSP-Signature is malformed: ${problem}.`,
    })
  })

  test('a header without v2=, because only v2= proves the time', () => {
    expect(verify(header.replace(/,v2=.*/, ''))).toEqual({
      valid: false,
      reason: 'malformed_header',
      message: 'X-PSP-Signature has no v2=, and only v2= proves the time.',
    })
  })

  test('any random text as a header without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300, size: 'max' }), (value) => {
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
    expect(verify(v1)).toEqual({
      valid: false,
      reason: 'v1_not_allowed',
      message:
        'The webhook is signed with v1 (sha256=…), which does not protect against replays. Set the endpoint to v2, or pass allowV1.',
    })
    expect(verify(v1, { allowV1: true })).toStrictEqual({
      valid: true,
      event: JSON.parse(body),
      id: 'evt_1',
      version: 'v1',
    })
    expect(reasonOf(verify(v1.replace(/.{4}$/, '0000'), { allowV1: true }))).toBe('mismatch')
  })

  test.each(['', 'null', '[]', '{"id":1}', 'not json', '{"id":"evt_1"}'])(
    'the signed body %j, which is not a message',
    (text) => {
      const signed = signWebhook({ body: text, secret, timestamp })
      expect(verifyWebhook(text, { 'x-psp-signature': signed }, secret, { now })).toEqual({
        valid: false,
        reason: 'malformed_body',
        message: 'The signature matches, but the body is not a webhook with id, event and data.',
      })
    },
  )

  test.each([
    [['whs_other'], RAW_BYTES_AND_SECRET],
    [['whs_other', 'thm_secret'], RAW_BYTES_AND_SECRET],
    [['thm_secret'], 'The secret begins with thm_, which signs requests. Use the whs_… secret of the endpoint.'],
  ])('a webhook that the secrets %j did not sign, and names the next step', (secrets, hint) => {
    expect(verifyWebhook(body, { 'x-psp-signature': header }, secrets, { now })).toEqual({
      valid: false,
      reason: 'mismatch',
      message: `The signature does not match the body and the secret. ${hint}`,
    })
  })
})
