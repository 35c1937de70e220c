// The whole text of each message in src/domain, with the condition that produces it.
import { expect, test } from 'vitest'
import { type ClockDistance, clockDistance, clockVerb, describeRealClock } from '../../src/domain/clock-description.ts'
import { API_ERRORS, RefusalError, refuse } from '../../src/domain/errors.ts'
import { eventFieldIssue } from '../../src/domain/event-fields.ts'
import { exampleOf, explainInvalidFault, parseFault } from '../../src/domain/fault-syntax.ts'
import { canCombine, FAULT_TARGETS, type FaultTarget } from '../../src/domain/faults.ts'
import { encodingError, isIncompleteObject, jsonSyntaxError } from '../../src/domain/json-syntax-error.ts'
import { faultMatchIssue, ruleMatchIssue } from '../../src/domain/match-fields.ts'
import { metadataWarnings } from '../../src/domain/metadata.ts'
import { FIXES, fixForStatus } from '../../src/domain/remediation.ts'
import { returnUrlIssue } from '../../src/domain/return-url.ts'
import { secretFormat, secretIssue } from '../../src/domain/secrets.ts'

test.each<[mode: 'real' | 'frozen' | 'scaled', ms: number, distance: ClockDistance | undefined, verb: string]>([
  ['real', 0, undefined, 'is real'],
  ['real', 1999, undefined, 'is real'],
  ['real', -1999, undefined, 'is real'],
  ['real', Number.NaN, undefined, 'is real'],
  ['real', 2000, { span: '2 s', side: 'ahead' }, 'is real, 2 s ahead of this machine'],
  ['real', -2000, { span: '2 s', side: 'behind' }, 'is real, 2 s behind this machine'],
  ['frozen', 9000, undefined, 'is frozen'],
  ['scaled', 9000, undefined, 'runs 60 times as fast'],
])('a %s clock that is %d ms ahead is described', (mode, ms, distance, verb) => {
  const clock = { mode, speed: 60 }
  expect(clockDistance(clock, ms, 0)).toEqual(distance)
  expect(clockVerb(clock, ms, 0)).toBe(verb)
  if (mode === 'real') expect(`is ${describeRealClock(distance)}`).toBe(verb)
})

test('a refusal has the status and message of its code, and at most 2000 characters', () => {
  const plain = refuse('not_pending')
  expect({ ...plain, message: plain.message }).toEqual({
    name: 'RefusalError',
    code: 'not_pending',
    status: 409,
    message: API_ERRORS.not_pending.message,
    headers: {},
    decided_by: undefined,
  })
  expect(new RefusalError('rate_limited', 'x', { 'Retry-After': '1' }, 'rule r')).toMatchObject({
    status: 429,
    message: 'x',
    headers: { 'Retry-After': '1' },
    decided_by: 'rule r',
  })
  expect(refuse('bad_request', 'x'.repeat(2000)).message).toBe('x'.repeat(2000))
  expect(refuse('bad_request', 'x'.repeat(2001)).message).toBe(`${'x'.repeat(1999)}…`)
  expect(refuse('bad_request', `${'x'.repeat(1998)}💥💥`).message).toBe(`${'x'.repeat(1998)}…`)
})

test.each<[target: FaultTarget, text: string, result: object | string]>([
  ['api', 'cut', { name: 'cut' }],
  ['api', 'latency:2s', { name: 'latency', value: 2000 }],
  ['api', 'status:400', { name: 'status', value: 400 }],
  ['api', 'status:599', { name: 'status', value: 599 }],
  ['webhook', 'duplicate:1', { name: 'duplicate', value: 1 }],
  ['webhook', 'duplicate:9999', { name: 'duplicate', value: 9999 }],
  ['redirect', 'delay:1m', { name: 'delay', value: 60_000 }],
  ['api', 'cut:1', '"cut:1": cut takes no value.'],
  ['api', 'cut:', '"cut:": cut takes no value.'],
  ['api', 'latency', '"latency": latency takes a duration of at most 36500d, as in latency:2s.'],
  ['api', 'latency:', '"latency:": latency takes a duration of at most 36500d, as in latency:2s.'],
  ...['399', '600', '4000', 'x'].map(
    (value) =>
      ['api', `status:${value}`, `"status:${value}": status takes a status from 400 to 599, as in status:503.`] as [
        FaultTarget,
        string,
        string,
      ],
  ),
  ...['0', '10000', '-1', '01'].map(
    (value) =>
      [
        'webhook',
        `duplicate:${value}`,
        `"duplicate:${value}": duplicate takes a number from 1 to 9999, as in duplicate:2.`,
      ] as [FaultTarget, string, string],
  ),
  ['redirect', 'cut', '"cut" is not a fault of redirect. The faults are delay:2s, drop.'],
  ['stream', 'x'.repeat(81), `"${'x'.repeat(79)}…" is not a fault of stream. The faults are drop, disconnect, stall.`],
])('the fault of %s %j is parsed or explained', (target, text, result) => {
  const parsed = parseFault(target, text)
  expect(parsed ?? explainInvalidFault(target, text)).toEqual(result)
})

