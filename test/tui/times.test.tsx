import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it, test } from 'vitest'
import { shortenPath } from '../../src/tui/panes/shorten-path.ts'
import type { State } from '../../src/tui/state/state.ts'
import { batch, keys, paymentTold, played, start, withPayments } from './fixtures.ts'
import { drawn } from './render-frame.tsx'

const plain = (state: State) => stripVTControlCharacters(drawn(state))

describe('times', () => {
  const request = (id: number, sandbox_at: string) => ({
    kind: 'request' as const,
    at: sandbox_at,
    request: {
      id,
      at: '2031-01-01T00:00:00.000Z',
      sandbox_at,
      method: 'GET',
      path: '/v1/public/banks',
      status: 200,
      ms: 1,
    },
  })
  const clockAt = (now: string) =>
    ({ type: 'clock', clock: { mode: 'frozen', now, speed: 1, next_due: null }, now: 0 }) as const
  const seen = (now: string, pane: string, ...instants: readonly string[]) =>
    plain(played(start(), clockAt(now), batch(...instants.map((at, id) => request(id, at))), ...keys(pane)).state)

  it('are of the clock of the sandbox in every pane', () => {
    for (const pane of ['4', '5']) {
      const frame = seen('2026-05-06T12:00:01.000Z', pane, '2026-05-06T12:00:00.079Z')
      expect(frame).toContain('12:00:00.079')
      expect(frame).not.toContain('2031')
    }
    const opened = played(start(), batch(request(1, '2026-05-06T12:00:00.079Z')), ...keys('4', 'enter')).state
    expect(plain(opened)).toMatch(/at +2026-05-06 12:00:00/)
  })

  it('have their days where a list is not all of the day that the header shows', () => {
    const two = seen('2026-05-06T12:00:01.000Z', '4', '2026-05-03T11:00:00.000Z', '2026-05-06T12:00:00.000Z')
    expect(two).toMatch(/05-06 12:00:00 .*05-03 11:00:00 /s)
    expect(seen('2026-05-06T12:00:01.000Z', '4', '2026-05-03T11:00:00.000Z')).toContain('05-03 11:00:00 ')
    expect(seen('2027-01-01T00:00:00.000Z', '4', '2026-12-31T23:00:00.000Z')).toContain('2026-12-31 23:00:00 ')
  })

  it('have their days in a timeline of several, else once above it', () => {
    const told = (end: string) =>
      plain(played(withPayments(1), batch(paymentTold('p1', { status: 'expired' }, end)), ...keys('enter')).state)
    expect(told('2026-05-06T12:00:00.000Z')).toMatch(/Timeline {2}2026-05-06 .*11:59:50\.000 {2}○ pending/s)
    expect(told('2026-05-09T11:59:50.000Z')).toMatch(/Timeline .*05-06 11:59:50 {2}○ pending .*05-09 11:59:50 .*\+3 d/s)
  })
})

test.each([
  [
    '/v1/public/payments/0a1b2c3d-0000-4000-8000-000000000000/refund',
    80,
    '/v1/public/payments/0a1b2c3d-0000-4000-8000-000000000000/refund',
  ],
  ['/v1/public/payments/0a1b2c3d-0000-4000-8000-000000000000/refund', 40, '/v1/public/payments/0a1b2c3d…/refund'],
  ['/v1/public/payments/0a1b2c3d-0000-4000-8000-000000000000/refund', 30, '…/payments/0a1b2c3d…/refund'],
  ['/v1/public/payments/0a1b2c3d-0000-4000-8000-000000000000/refund', 20, '…/payments/0…/refund'],
  ['/v1/public/payments?limit=5', 14, '…/payments?li…'],
])('%s in %i columns is %s', (path, columns, short) => {
  expect(shortenPath(path, columns)).toBe(short)
})
