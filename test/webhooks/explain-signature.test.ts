import { describe, expect, test } from 'vitest'
import { hmacHex, signatureHeader, signRequest } from '../../src/domain/signatures.ts'
import { EXPLAINED_CAUSES } from '../../src/webhooks/diagnosis-input.ts'
import { type ExplainInput, explainSignature, signWebhook, verifyWebhook } from '../../src/webhooks/index.ts'

const secret = 'whs_current'
const timestamp = 1778068800
const now = timestamp * 1000
const body =
  '{"id":"evt_1","event":"payment.succeeded","created_at":"2026-05-06T12:00:00.000Z","data":{"url":"https://a/b","имя":"Ёж ₽"}}'
const known = [
  { secret, kind: 'webhook', label: 'shop Demo' },
  { secret: 'whs_other', kind: 'webhook', label: 'endpoint B' },
  { secret: 'whs_old', kind: 'former', label: 'shop Demo, before' },
  { secret: 'thm_shop', kind: 'signing', label: 'shop Demo, signing' },
] as const
const sign = (overrides: { body?: string | Uint8Array; secret?: string; timestamp?: number } = {}) =>
  signatureHeader({ body, secret, timestamp, version: 'v2', v1: 'body', ...overrides })
const explain = (input: Partial<ExplainInput>) =>
  explainSignature({ rawBody: body, header: sign(), secrets: [secret], known, now, ...input })
const seenCauses = new Set<string>()
function causeOf(input: Partial<ExplainInput>): string {
  const result = explain(input)
  if (result.valid) return 'valid'
  seenCauses.add(result.cause)
  expect(result.message).toMatch(/^\S.{20,}\.$/)
  for (const { secret: hidden } of known) expect(result.message).not.toContain(hidden)
  return result.cause
}

describe('a valid signature', () => {
  test('is valid as v2 within the tolerance', () => {
    expect(explain({})).toEqual({ valid: true, version: 'v2', message: expect.any(String) })
  })

  test('is valid as v1, with a note about replays', () => {
    const result = explain({ header: signWebhook({ body, secret, timestamp, version: 'v1' }), now: 0 })
    expect(result).toMatchObject({ valid: true, version: 'v1', message: expect.stringContaining('replay') })
  })

  test('is checked with the known webhook secrets if no secret is given', () => {
    expect(causeOf({ secrets: [], header: sign({ secret: 'whs_other' }) })).toBe('valid')
    expect(causeOf({ secrets: [], header: sign({ secret: 'whs_old' }) })).toBe('rotated_secret')
    expect(causeOf({ secrets: [], header: sign({ secret: 'thm_shop' }) })).toBe('wrong_secret_kind')
  })

  test('is valid for a secret with a line ending', () => {
    expect(causeOf({ secrets: [`${secret}\r\n`] })).toBe('valid')
  })
})

describe('the secrets of a signature', () => {
  test.each([
    ['wrong_secret_kind', { secrets: ['thm_shop'] }],
    ['wrong_secret_kind', { secrets: ['thm_unknown'], known: [] }],
    ['wrong_secret_kind', { header: sign({ secret: 'thm_shop' }) }],
    ['rotated_secret', { header: sign({ secret: 'whs_old' }) }],
    ['rotated_secret', { secrets: ['whs_old'] }],
    ['wrong_secret', { header: sign({ secret: 'whs_other' }) }],
    ['wrong_secret', { secrets: ['whs_unknown'] }],
    ['mismatch', { header: sign({ secret: 'whs_unknown' }) }],
    ['mismatch', { secrets: ['whs_unknown'], known: [] }],
    ['valid', { secrets: ['whs_unknown', secret] }],
  ] as const)('are explained as %s for %j', (expected, input) => {
    expect(causeOf(input)).toBe(expected)
  })
})