test('faults that exclude each other cannot be combined, in either order', () => {
  const excluded = (target: FaultTarget) =>
    FAULT_TARGETS[target].flatMap((a, at) =>
      FAULT_TARGETS[target].slice(at).flatMap((b) => {
        expect(canCombine(target, a, b)).toBe(canCombine(target, b, a))
        return canCombine(target, a, b) || a === b ? [] : [`${a}+${b}`]
      }),
    )
  for (const target of Object.keys(FAULT_TARGETS) as FaultTarget[])
    for (const name of FAULT_TARGETS[target]) expect(canCombine(target, name, name)).toBe(false)
  expect(excluded('api')).toEqual(['late_response+status', 'status+reset', 'status+cut', 'reset+cut'])
  expect(excluded('stream')).toEqual(['drop+disconnect'])
  expect(excluded('redirect')).toEqual([])
  expect(excluded('webhook').filter((pair) => !pair.includes('drop'))).toEqual([
    'wrong_secret+unsigned',
    'stale+future',
    'v1_only+unsigned',
  ])
  expect(excluded('webhook')).toHaveLength(3 + 11)
  expect(exampleOf('webhook', 'delay')).toBe('delay:2s')
})

const MONEY_METHODS = 'sbp, cards, tpay, sberpay, recurrent, any, payouts_sbp'
test.each([
  [{}, undefined],
  [{ amount: 100, 'metadata.cart': 'x' }, undefined],
  [{ method: 'sb*' }, undefined],
  [{ operation: '*' }, undefined],
  [
    { metadata: 'x' },
    'metadata: unknown field. The fields are operation, amount, method, payment_method, currency, order_id, customer_id, phone, bank_id, description, shop_id, metadata.<name>.',
  ],
  [{ amount: 1, method: 'card' }, `method: "card" is not one of its values. The values are ${MONEY_METHODS}.`],
  [
    { payment_method: 'x'.repeat(81) },
    `payment_method: "${'x'.repeat(79)}…" is not one of its values. The values are ${MONEY_METHODS}.`,
  ],
  [
    { operation: 'payments' },
    'operation: "payments" is not one of its values. The values are payment, refund, payout.',
  ],
])('the match %j of a rule is checked', (match, issue) => {
  expect(ruleMatchIssue(match)).toBe(issue)
})

test.each<[target: FaultTarget, match: Record<string, string | number>, issue: string | undefined]>([
  ['api', { method: 'POST' }, undefined],
  ['api', { method: '*' }, undefined],
  ['api', { method: '*s' }, undefined],
  ...['cards', 'payouts_sbp', 'sbp', 'any'].map(
    (method) =>
      [
        'api',
        { method },
        `method: "${method}" is a payment method. In faults, method is the HTTP method. Use payment_method instead.`,
      ] as [FaultTarget, Record<string, string>, string],
  ),
  ['webhook', { event: 'payment.*', status: 'paid' }, statusIssue()],
  ['api', { status: 'paid' }, statusIssue()],
  [
    'stream',
    { kind: 'comments' },
    expect.stringMatching(/^kind: "comments" is not one of its values\. The values are /),
  ],
  [
    'redirect',
    { payment_method: 'payouts_sbp' },
    'payment_method: "payouts_sbp" is not one of its values. The values are sbp, cards, tpay, sberpay, recurrent, any.',
  ],
  ['webhook', { operation: 'x' }, 'operation: "x" is not one of its values. The values are payment, refund, payout.'],
])('the match of a fault of %s %j is checked', (target, match, issue) => {
  expect(faultMatchIssue(target, match)).toEqual(issue)
})

