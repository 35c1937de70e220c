// How the lists of the API and the rows of the stream are merged.
import { describe, expect, test } from 'vitest'
import { type Lists, mergeLists } from '../../src/view-model/rows/merge-lists.ts'
import { NO_ROWS, type PayoutRow, ROW_LIMITS, type Tables } from '../../src/view-model/rows/rows.ts'
import { healthText, isFailing } from '../../src/view-model/rows/webhook-health.ts'
import { createPayout } from '../tui/fixtures.ts'

const row = (id: string, lastMessageId: number, amount = 1): PayoutRow => ({
  id,
  payout: createPayout(id, { amount }),
  steps: [{ at: 'T', label: id }],
  lastMessageId,
})

const known = (...rows: PayoutRow[]): Tables => ({ ...NO_ROWS, payouts: new Map(rows.map((each) => [each.id, each])) })

const merged = (before: Tables, ids: readonly string[], more: Partial<Lists> = {}) => {
  const payouts = ids.map((id) => createPayout(id, { amount: 2 }))
  const tables = mergeLists(before, { payouts, lastMessageId: 5, ...more })
  return [...tables.payouts.values()].map(({ id, payout, steps, lastMessageId }) => [
    id,
    payout.amount,
    steps.length,
    lastMessageId,
  ])
}

describe('a list that is merged into the rows', () => {
  test('is newest first, and its rows are oldest first', () => {
    expect(merged(NO_ROWS, ['b', 'a'])).toEqual([
      ['a', 2, 0, 5],
      ['b', 2, 0, 5],
    ])
  })

  test('replaces an older row and keeps its steps, but not a row that the stream changed later', () => {
    expect(merged(known(row('a', 5), row('b', 6)), ['b', 'a'])).toEqual([
      ['a', 2, 1, 5],
      ['b', 1, 1, 6],
    ])
  })

  test('a complete list removes other rows, except those that the stream added later', () => {
    expect(merged(known(row('gone', 5), row('new', 6)), ['a'])).toEqual([
      ['a', 2, 0, 5],
      ['new', 1, 1, 6],
    ])
  })

  test('a part of a list keeps older rows in front of the rows of the part', () => {
    expect(merged(known(row('old', 5)), ['a'], { complete: false })).toEqual([
      ['old', 1, 1, 5],
      ['a', 2, 0, 5],
    ])
  })

  test('a list that is as long as the table may not have every row, so older rows stay until the limit', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, n) => `p${n}`)
    const before = known(row('old', 5))
    expect(merged(before, ids(ROW_LIMITS.payouts - 1))).toHaveLength(ROW_LIMITS.payouts - 1)
    const full = merged(before, ids(ROW_LIMITS.payouts))
    expect([full.length, full.some(([id]) => id === 'old')]).toEqual([ROW_LIMITS.payouts, false])
  })

  test('a list of another server replaces all rows except the stream', () => {
    const before = { ...known(row('new', 9)), stream: NO_ROWS.stream }
    const after = mergeLists(before, { lastMessageId: 5, fromNewServer: true })
    expect([after.payouts.size, after.stream]).toEqual([0, before.stream])
    expect(mergeLists(before, { lastMessageId: 5 }).payouts).toBe(before.payouts)
  })

  test('a list of requests has no bodies', () => {
    const request = { id: 7, method: 'GET', request: { body: 'a' }, response: { body: 'b' } }
    const { requests } = mergeLists(NO_ROWS, { requests: [request as never], lastMessageId: 5 })
    expect([...requests.values()]).toEqual([{ id: '7', request: { id: 7, method: 'GET' }, lastMessageId: 5 }])
  })
})

describe('a delivery', () => {
  const delivery = (fields: object) =>
    ({ edited: false, status: 'waiting', attemptsMade: 1, lastAttempt: { status: 500 }, ...fields }) as never

  test.each([
    [{}, true, '500'],
    [{ next_attempt_at: 'T' }, true, '500, retry in T'],
    [{ lastAttempt: undefined }, true, 'error'],
    [{ lastAttempt: { status: null, error: 'closed' } }, true, 'error'],
    [{ lastAttempt: { status: 299 } }, false, 'waiting'],
    [{ lastAttempt: { status: 300 } }, true, '300'],
    [{ lastAttempt: { status: 200, error: 'received late' } }, true, 'error'],
    [{ attemptsMade: 0 }, false, 'waiting'],
    [{ edited: true }, false, 'waiting'],
    [{ status: 'exhausted' }, true, '500, gave up'],
    [{ status: 'exhausted', edited: true }, false, 'exhausted'],
    [{ status: 'cancelled' }, false, 'cancelled'],
    [{ status: 'delivered', lastAttempt: { status: 200 } }, false, '200'],
    [{ status: 'delivered' }, false, 'delivered'],
    [{ status: 'delivered', lastAttempt: { status: null, error: 'closed' } }, false, 'delivered'],
    [{ status: 'delivered', lastAttempt: undefined }, false, 'delivered'],
  ])('with %j is failing: %s, and its text is %j', (fields, fails, text) => {
    expect(isFailing(delivery(fields))).toBe(fails)
    expect(healthText(delivery(fields), (instant) => `in ${instant}`)).toBe(text)
  })
})