describe('the signature header', () => {
  test.each([undefined, '', 'nonsense', 'ключ', sign().toUpperCase(), 'sha256=abc', `t=${timestamp}`])(
    'is explained as malformed for %j',
    (header) => {
      expect(causeOf({ header })).toBe('malformed_header')
    },
  )

  test('is explained as v1_for_v2 with v1= alone, even if v1= does not match', () => {
    const v1Only = sign().replace(/,v2=.*/, '')
    expect(causeOf({ header: v1Only })).toBe('v1_for_v2')
    expect(causeOf({ header: v1Only, rawBody: `${body} ` })).toBe('v1_for_v2')
  })

  test('is explained as missing_timestamp_prefix if v2= signs only the body', () => {
    const hex = hmacHex(secret, body)
    expect(causeOf({ header: `t=${timestamp},v1=${hex},v2=${hex}` })).toBe('missing_timestamp_prefix')
    expect(causeOf({ header: `t=${timestamp},v2=${hex}` })).toBe('missing_timestamp_prefix')
  })

  test('is explained as milliseconds if header, signature or both use them', () => {
    expect(causeOf({ header: sign({ timestamp: timestamp * 1000 + 7 }) })).toBe('milliseconds')
    expect(causeOf({ header: sign().replace(`t=${timestamp}`, `t=${timestamp}123`) })).toBe('milliseconds')
    expect(
      causeOf({ header: sign({ timestamp: timestamp * 1000 }).replace(`t=${timestamp}000`, `t=${timestamp}`) }),
    ).toBe('milliseconds')
  })

  test('is explained as stale or future outside the tolerance', () => {
    expect(causeOf({ now: now + 300_001 })).toBe('stale')
    expect(causeOf({ now: now - 300_001 })).toBe('future')
    expect(causeOf({ now: now + 300_001, tolerance: 600_000 })).toBe('valid')
  })
})

describe('the body of a webhook', () => {
  const pretty = JSON.stringify(JSON.parse(body), null, 2)
  const php = body.replaceAll('/', '\\/')
  const ascii = (text: string) =>
    text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const { data, event, id, created_at } = JSON.parse(body)

  test.each([
    ['bom', `\ufeff${body}`, body],
    ['bom', body, `\ufeff${body}`],
    ['bom', `\ufeff${body}\r\n`, body],
    ['crlf', pretty.replaceAll('\n', '\r\n'), pretty],
    ['crlf', pretty, pretty.replaceAll('\n', '\r\n')],
    ['trailing_newline', `${body}\n`, body],
    ['trailing_newline', `${body}\r\n`, body],
    ['trailing_newline', `${body}\n\n`, `${body}\n`],
    ['trailing_newline', body, `${body}\n`],
    ['escaped_slash', php, body],
    ['escaped_slash', body, php],
    ['escaped_slash', '{"a":"\\\\/x\\/y"}', '{"a":"\\\\/x/y"}'],
    ['reserialised', pretty, body],
    ['reserialised', `${pretty}\n`, body],
    ['reserialised', ascii(php), body],
    ['reserialised', JSON.stringify({ created_at, data, event, id }), body],
    ['reserialised', body, pretty],
    ['reserialised', body, ascii(body)],
    ['reserialised', '{"a":[1,{"b":null}]}', '{"a": [1, {"b": null}]}'],
    ['mismatch', body.replace('evt_1', 'evt_2'), body],
  ])('is explained as %s', (expected, rawBody, signed) => {
    expect(causeOf({ rawBody, header: sign({ body: signed }) })).toBe(expected)
    const v1 = signWebhook({ body: signed, secret, timestamp, version: 'v1' })
    expect(causeOf({ rawBody, header: v1 })).toBe(expected)
  })

  test('keeps bytes that are not UTF-8 when a change is undone', () => {
    const bytes = Buffer.from([0x7b, 0xff, 0x0a, 0x7d])
    expect(causeOf({ rawBody: Buffer.concat([bytes, Buffer.from('\n')]), header: sign({ body: bytes }) })).toBe(
      'trailing_newline',
    )
  })

  test('is compared with the stored bytes to distinguish reserialized from tampered', () => {
    const sorted =
      '{"data":{"url":"https://a/b","имя":"Ёж ₽"},"id":"evt_1","created_at":"2026-05-06T12:00:00.000Z","event":"payment.succeeded"}'
    const stored =
      '{"data":{"имя":"Ёж ₽","url":"https://a/b"},"id":"evt_1","event":"payment.succeeded","created_at":"2026-05-06T12:00:00.000Z"}'
    expect(causeOf({ rawBody: sorted, header: sign({ body: stored }) })).toBe('mismatch')
    expect(causeOf({ rawBody: sorted, header: sign({ body: stored }), storedBody: stored })).toBe('reserialised')
    expect(causeOf({ rawBody: body.replace('evt_1', 'evt_2'), storedBody: body })).toBe('tampered')
    expect(causeOf({ rawBody: 'no json', storedBody: body })).toBe('tampered')
    expect(causeOf({ rawBody: 'no json', storedBody: 'another' })).toBe('mismatch')
  })

  test.each([
    ['empty_body', ''],
    ['parsed_body', '{}'],
    ['parsed_body', '[object Object]'],
    ['parsed_body', '[object ReadableStream]'],
    ['parsed_body', 'undefined'],
    ['parsed_body', JSON.stringify(Buffer.from(body))],
    ['parsed_body', JSON.stringify(new Uint8Array(Buffer.from(body)))],
    ['parsed_body', String(new Uint8Array(Buffer.from(body)))],
    ['truncated_body', body.slice(0, -1)],
    ['truncated_body', body.slice(0, 20)],
    ['truncated_body', Buffer.from(body).subarray(0, Buffer.from(body).indexOf('Ё') + 1)],
  ])('is explained as %s, and not as an attack', (expected, rawBody) => {
    for (const more of [{}, { storedBody: body }, { secrets: ['whs_unknown'] }]) {
      expect(causeOf({ rawBody, ...more })).toBe(expected)
      const result = verifyWebhook(rawBody, sign(), secret, { now })
      expect(result).toMatchObject({ valid: false, reason: 'mismatch' })
      expect(!result.valid && result.message).toMatch(
        /other code read it first|parsing it or converting it to text|end of the body is missing/,
      )
    }
  })

  test('is explained as tampered or mismatch if it is not a damaged body', () => {
    expect(causeOf({ rawBody: `${body.slice(0, -30)}}`, storedBody: body })).toBe('tampered')
    expect(causeOf({ rawBody: '{"a":}', storedBody: body })).toBe('tampered')
    expect(causeOf({ rawBody: '{"a":}' })).toBe('mismatch')
    expect(causeOf({ rawBody: '', header: sign({ body: '' }) })).toBe('valid')
  })

  test('is explained as tampered if v1= matches and v2= does not', () => {
    expect(causeOf({ header: sign().replace(`t=${timestamp}`, `t=${timestamp + 60}`) })).toBe('tampered')
  })

  test('is explained even if it has 2 MiB', () => {
    const large = JSON.stringify({ text: 'я'.repeat(2 ** 20) })
    expect(causeOf({ rawBody: `${large}\n`, header: sign({ body: large }) })).toBe('trailing_newline')
  })
})

