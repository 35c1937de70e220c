import { describe, expect, test } from 'vitest'
import { FIXES } from '../../src/domain/remediation.ts'
import { hmacHex, signatureHeader, signRequest } from '../../src/domain/signatures.ts'
import { candidateBodies } from '../../src/webhooks/body-transforms.ts'
import { EXPLAINED_CAUSES, type ExplainedCause } from '../../src/webhooks/diagnosis-input.ts'
import { type ExplainInput, explainSignature, signWebhook, verifyWebhook } from '../../src/webhooks/index.ts'

const secret = 'whs_current'
const timestamp = 1778068800
const now = timestamp * 1000
const body =
  '{"id":"evt_1","event":"payment.succeeded","created_at":"2026-05-06T12:00:00.000Z","data":{"url":"https://a/b","имя":"Ёж ₽"}}'
const known = [
  { secret, kind: 'webhook', label: 'shop Demo' },
  { secret: 'whs_other', kind: 'webhook', label: 'endpoint B' },
  { secret: 'whs_old', kind: 'former_webhook', label: 'shop Demo, before' },
  { secret: 'thm_shop', kind: 'signing', label: 'shop Demo, signing' },
  { secret: 'thm_old', kind: 'former_signing', label: 'shop Demo, signing before' },
] as const
const sign = (overrides: { body?: string | Uint8Array; secret?: string; timestamp?: number } = {}) =>
  signatureHeader({ body, secret, timestamp, version: 'v2', v1Form: 'body', ...overrides })
const explain = (input: Partial<ExplainInput>) =>
  explainSignature({ rawBody: body, header: sign(), secrets: [secret], known, now, ...input })
const signedBy = (label: string) => `the body was signed with the secret of ${label}`
const mismatch = (secrets: string) =>
  `Probably the secret is wrong or the body was changed: the signature was not made from these bytes, or a common variant of them, with ${secrets}. Use the secret of the endpoint that received the webhook, and the raw bytes as received.`
const WEBHOOK_FORM = 'It must be t=<unix seconds>,v1=<hex>,v2=<hex>, or sha256=<64 lower-case hex digits>.'
const REQUEST_FORM = "It must be sha256=<64 lower-case hex digits> with the shop's thm_ secret."

/** The messages of each cause. Those of a malformed header are in its test. */
const MESSAGES: Readonly<Record<Exclude<ExplainedCause, 'malformed_header'>, readonly string[]>> = {
  wrong_secret_kind: [
    ...['shop Demo', 'shop Demo, signing', 'shop Demo, signing before'].flatMap((label) => [
      `The signer used the wrong kind of secret: ${signedBy(label)}. ${FIXES.secret_kind}`,
      `The given secret is of the wrong kind: ${signedBy(label)}. ${FIXES.secret_kind}`,
    ]),
    `The given secret is of the wrong kind. ${FIXES.secret_kind}`,
  ],
  rotated_secret: [
    `The given secret is from before a rotation: ${signedBy('shop Demo')}. Verify with the new secret.`,
    `The secret was rotated after signing: ${signedBy('shop Demo, before')}. Replay the event to get a new signature.`,
    `The secret was rotated after signing: ${signedBy('shop Demo, signing before')}. Sign with the new secret.`,
  ],
  wrong_secret: ['shop Demo', 'endpoint B', 'shop Demo, signing'].map(
    (label) => `The given secret is a different one: ${signedBy(label)}. ${FIXES.secret}`,
  ),
  tampered: [
    "The signature matches the event's stored bytes, so this body was changed after signing. Reject the webhook.",
    'v1= matches and v2= does not, so body and secret are correct but t= was changed after signing. Reject the webhook.',
  ],
  missing_timestamp_prefix: [`v2= signs the body without the timestamp. ${FIXES.timestamp_prefix}`],
  v1_for_v2: [
    `The header has v1= but no v2=. v1= matches the body, but does not prove the time. ${FIXES.v2}`,
    `The header has v1= but no v2=. v1= does not match the body either. ${FIXES.v2}`,
  ],
  crlf: [`The line endings were changed between LF and CRLF. ${FIXES.line_ends}`],
  bom: [`A byte order mark was added at the start of the body, or removed. ${FIXES.byte_order_mark}`],
  trailing_newline: [`A newline at the end of the body was added or removed. ${FIXES.last_newline}`],
  empty_body: [`The body is empty, which a webhook never is, so other code read it first. ${FIXES.body_once}`],
  parsed_body: [
    `This is not the received body, but the result of parsing it or converting it to text. ${FIXES.body_once}`,
  ],
  truncated_body: [`The end of the body is missing. ${FIXES.whole_body}`],
  reserialised: [`The body was parsed and serialized again. ${FIXES.raw_bytes}`],
  escaped_slash: [`Slashes were escaped as \\/, as PHP does, or unescaped. ${FIXES.slashes}`],
  milliseconds: [`The time is in milliseconds instead of seconds. ${FIXES.seconds}`],
  stale: [
    'The webhook was signed 300 s ago, more than the tolerance of 300 s. It is a replay, or this clock is ahead.',
  ],
  future: [
    'The webhook was signed 300 s ahead of this clock, more than the tolerance of 300 s. Synchronize the clock (NTP).',
  ],
  mismatch: ['the secret', 'the secret or with any of the 4 other secrets of this sandbox'].map(mismatch),
}
const seenCauses = new Set<string>()
function causeOf(input: Partial<ExplainInput>): string {
  const result = explain(input)
  if (result.valid) return 'valid'
  seenCauses.add(result.cause)
  if (result.cause !== 'malformed_header') expect(MESSAGES[result.cause]).toContain(result.message)
  return result.cause
}

