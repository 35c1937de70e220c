import { describe, expect, test } from 'vitest'
import { hmacHex } from '../../src/domain/hmac.ts'
import { signRequest } from '../../src/domain/request-signature.ts'
import { signatureHeader } from '../../src/domain/webhook-signature.ts'
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
const sign = (of: { body?: string | Uint8Array; secret?: string; timestamp?: number } = {}) =>
  signatureHeader({ body, secret, timestamp, version: 'v2', v1: 'body', ...of })
const explain = (input: Partial<ExplainInput>) =>
  explainSignature({ rawBody: body, header: sign(), secrets: [secret], known, now, ...input })
const seen = new Set<string>()
function cause(input: Partial<ExplainInput>): string {
  const result = explain(input)
  if (result.valid) return 'valid'
  seen.add(result.cause)
  expect(result.message).toMatch(/^\S.{20,}\.$/)
  for (const { secret: hidden } of known) expect(result.message).not.toContain(hidden)
  return result.cause
}

describe('what fits', () => {
  test('v2, fresh', () => {
    expect(explain({})).toEqual({ valid: true, version: 'v2', message: expect.any(String) })
  })

  test('v1 fits with a note', () => {
    const result = explain({ header: signWebhook({ body, secret, timestamp, version: 'v1' }), now: 0 })
    expect(result).toMatchObject({ valid: true, version: 'v1', message: expect.stringContaining('replay') })
  })

  test('without a secret of your own the known webhook secrets are tried', () => {
    expect(cause({ secrets: [], header: sign({ secret: 'whs_other' }) })).toBe('valid')
    expect(cause({ secrets: [], header: sign({ secret: 'whs_old' }) })).toBe('rotated_secret')
    expect(cause({ secrets: [], header: sign({ secret: 'thm_shop' }) })).toBe('wrong_secret_kind')
  })

  test('a pasted line end after the secret', () => {
    expect(cause({ secrets: [`${secret}\r\n`] })).toBe('valid')
  })
})

describe('secrets', () => {
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
  ] as const)('%s: %j', (expected, input) => {
    expect(cause(input)).toBe(expected)
  })
})

describe('the header', () => {
  test.each([undefined, '', 'nonsense', 'ключ', sign().toUpperCase(), 'sha256=abc', `t=${timestamp}`])(
    '%j is malformed',
    (header) => {
      expect(cause({ header })).toBe('malformed_header')
    },
  )

  test('v1= alone is v1 for v2, whether it fits or not', () => {
    const v1Only = sign().replace(/,v2=.*/, '')
    expect(cause({ header: v1Only })).toBe('v1_for_v2')
    expect(cause({ header: v1Only, rawBody: `${body} ` })).toBe('v1_for_v2')
  })

  test('v2= over the body alone', () => {
    const hex = hmacHex(secret, body)
    expect(cause({ header: `t=${timestamp},v1=${hex},v2=${hex}` })).toBe('missing_timestamp_prefix')
    expect(cause({ header: `t=${timestamp},v2=${hex}` })).toBe('missing_timestamp_prefix')
  })

  test('milliseconds for seconds: in both, in the header only, in the signature only', () => {
    expect(cause({ header: sign({ timestamp: timestamp * 1000 + 7 }) })).toBe('milliseconds')
    expect(cause({ header: sign().replace(`t=${timestamp}`, `t=${timestamp}123`) })).toBe('milliseconds')
    expect(
      cause({ header: sign({ timestamp: timestamp * 1000 }).replace(`t=${timestamp}000`, `t=${timestamp}`) }),
    ).toBe('milliseconds')
  })

  test('too old, too early', () => {
    expect(cause({ now: now + 300_001 })).toBe('stale')
    expect(cause({ now: now - 300_001 })).toBe('future')
    expect(cause({ now: now + 300_001, tolerance: 600_000 })).toBe('valid')
  })
})