describe('the signature of a request', () => {
  const request = { purpose: 'request', secrets: ['thm_shop'] } as const

  test.each([
    ['valid', { header: signRequest(body, 'thm_shop') }],
    ['valid', { header: signRequest(body, 'thm_shop'), secrets: [] }],
    ['wrong_secret_kind', { header: signRequest(body, secret) }],
    ['wrong_secret_kind', { header: signRequest(body, 'thm_shop'), secrets: [secret] }],
    ['wrong_secret_kind', { header: signRequest(body, 'thm_x'), secrets: ['whs_x'], known: [] }],
    ['trailing_newline', { header: signRequest(`${body}\n`, 'thm_shop') }],
    ['malformed_header', { header: sign() }],
    ['malformed_header', { header: undefined }],
    ['mismatch', { header: signRequest(body, 'thm_x') }],
    ['mismatch', { header: signRequest('', 'thm_x'), rawBody: '' }],
    ['mismatch', { header: signRequest('{}', 'thm_x'), rawBody: '{}' }],
  ] as const)('is explained as %s for %j', (expected, input) => {
    expect(causeOf({ ...request, ...input })).toBe(expected)
  })
})

test('the message of a mismatch says how many secrets were tried', () => {
  const known = [{ secret: 'whs_known', kind: 'webhook', label: 'shop A' } as const]
  const messageOf = (input: object) =>
    explainSignature({ rawBody: body, header: sign({ secret: 'whs_x' }), secrets: ['whs_y'], ...input }).message
  expect(messageOf({})).toContain('neither these bytes nor a common change of them were signed with the secret.')
  expect(messageOf({ known })).toContain('the secret or with the other secret of this sandbox')
})

test('these tests cover every cause', () => {
  expect([...seenCauses].sort()).toEqual([...EXPLAINED_CAUSES].sort())
})
