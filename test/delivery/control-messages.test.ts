// The messages of the control API's stream for each kind of commit, as whole objects.
import { expect, test } from 'vitest'
import { type ControlEntry, entriesOf, entrySize, presentEntry } from '../../src/delivery/control-messages.ts'
import type { SandboxTime } from '../../src/domain/time.ts'
import { rowSize } from '../../src/engine/batch-size.ts'
import type { Commit } from '../../src/engine/commit.ts'
import type { World } from '../../src/engine/world.ts'

const AT = Date.UTC(2026, 4, 6, 12) as SandboxTime
const ISO = '2026-05-06T12:00:00.000Z'
const payment = (more: object = {}) => ({ id: 'p', shop_id: 's', status: 'pending', amount_refunded: 0, ...more })
const refund = { id: 'r', payment_id: 'p', shop_id: 's', status: 'failed' }
const delivery = { id: 'd', attempts: [] }

/** A world with one refund of each payment, or with none. */
const world = (refunds = 1) =>
  ({ size: () => refunds, find: (...asked: string[]) => [`refunds of ${asked.join(' ')}`] }) as unknown as World
const KNOWN = ['refunds of refunds by_payment p']

type Change = [table: string, row: object]

function entries(puts: Change[], stream: object[] = [], command = 'x', rows = world(), clear: string[] = []) {
  const commit = { clear, deletes: [], puts: puts.map(([table, row]) => ({ table, row })), stream, reply: null }
  return entriesOf(commit as unknown as Commit, command, AT, rows)
}

const message = (kind: string, payload: object) => ({ kind, payload })
const updated = (row: object, refunds: unknown[]) => ({ kind: 'payment', at: AT, row, refunds, change: 'updated' })

test('a commit that clears a table has one message, whatever else it contains', () => {
  const streamed = message('payment.created', { id: 'p', status: 'pending' })
  expect(entries([['payments', payment()]], [streamed], 'reset', world(), ['rules'])).toEqual([
    { kind: 'reset', at: AT, command: 'reset' },
  ])
})

test('a message of the public stream refers to the last row with its id', () => {
  const [first, last] = [payment({ n: 1 }), payment({ n: 2 })]
  const created = message('payment.created', { id: 'p', status: 'pending' })
  const moved = message('payment.status_changed', { id: 'p', status: 'failed', previous_status: 'pending' })
  const unknown = message('payment.created', { id: 'other', status: 'pending' })
  const shown = { kind: 'payment', at: AT, row: last, refunds: [] }
  expect(
    entries(
      [
        ['payments', first],
        ['rules', { id: 'q' }],
        ['payments', last],
      ],
      [created, moved, unknown],
    ),
  ).toEqual([
    { ...shown, change: 'created', status: 'pending', previous_status: undefined },
    { ...shown, change: 'status_changed', status: 'failed', previous_status: 'pending' },
  ])
})

test.each([
  ['refunds', 'refund'],
  ['payouts', 'payout'],
])('a new row of %s has one message', (table, kind) => {
  const row = { id: 'r', shop_id: 's', status: 'pending' }
  expect(entries([[table, row]], [message(`${kind}.created`, { id: 'r', status: 'pending' })])).toEqual([
    { kind, at: AT, row, change: 'created', status: 'pending', previous_status: undefined },
  ])
})

test('rows without a message of the public stream have one according to their table', () => {
  const clock = { id: 'clock', mode: 'scaled', speed: 60, virtual: AT }
  const puts: Change[] = [
    ['timers', { id: 'deliver:d' }],
    ['events', { id: 'e' }],
    ['deliveries', delivery],
    ['state', { id: 'settings' }],
    ['state', clock],
    ['payments', payment()],
    ['refunds', refund],
    ['rules', { id: 'q' }],
    ['payouts', { id: 'o' }],
  ]
  expect(entries(puts)).toEqual([
    { kind: 'event', at: AT, row: { id: 'e' } },
    { kind: 'delivery', at: AT, summary: expect.objectContaining({ id: 'd' }) },
    { kind: 'clock', at: AT, row: clock },
    { ...updated(payment(), []), status: 'pending' },
    { kind: 'refund', at: AT, row: refund, change: 'status_changed', status: 'failed', previous_status: 'pending' },
  ])
  expect(entries([['deliveries', delivery]], [], 'record_attempt')).toMatchObject([{ kind: 'attempt' }])
})

