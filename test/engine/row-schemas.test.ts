// The schemas of stored rows: the last valid value of each limit, and the first invalid one.
import { expect, test } from 'vitest'
import { TABLE_ROWS } from '../../src/engine/row-schemas.ts'
import { TABLE_NAMES, type TableName } from '../../src/engine/tables.ts'

const owned = { id: 'x1', merchant_id: 'm', shop_id: 's' }
const plan = { outcome: 'succeeded', decided_by: 'default' }
const counted = { id: 'r', created_at: 0, match: {}, matched: 0, applied: 0 }
const attempt = { number: 1, at: 0, sent_at: 0, ms: 0, request_headers: [['A', 'b']] }

/** A valid row of each table, with the required fields only. */
const ROWS: { readonly [T in TableName]: object } = {
  state: { id: 'clock', mode: 'frozen', speed: 1, virtual: 0, wall: 0 },
  merchants: { id: 'm', name: 'M', created_at: 0, live_enabled: false },
  shops: {
    id: 's',
    merchant_id: 'm',
    name: 'S',
    created_at: 0,
    signing_secret: 'thm_x',
    webhook_secret: 'whs_x',
    require_signature: false,
    ip_allow_list: [],
    payout_route: true,
    former_secrets: [],
  },
  keys: { ...owned, mode: 'test', hash: '0'.repeat(64), hint: 'sk_test_abc123', created_at: 0 },
  endpoints: {
    ...owned,
    url: 'http://x/',
    events: ['payment.failed'],
    signature: 'v2',
    active: true,
    created_at: 0,
    former_secrets: [],
  },
  payments: {
    ...owned,
    mode: 'test',
    order_id: 'A',
    amount: 1,
    amount_refunded: 0,
    amount_usdt: 0,
    currency: 'RUB',
    method: 'sbp',
    status: 'pending',
    created_at: 0,
    expires_at: 0,
    metadata: {},
    plan,
  },
  refunds: { ...owned, payment_id: 'p', amount: 1, status: 'pending', created_at: 0, plan },
  payouts: {
    ...owned,
    mode: 'live',
    amount: 1,
    currency: 'RUB',
    method: 'payouts_sbp',
    status: 'pending',
    fail_reason: '',
    recipient: { phone: '+79991234567', bank_id: '100000000111' },
    created_at: 0,
    plan,
  },
  idempotency: { id: 'm:test:k', fingerprint: 'f', object_id: 'p', expires_at: 0 },
  events: { ...owned, event: 'payment.failed', created_at: 0, object_id: 'p', body: '{"data":{}}' },
  deliveries: {
    ...owned,
    event_id: 'e',
    event: 'payment.failed',
    object_id: 'p',
    url: 'http://x/',
    status: 'waiting',
    created_at: 0,
    attempts: [attempt],
  },
  timers: { id: 'deliver:d', kind: 'deliver', object_id: 'd', due: 0, seq: 1 },
  rules: { ...counted, plan: 'failed' },
  faults: { ...counted, target: 'webhook', fault: 'drop' },
  imported_events: {
    id: `imp_${'a'.repeat(24)}`,
    event_id: 'evt',
    event: 'x',
    created_at: 0,
    received_at: 0,
    source: 'a.har',
    signature: 'missing',
    body: '{"data":{}}',
  },
}

/** Returns the path of the first issue, or `undefined` if the row is valid. */
function issueAt(table: TableName, row: object): string | undefined {
  const { error } = TABLE_ROWS[table].safeParse(row)
  return error === undefined ? undefined : (error.issues[0]?.path.join('.') ?? '')
}

test.each(TABLE_NAMES)('a row of %s needs each of its fields, and may have no other', (table) => {
  const row = ROWS[table]
  expect(issueAt(table, row)).toBeUndefined()
  expect(issueAt(table, { ...row, unknown: 1 })).toBe('')
  for (const field of Object.keys(row)) {
    const { [field as never]: _, ...rest } = row
    expect([field, issueAt(table, rest)]).not.toEqual([field, undefined])
  }
})

const wide = 'x'.repeat(200)
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