describe('the body', () => {
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
  ])('%s', (expected, rawBody, signed) => {
    expect(cause({ rawBody, header: sign({ body: signed }) })).toBe(expected)
    const v1 = signWebhook({ body: signed, secret, timestamp, version: 'v1' })
    expect(cause({ rawBody, header: v1 })).toBe(expected)
  })

  test('bytes that are not UTF-8 keep their value', () => {
    const bytes = Buffer.from([0x7b, 0xff, 0x0a, 0x7d])
    expect(cause({ rawBody: Buffer.concat([bytes, Buffer.from('\n')]), header: sign({ body: bytes }) })).toBe(
      'trailing_newline',
    )
  })

  test('the stored bytes tell a rewritten body from a changed one', () => {
    const sorted =
      '{"data":{"url":"https://a/b","имя":"Ёж ₽"},"id":"evt_1","created_at":"2026-05-06T12:00:00.000Z","event":"payment.succeeded"}'
    const stored =
      '{"data":{"имя":"Ёж ₽","url":"https://a/b"},"id":"evt_1","event":"payment.succeeded","created_at":"2026-05-06T12:00:00.000Z"}'
    expect(cause({ rawBody: sorted, header: sign({ body: stored }) })).toBe('mismatch')
    expect(cause({ rawBody: sorted, header: sign({ body: stored }), storedBody: stored })).toBe('reserialised')
    expect(cause({ rawBody: body.replace('evt_1', 'evt_2'), storedBody: body })).toBe('tampered')
    expect(cause({ rawBody: 'no json', storedBody: body })).toBe('tampered')
    expect(cause({ rawBody: 'no json', storedBody: 'another' })).toBe('mismatch')
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
  ])('%s: nobody attacks', (expected, rawBody) => {
    for (const more of [{}, { storedBody: body }, { secrets: ['whs_unknown'] }]) {
      expect(cause({ rawBody, ...more })).toBe(expected)
      const told = verifyWebhook(rawBody, sign(), secret, { now })
      expect(told).toMatchObject({ valid: false, reason: 'mismatch' })
      expect(!told.valid && told.message).toMatch(
        /something had read it before|parsed or turned into text|end of the body is missing/,
      )
    }
  })

  test('a body that could not be the rest of another is one that was changed, or of another secret', () => {
    expect(cause({ rawBody: `${body.slice(0, -30)}}`, storedBody: body })).toBe('tampered')
    expect(cause({ rawBody: '{"a":}', storedBody: body })).toBe('tampered')
    expect(cause({ rawBody: '{"a":}' })).toBe('mismatch')
    expect(cause({ rawBody: '', header: sign({ body: '' }) })).toBe('valid')
  })

  test('v1= fits and v2= does not: the time was changed', () => {
    expect(cause({ header: sign().replace(`t=${timestamp}`, `t=${timestamp + 60}`) })).toBe('tampered')
  })

  test('a body of 2 MiB is explained all the same', () => {
    const large = JSON.stringify({ text: 'я'.repeat(2 ** 20) })
    expect(cause({ rawBody: `${large}\n`, header: sign({ body: large }) })).toBe('trailing_newline')
  })
})

describe('request signatures', () => {
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
  ] as const)('%s: %j', (expected, input) => {
    expect(cause({ ...request, ...input })).toBe(expected)
  })
})

test('a mismatch says how many secrets were tried in vain', () => {
  const known = [{ secret: 'whs_known', kind: 'webhook', label: 'shop A' } as const]
  const tell = (input: object) =>
    explainSignature({ rawBody: body, header: sign({ secret: 'whs_x' }), secrets: ['whs_y'], ...input }).message
  expect(tell({})).toContain('not made with the secret, over these bytes')
  expect(tell({ known })).toContain('nor with the other one this sandbox knows')
})

test('every cause was met in these tests', () => {
  expect([...seen].sort()).toEqual([...EXPLAINED_CAUSES].sort())
})
