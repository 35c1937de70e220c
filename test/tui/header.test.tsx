import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { PAYMENT_STATUSES } from '../../src/domain/payment-states.ts'
import type { State } from '../../src/tui/state/state.ts'
import { batch, paymentTold, played, start, withPayments } from './fixtures.ts'
import { drawn } from './render-frame.tsx'

const plain = (state: State) => stripVTControlCharacters(drawn(state))

describe('the header', () => {
  it('has the url, the clock, the counts and the plot', () => {
    const clock = { mode: 'frozen', now: '2026-05-06T12:00:00.000Z', speed: 1, next_due: null } as const
    const { state } = played(
      withPayments(3),
      batch(paymentTold('p1', { status: 'failed' })),
      { type: 'clock', clock, now: 0 },
      { type: 'connection', connection: { state: 'open' }, now: 0 },
      batch(paymentTold('p4'), paymentTold('p5', { status: 'failed' })),
      { type: 'tick', now: Date.parse('2026-05-06T12:00:01.000Z') },
    )
    const [first, second] = plain(state).split('\n')
    expect(first).toMatch(/^ psp {2}http:\/\/127\.0\.0\.1:7770 .* clock frozen 2026-05-06 12:00:00 UTC ?$/)
    expect(second).toMatch(/^ 5 payments {3}○ pending 3 {3}✗ failed 2 .*█ 0\.4\/s$/)
  })

  it.each([60, 80, 120])('has clock and server in %i columns too', (columns) => {
    const clock = { mode: 'scaled', now: '2026-05-06T12:00:00.000Z', speed: 60, next_due: null } as const
    const own = { ...start(columns), own: true }
    const { state } = played(
      own,
      { type: 'clock', clock, now: 0 },
      { type: 'connection', connection: { state: 'open' }, now: 0 },
    )
    expect(plain(state).split('\n')[0]).toMatch(/127\.0\.0\.1:7770 .*clock x60 .*12:00:00 UTC ?$/)
    const lost = { state: 'lost', reason: 'nothing listens', retryIn: 500 } as const
    expect(plain(played(state, { type: 'connection', connection: lost, now: 0 }).state)).toMatch(
      /lost[:,] .*trying again.*clock x60/,
    )
  })

  it.each([
    [60, /^ 7 {2}pend 1 {2}proc 1 {2}succ 1 {2}fail 1 {2}exp 1 {2}canc 1 {2}ref 1 *$/],
    [80, /^ 7 payments {2}pend 1 {2}proc 1 {2}succ 1 {2}fail 1 {2}exp 1 {2}canc 1 {2}ref 1 +0\/s$/],
    [120, /^ 7 payments {2}pending 1 {2}processing 1 {2}succeeded 1 .* {2}refunded 1 +0\/s$/],
    [200, /^ 7 payments {3}○ pending 1 {3}◐ processing 1 {3}✓ succeeded 1 .* {3}↺ refunded 1 +\S* +0\/s$/],
  ])('counts every status in %i columns', (columns, second) => {
    const each = PAYMENT_STATUSES.map((status) => paymentTold(status, { status }))
    expect(plain(played(start(columns), batch(...each)).state).split('\n')[1]).toMatch(second)
  })

  it('counts every status in 60 columns also where there are thousands', () => {
    const told = PAYMENT_STATUSES.flatMap((status) =>
      Array.from({ length: 1000 }, (_, at) => paymentTold(`${status}${at}`, { status })),
    )
    expect(plain(played(start(60), batch(...told)).state).split('\n')[1]).toBe(
      ' 7000 pe1000 pr1000 su1000 fa1000 ex1000 ca1000 re1000',
    )
  })

  it('gives up the address before the reason why a line is lost', () => {
    const line = { state: 'lost', reason: 'nothing listens on 127.0.0.1:7770', retryIn: 500 } as const
    const clock = { mode: 'scaled', now: '2026-05-06T12:00:00.000Z', speed: 60, next_due: null } as const
    const { state } = played(
      start(80),
      { type: 'clock', clock, now: 0 },
      { type: 'connection', connection: line, now: 0 },
    )
    expect(plain(state).split('\n')[0]).toMatch(
      /^ psp {3}lost: nothing listens on 127\.0\.0\.1:7770, trying again .*clock x60 /,
    )
  })

  it('tells of a lost line', () => {
    const line = { state: 'lost', reason: 'nothing listens', retryIn: 500 } as const
    expect(plain(played(start(), { type: 'connection', connection: line, now: 0 }).state)).toContain(
      'lost: nothing listens, trying again',
    )
  })
})