function statusIssue(): string {
  return 'status: "paid" is not one of its values. The values are pending, processing, succeeded, failed, expired, cancelled, refunded.'
}

test('metadata above the recommended size has a warning for pairs and one for values', () => {
  const pairs = (count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value]))
  expect(metadataWarnings(pairs(20, 'x'.repeat(500)))).toEqual([])
  expect(metadataWarnings(pairs(1, '💥'.repeat(500)))).toEqual([])
  expect(metadataWarnings(pairs(21, 'x'))).toEqual([
    'metadata has 21 pairs. Use at most 20, because other gateways reject more.',
  ])
  expect(metadataWarnings(pairs(5, 'x'.repeat(501)))).toEqual([
    'metadata values over 500 characters: "k0", "k1", "k2", "k3", "k4". Shorten them.',
  ])
  expect(metadataWarnings({ ...pairs(6, 'x'.repeat(501)), short: 'x' })).toEqual([
    'metadata values over 500 characters: "k0", "k1", "k2", "k3", "k4" and 1 more. Shorten them.',
  ])
  expect(metadataWarnings({ ['k'.repeat(81)]: 'x'.repeat(501), ...pairs(20, 'x') })).toEqual([
    'metadata has 21 pairs. Use at most 20, because other gateways reject more.',
    `metadata values over 500 characters: "${'k'.repeat(79)}…". Shorten them.`,
  ])
})

test.each<[name: 'signing_secret' | 'webhook_secret', text: string, issue: string | undefined]>([
  ['signing_secret', 'thm_x', undefined],
  ['webhook_secret', 'whs_~!', undefined],
  ['webhook_secret', `whs_${'x'.repeat(200)}`, undefined],
  ['webhook_secret', `whs_${'x'.repeat(201)}`, 'expected whs_ and at least one visible character.'],
  ['webhook_secret', 'whs_', 'expected whs_ and at least one visible character.'],
  ['signing_secret', 'xthm_x', 'expected thm_ and at least one visible character.'],
  ['signing_secret', 'thm_x y', 'expected thm_ and at least one visible character.'],
  [
    'signing_secret',
    'whs_x',
    'a whs_ secret signs webhooks. Use a secret that begins with thm_, which signs requests.',
  ],
  [
    'webhook_secret',
    'thm_x',
    'a thm_ secret signs requests. Use a secret that begins with whs_, which signs webhooks.',
  ],
])('the %s %j is checked', (name, text, issue) => {
  expect(secretIssue(name, text)).toBe(issue)
  expect(secretFormat(name)).toBe(`${name === 'signing_secret' ? 'thm_' : 'whs_'} and at least one visible character`)
})

test.each([
  ['https://shop.example/', true, undefined],
  ['http://localhost:3000/', true, undefined],
  [
    'http://localhost:3000/',
    false,
    'return_url must start with https://. To allow http on this machine, run `psp settings set http_return_url=true`.',
  ],
  ['http://shop.example/', false, 'return_url must start with https://.'],
  [
    'http://shop.example/',
    true,
    'return_url must start with https://, or with http:// and a host of this machine such as localhost.',
  ],
  ['/thanks', false, 'return_url must be an absolute URL that starts with https://.'],
  [
    '/thanks',
    true,
    'return_url must be an absolute URL that starts with https://, or with http:// and a host of this machine such as localhost.',
  ],
  ['https://user:secret@shop.example/', true, expect.stringMatching(/^return_url must be .+\.$/)],
])('the return_url %j is checked (http on this machine is allowed: %s)', (text, allowLoopbackHttp, issue) => {
  expect(returnUrlIssue(text, { allowLoopbackHttp })).toEqual(issue)
})

test.each([
  [199, 'Only a 2xx counts as delivered.'],
  [299, 'Only a 2xx counts as delivered.'],
  [300, 'The service does not follow redirects. Give the final URL.'],
  [399, 'The service does not follow redirects. Give the final URL.'],
  [400, `${FIXES.raw_bytes} ${FIXES.secret}`],
  [402, 'Only a 2xx counts as delivered.'],
  [404, 'The receiver has no such path. Check the URL.'],
  [499, 'Only a 2xx counts as delivered.'],
  [500, 'The receiver failed with an internal error. See its log.'],
  [505, 'psp sends webhooks over HTTP/1.1. Accept HTTP/1.1 on this port.'],
  [599, 'The receiver failed with an internal error. See its log.'],
])('the fix for the status %d is %j', (status, fix) => {
  expect(fixForStatus(status)).toBe(fix)
})