test.each<[table: TableName, field: string, accepted: readonly unknown[], refused: readonly unknown[]]>([
  ['state', 'speed', [0.001, 1_000_000], [0, -1, 1_000_001]],
  ['state', 'virtual', [0, LAST], [-1, 0.5, LAST + 1]],
  ['merchants', 'rate_limit', [0, 1_000_000], [-1, 1_000_001, 0.5]],
  ['merchants', 'name', ['x', wide], ['', `${wide}x`]],
  ['merchants', 'id', ['a', 'a.b', '...', wide], ['', '.', '..', 'a/b', 'a b', 'a\\b', 'a?', 'a#', 'a%', `${wide}x`]],
  ['shops', 'ip_allow_list', [['::1'], Array(1000).fill('::1')], [['x'], Array(1001).fill('::1')]],
  ['shops', 'former_signing_secrets', [['a']], [[1], 'a']],
  ['keys', 'hash', ['a'.repeat(64)], ['a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64)]],
  ['keys', 'hint', ['sk_live_ABC123'], ['sk_live_ABC12', 'sk_live_ABC1234', 'sk_prod_ABC123', 'xsk_test_abc123']],
  ['endpoints', 'url', ['https://x/'], ['x', 'ftp://x/', 'http://a:b@x/', '']],
  ['endpoints', 'events', [[]], [['payment.none']]],
  ['payments', 'amount', [Number.MAX_SAFE_INTEGER], [0, 0.5, Number.MAX_SAFE_INTEGER + 1]],
  ['payments', 'amount_refunded', [0], [-1]],
  ['payments', 'currency', ['KZT'], ['rub', 'XXX1']],
  ['payments', 'return_url', ['https://x/', undefined], ['x']],
  ['payments', 'metadata', [{ a: '' }], [{ a: 1 }, [], null, 'x']],
  ['payments', 'description', ['x', undefined], ['']],
  ['refunds', 'reason', ['x'], ['']],
  ['idempotency', 'fingerprint', [wide], ['', `${wide}x`, 'a\n']],
  ['events', 'id', ['evt-1'], ['évt…']],
  ['events', 'body', ['{"data":null}'], ['{}', '{"data":1}', '[]', 'null', '1', '{']],
  ['deliveries', 'url', ['https://x/'], ['x', 'a\nb']],
  ['deliveries', 'attempts', [[], [{ ...attempt, copies: [{ sent_at: 0, ms: 0 }] }]], []],
  ['timers', 'kind', ['settle_refund'], ['link_timeout']],
  ['rules', 'plan', [['failed'], Array(1000).fill('failed')], ['fail', [], Array(1001).fill('failed')]],
  ['rules', 'match', [{ amount: 5, order_id: 'a' }], [[], null, 'x', { amount: Number.NaN }, { color: 'red' }]],
  ['rules', 'times', [0], [-1]],
  ['rules', 'every', [1], [0]],
  ['faults', 'match', [{ event: 'payment.*' }], [{ color: 'red' }, { method: 'sbp' }]],
  ['faults', 'probability', [0, 1], [-0.1, 1.1]],
  ['imported_events', 'id', [`imp_${'0'.repeat(24)}`], [`imp_${'0'.repeat(23)}`, `imp_${'0'.repeat(25)}`]],
  ['imported_events', 'body', ['{"data":{}}'], ['{}', '{']],
])('a row of %s has a valid %s up to each limit', (table, field, accepted, refused) => {
  const valueIssue = (value: unknown) => issueAt(table, { ...ROWS[table], [field]: value })
  for (const value of accepted) expect([value, valueIssue(value)]).toEqual([value, undefined])
  for (const value of refused) {
    expect([value, valueIssue(value)?.split('.')[0]]).toEqual([value, field])
  }
})

test.each([
  [{ outcome: 'failed', code: 'card_lost' }, true],
  [{ outcome: 'failed', code: 'card_lost', delay: 0, refunds: 'pending' }, true],
  [{ outcome: 'failed' }, false],
  [{ outcome: 'failed', code: 'none' }, false],
  [{ outcome: 'succeeded', code: 'card_lost' }, false],
  [{ outcome: 'other' }, false],
  [{ outcome: 'pending', delay: -1 }, false],
])('a stored plan %j is valid: %s', (given, isValid) => {
  const row = { ...ROWS.refunds, plan: { ...given, decided_by: 'rule' } }
  expect(issueAt('refunds', row) === undefined).toBe(isValid)
})

test('a listener may have any URL, and so may a delivery whose endpoint is not known', () => {
  expect(issueAt('endpoints', { ...ROWS.endpoints, url: 'x', listener: true })).toBeUndefined()
  expect(issueAt('deliveries', { ...ROWS.deliveries, url: 'x', endpoint_id: 'we' })).toBeUndefined()
})

test('a stored fault belongs to its target', () => {
  expect(issueAt('faults', { ...ROWS.faults, target: 'api' })).toBe('')
  expect(issueAt('faults', { ...ROWS.faults, target: 'api', fault: 'cut' })).toBeUndefined()
})

test('a stored setting is one object of values', () => {
  expect(issueAt('state', { id: 'settings', values: {} })).toBeUndefined()
  for (const values of [[], null, 'x']) expect(issueAt('state', { id: 'settings', values })).toBe('values')
  expect(issueAt('state', { id: 'other' })).toBe('id')
})