test.each([
  ['pending', 0, 1, []],
  ['succeeded', 0, 1, KNOWN],
  ['refunded', 1, 1, KNOWN],
  ['succeeded', 1, 0, []],
])('a %s payment with %i refunded, in a world with %i refunds, has the refunds %j', (status, sum, size, refunds) => {
  const row = payment({ status, amount_refunded: sum })
  expect(entries([['payments', row]], [], 'x', world(size))).toEqual([{ ...updated(row, refunds), status }])
  const moved = message('payment.status_changed', { id: 'p', status })
  expect(entries([['payments', row]], [moved], 'x', world(size))).toMatchObject([{ refunds }])
})

const SETTINGS = { webhook_retries: [], time_fraction: 3 }

function rendered(entry: object, rows: object = {}) {
  const shown = { settings: SETTINGS, get: (table: string) => rows[table as never] } as unknown as World
  const mask = (request: object) => ({ masked: request })
  return presentEntry({ at: AT, ...entry } as unknown as ControlEntry, shown, mask)
}

test('a message without its shop has no object', () => {
  const common = { shop_id: 's', mode: 'test' }
  const row = { ...payment(), mode: 'test' }
  const change = { change: 'status_changed', status: 'failed', previous_status: 'pending' }
  for (const kind of ['payment', 'payout'] as const) {
    expect(rendered({ kind, row, refunds: [], ...change })).toEqual({
      kind,
      at: ISO,
      ...common,
      ...change,
      [kind]: undefined,
    })
  }
})

test('each kind of message has its record under its name', () => {
  expect(rendered({ kind: 'reset', command: 'import_state' })).toEqual({
    kind: 'reset',
    at: ISO,
    command: 'import_state',
  })
  expect(rendered({ kind: 'request', request: { n: 1 } })).toEqual({
    kind: 'request',
    at: ISO,
    request: { masked: { n: 1 } },
  })
  expect(rendered({ kind: 'clock', row: { mode: 'frozen', speed: 1, virtual: AT, wall: 0 } })).toEqual({
    kind: 'clock',
    at: ISO,
    clock: { mode: 'frozen', speed: 1, now: ISO },
  })
  const event = { id: 'e', event: 'payment.succeeded', shop_id: 's', object_id: 'p' }
  const row = { ...event, merchant_id: 'm', created_at: AT, body: '{"id":"e","data":{"id":"p"}}' }
  expect(rendered({ kind: 'event', row })).toEqual({
    kind: 'event',
    at: ISO,
    shop_id: 's',
    event: { ...event, created_at: ISO, data: { id: 'p' } },
  })
  const change = { change: 'created', status: 'failed' }
  expect(rendered({ kind: 'refund', row: { ...refund, amount: 5, created_at: AT }, ...change })).toMatchObject({
    kind: 'refund',
    at: ISO,
    shop_id: 's',
    ...change,
    refund: { id: 'r', status: 'failed', amount: 5 },
  })
  const attempt = { number: 1, at: AT, sent_at: AT, ms: 5, status: 500, error: 'why', fault: undefined }
  const summary = { id: 'd', shop_id: 's', status: 'waiting', attempts_made: 1, attempt }
  const shown = { at: ISO, shop_id: 's', delivery: expect.objectContaining({ id: 'd', attempts_made: 1 }) }
  expect(rendered({ kind: 'delivery', summary })).toEqual({ kind: 'delivery', ...shown })
  const shownAttempt = { number: 1, at: ISO, sent_at: ISO, ms: 5, status: 500, error: 'why', fault: undefined }
  expect(rendered({ kind: 'attempt', summary })).toEqual({ kind: 'attempt', ...shown, attempt: shownAttempt })
})

test("the size of an entry is that of its rows, of its payment's texts, of the body of its event, or a small one", () => {
  const row = { id: 'p', description: 'x'.repeat(700) }
  const size = (entry: object) => entrySize(entry as ControlEntry)
  const texts = ['order_id', 'customer_id', 'return_url', 'webhook_url', 'description']
  for (const [i, name] of texts.entries()) {
    const payment = { metadata: { a: 'y'.repeat(5000) }, [name]: 'x'.repeat(10_000 + i) }
    expect(size({ kind: 'payment', row: payment, refunds: [] })).toBe(
      1000 + rowSize(Object.values(payment)) + 16 * (texts.length - 1),
    )
  }
  expect(size({ kind: 'payment', row, refunds: [refund, refund] })).toBe(1000 + 700 + 16 * 6 + 2 * rowSize(refund))
  expect(['refund', 'payout'].map((kind) => size({ kind, row }))).toEqual([rowSize(row), rowSize(row)])
  expect(size({ kind: 'event', row: { body: 'x'.repeat(900) } })).toBe(900)
  for (const kind of ['delivery', 'attempt', 'clock', 'reset', 'request']) expect(size({ kind, row })).toBe(500)
})