test.each([
  [Buffer.from('{"a":"ж"}'), undefined],
  [Buffer.from(''), undefined],
  [Buffer.from([0]), undefined],
  [Buffer.from([0, 0]), undefined],
  [Buffer.from('\ufeff{}', 'utf16le'), utf16()],
  [Buffer.from([0xfe, 0xff, 0x00, 0x7b]), utf16()],
  [Buffer.from('{}', 'utf16le'), utf16()],
  [Buffer.from([0x00, 0x7b]), utf16()],
  [
    Buffer.from('\ufeff{}'),
    {
      line: 1,
      column: 1,
      found: 'a byte order mark first',
      wanted: 'UTF-8 without BOM',
      why: 'it begins with a byte order mark: save it as UTF-8 without BOM',
    },
  ],
  [Buffer.from([0xef, 0xbb, 0x7b]), notUtf8(1, 1)],
  [Buffer.from([0x7b, 0xff]), notUtf8(1, 2)],
  [Buffer.concat([Buffer.from('ж\n'), Buffer.from([0x61, 0x62, 0xff, 0x0a, 0x7b])]), notUtf8(2, 3)],
])('the encoding of %j is checked', (bytes, error) => {
  expect(encodingError(bytes)).toEqual(error)
})

function utf16() {
  return { line: 1, column: 1, found: 'UTF-16', wanted: 'UTF-8', why: 'it is UTF-16: save it as UTF-8' }
}

function notUtf8(line: number, column: number) {
  const why = 'it has bytes that are not UTF-8: save it as UTF-8'
  return { line, column, found: 'bytes that are not UTF-8', wanted: 'UTF-8', why }
}

test.each([
  ['{"a":}', 1, 6],
  ['{\n  "a": x\n}', 2, 8],
  ['{"a":1,}', 1, 8],
  ['{"a":1', 1, 7],
  ['{"a":1\n\n', 1, 7],
  ['x', 1, 1],
  ['', 1, 1],
  ['{"a":"b\n"}', 1, 8],
  ['[1 2]', 1, 4],
])('the syntax error in %j is in line %d, column %d', (text, line, column) => {
  expect(jsonSyntaxError(text)).toEqual({ line, column, why: expect.stringMatching(/^\S[^\n]+\S$/) })
})

test.each([
  ['{', true],
  [' {"a":[1,', true],
  ['{"a":"x', true],
  ['{"a":1', true],
  ['{}', false],
  ['{"a":}', false],
  ['[1,', false],
  ['', false],
])('the text %j is an object whose end is missing: %s', (text, incomplete) => {
  expect(isIncompleteObject(text)).toBe(incomplete)
})

test.each([
  ['amount', ['payment.failed'], undefined],
  ['data.amount', ['payment.failed'], undefined],
  ['metadata.cart', ['payment.failed'], undefined],
  ['recipient.phone', ['payout.failed'], undefined],
  ['recipient', ['payout.failed'], undefined],
  ['refunds.0', ['payment.failed'], undefined],
])('the name %s is a field of %j', (field, events, issue) => {
  expect(eventFieldIssue(field, events)).toBe(issue)
})

test.each([
  ['amuont', ['payment.failed'], '"amuont". Did you mean amount?', 'metadata.cart'],
  ['amount.x', ['payment.failed'], expect.anything(), 'metadata.cart'],
  ['recipient.phone', ['payment.failed'], '"recipient.phone".', 'metadata.cart'],
  ['recipient.x', ['payout.failed'], expect.anything(), 'recipient.phone'],
  ['phone', ['payout.failed'], '"phone". Did you mean recipient.phone?', 'recipient.phone'],
  ['q'.repeat(81), ['payout.failed'], `"${'q'.repeat(79)}…".`, 'recipient.phone'],
])('the unknown field %s of %j is explained', (field, events, start, example) => {
  const [, named, fields, nested] =
    /^These events have no field (.+?) Their fields are: (.+)\. Separate nested fields with dots, as in (.+)\.$/.exec(
      eventFieldIssue(field, events) ?? '',
    ) ?? []
  expect([named, nested]).toEqual([start, example])
  expect(fields?.startsWith('id, event, created_at, shop_id, object_id, merchant_id')).toBe(true)
})