describe('a valid signature', () => {
  test('is valid as v2 within the tolerance', () => {
    expect(explain({})).toEqual({
      valid: true,
      version: 'v2',
      message: 'The signature matches and its time is within the tolerance.',
    })
  })

  test('is valid as v1, with a note about replays', () => {
    expect(explain({ header: signWebhook({ body, secret, timestamp, version: 'v1' }), now: 0 })).toEqual({
      valid: true,
      version: 'v1',
      message: 'The v1 signature matches. It has no replay protection, so prefer v2.',
    })
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
    ['rotated_secret', { secrets: ['whs_unknown', 'whs_old'] }],
    ['wrong_secret', { secrets: ['thm_shop', 'whs_other'] }],
    ['mismatch', { secrets: ['thm_unknown', 'whs_unknown'], known: [] }],
    ['mismatch', { secrets: [], known: [] }],
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
  test.each([
    [undefined, 'The signature header is missing.'],
    ['nonsense', 'The header is malformed: "nonsense" is not name=value.'],
  ])('is explained as malformed for %j, with the expected form', (header, problem) => {
    expect(explain({ header })).toEqual({
      valid: false,
      cause: 'malformed_header',
      message: `${problem} ${WEBHOOK_FORM}`,
    })
    seenCauses.add('malformed_header')
  })

  test('is explained as v1_for_v2 with v1= alone, even if v1= does not match', () => {
    const v1Only = sign().replace(/,v2=.*/, '')
    const explained = (message: string | undefined) => ({ valid: false, cause: 'v1_for_v2', message })
    expect(explain({ header: v1Only })).toEqual(explained(MESSAGES.v1_for_v2[0]))
    expect(explain({ header: v1Only, rawBody: `${body} ` })).toEqual(explained(MESSAGES.v1_for_v2[1]))
    expect(causeOf({ header: v1Only, secrets: ['whs_unknown', secret] })).toBe('v1_for_v2')
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
    ['trailing_newline', `${pretty}\n\n`, pretty],
    ['trailing_newline', `${pretty}\n\n`, `${pretty}\n`],
    ['escaped_slash', php, body],
    ['escaped_slash', body, php],
    ['escaped_slash', '{"a":"\\\\/x\\/y"}', '{"a":"\\\\/x/y"}'],
    ['reserialised', pretty, body],
    ['reserialised', `${pretty}\n`, body],
    ['reserialised', ascii(php), body],
    ['reserialised', JSON.stringify({ created_at, data, event, id }), body],
    ['reserialised', body, pretty],
    ['reserialised', body, ascii(body)],
    ['reserialised', '{"a":[1,{"b":null}],"c":2}', '{"a": [1, {"b": null}], "c": 2}'],
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
    expect(causeOf({ rawBody: 'no json', header: sign({ body: 'another' }), storedBody: 'another' })).toBe('tampered')
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

  test('is explained even if it is 2 MiB long', () => {
    const large = JSON.stringify({ text: 'я'.repeat(2 ** 20) })
    expect(causeOf({ rawBody: `${large}\n`, header: sign({ body: large }) })).toBe('trailing_newline')
  })
})

describe('the signature of a request', () => {
  const request = { purpose: 'request', secrets: ['thm_shop'] } as const

  test.each([
    ['valid', { header: signRequest(body, 'thm_shop') }],
    ['valid', { header: signRequest(body, 'thm_shop'), secrets: [] }],
    ['rotated_secret', { header: signRequest(body, 'thm_old') }],
    ['wrong_secret_kind', { header: signRequest(body, 'thm_old'), secrets: [secret] }],
    ['wrong_secret_kind', { header: signRequest(body, secret) }],
    ['wrong_secret_kind', { header: signRequest(body, 'thm_shop'), secrets: [secret] }],
    ['wrong_secret_kind', { header: signRequest(body, 'thm_x'), secrets: ['whs_x'], known: [] }],
    ['wrong_secret', { header: signRequest(body, 'thm_shop'), secrets: ['thm_x'] }],
    ['wrong_secret', { header: signRequest(body, 'thm_shop'), secrets: ['custom'] }],
    ['trailing_newline', { header: signRequest(`${body}\n`, 'thm_shop') }],
    ['mismatch', { header: signRequest(body, 'thm_x') }],
    ['mismatch', { header: signRequest('', 'thm_x'), rawBody: '' }],
    ['mismatch', { header: signRequest('{}', 'thm_x'), rawBody: '{}' }],
  ] as const)('is explained as %s for %j', (expected, input) => {
    expect(causeOf({ ...request, ...input })).toBe(expected)
  })
})

test.each([
  [undefined, 'The signature header is missing.'],
  ['nonsense', 'The header is malformed: "nonsense" is not name=value.'],
  [sign(), 'This is the header of a webhook, not of a request.'],
])('the request header %j is explained as malformed, with the expected form', (header, problem) => {
  expect(explain({ purpose: 'request', header })).toEqual({
    valid: false,
    cause: 'malformed_header',
    message: `${problem} ${REQUEST_FORM}`,
  })
})

test('a valid request signature is explained as valid', () => {
  const input = { purpose: 'request', secrets: ['thm_shop'], header: signRequest(body, 'thm_shop') } as const
  expect(explain(input)).toEqual({ valid: true, version: 'v1', message: 'The request signature matches.' })
})

test.each([
  [[], 'the secret'],
  [['whs_y'], 'the secret'],
  [['whs_a'], 'the secret or with the other secret of this sandbox'],
  [['whs_a', 'whs_y', 'whs_b'], 'the secret or with any of the 2 other secrets of this sandbox'],
])('the message of a mismatch says how many of the secrets %j were tried', (others, tried) => {
  const known = others.map((secret) => ({ secret, kind: 'webhook', label: 'shop A' }) as const)
  const input = { rawBody: body, header: sign({ secret: 'whs_x' }), secrets: ['whs_y'] }
  expect(explainSignature(known.length === 0 ? input : { ...input, known })).toEqual({
    valid: false,
    cause: 'mismatch',
    message: mismatch(tried),
  })
})

test('each pair of changes is tried in one order only, because each candidate costs a hash of the body', () => {
  expect([...candidateBodies(Buffer.from('{"a":"/"}\r\n'))]).toHaveLength(77)
})

test('the tests of explainSignature cover every cause', () => {
  expect([...seenCauses].sort()).toEqual([...EXPLAINED_CAUSES].sort())
})
