import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { PAYMENT_STATUSES } from '../../src/domain/payment-states.ts'
import type { State } from '../../src/tui/state/state.ts'
import { applyActions, createState, paymentMessage, receiveMessages, stateWithPayments } from './fixtures.ts'
import { renderFrame } from './render-frame.tsx'

const renderText = (state: State) => stripVTControlCharacters(renderFrame(state))

describe('the header', () => {
  it('shows the url, the clock, the counts and the sparkline', () => {
    const clock = { mode: 'frozen', now: '2026-05-06T12:00:00.000Z', speed: 1, next_due: null } as const
    const { state } = applyActions(
      stateWithPayments(3),
      receiveMessages(paymentMessage('p1', { status: 'failed' })),
      { type: 'clock', clock, now: 0 },
      { type: 'connection', connection: { state: 'open' }, now: 0 },
      receiveMessages(paymentMessage('p4'), paymentMessage('p5', { status: 'failed' })),
      { type: 'tick', now: Date.parse('2026-05-06T12:00:01.000Z') },
    )
    const [first, second] = renderText(state).split('\n')
    expect(first).toMatch(/^ psp {2}0 failing {2}http:\/\/127\.0\.0\.1:7770 .* clock frozen 2026-05-06 12:00:00 UTC ?$/)
    expect(second).toMatch(/^ 5 payments {3}○ pending 3 {3}✗ failed 2 .*█ 0\.4\/s$/)
  })

  it.each([
    [80, '2026-05-06T12:20:00.000Z', /clock real, 20 min ahead (2026-05-06 )?12:20:00 UTC ?$/],
    [120, '2026-05-06T12:20:00.000Z', /clock real, 20 min ahead 2026-05-06 12:20:00 UTC ?$/],
    [120, '2026-05-06T09:00:00.000Z', /clock real, 3 h behind 2026-05-06 09:00:00 UTC ?$/],
    [120, '2026-05-06T12:00:01.000Z', /clock real 2026-05-06 12:00:01 UTC ?$/],
  ])('says in %i columns how far a real clock that shows %s is from the machine', (columns, now, line) => {
    const at = Date.parse('2026-05-06T12:00:00.000Z')
    const { state } = applyActions(
      createState(columns),
      { type: 'clock', clock: { mode: 'real', now, speed: 1, next_due: null }, now: at },
      { type: 'connection', connection: { state: 'open' }, now: at },
      { type: 'tick', now: at },
    )
    expect(renderText(state).split('\n')[0]).toMatch(line)
  })

  it.each([
    [120, ' psp  0 failing webhooks  http://127.0.0.1:7770'],
    [80, ' psp  0 failing  http://127.0.0.1:7770'],
    [50, ' psp  !0 http://127.0.0.1:7770'],
  ])('shows in %i columns that the connection is being opened, and nothing once it is open', (columns, line) => {
    const state = createState(columns)
    const first = (given: State) => renderText(given).split('\n')[0]?.trimEnd()
    expect(first(state)).toBe(`${line}  connecting`)
    const { state: open } = applyActions(state, { type: 'connection', connection: { state: 'open' }, now: 0 })
    expect(first(open)).toBe(line)
  })

  it.each([
    [120, ' psp  0 failing webhooks  http://127.0.0.1:7770  this view runs the server'],
    [80, ' psp  0 failing  127.0.0.1:7770  own server'],
  ])('says in %i columns that the view runs the server, also next to the clock', (columns, line) => {
    const clock = { mode: 'real', now: '2026-05-06T12:00:00.000Z', speed: 1, next_due: null } as const
    const at = Date.parse(clock.now)
    const { state } = applyActions(
      { ...createState(columns), runsServer: true },
      { type: 'clock', clock, now: at },
      { type: 'connection', connection: { state: 'open' }, now: at },
      { type: 'tick', now: at },
    )
    const first = renderText(state).split('\n')[0] ?? ''
    expect(first.startsWith(`${line}  `)).toBe(true)
    expect(first.trimEnd()).toMatch(/clock real 2026-05-06 12:00:00 UTC$/)
  })

  it('does not state counts that are unknown because lists are still being read', () => {
    const loading = { ...stateWithPayments(3), rowsRead: { payments: 3, deliveries: 0 } }
    const [, second] = renderText(loading).split('\n')
    expect(second).toMatch(/^ 3 payments so far /)
  })

  it.each([50, 80, 120])('shows in %i columns no failing webhooks until all deliveries are read', (columns) => {
    const read = createState(columns)
    const firstLine = (state: typeof read) => renderText(state).split('\n')[0]
    expect(firstLine({ ...read, rowsRead: { deliveries: 0 } })).toMatch(/^ psp +(http:\/\/)?127\.0\.0\.1:7770 /)
    expect(firstLine(read)).toMatch(/^ psp {2}(!0|0 failing)/)
  })

  it.each([60, 120])('says in %i columns that payments are loading until the first one is read', (columns) => {
    const counts = (payments?: number) => {
      const rowsRead = payments === undefined ? {} : { payments }
      return renderText({ ...createState(columns), rowsRead }).split('\n')[1]
    }
    expect(counts(0)).toMatch(/^ loading payments /)
    expect(counts()).toMatch(/^ 0 payments /)
  })

  it.each([60, 80, 120])('shows the clock and the server in %i columns', (columns) => {
    const clock = { mode: 'scaled', now: '2026-05-06T12:00:00.000Z', speed: 60, next_due: null } as const
    const initial = { ...createState(columns), initial: true }
    const { state } = applyActions(
      initial,
      { type: 'clock', clock, now: 0 },
      { type: 'connection', connection: { state: 'open' }, now: 0 },
    )
    expect(renderText(state).split('\n')[0]).toMatch(/127\.0\.0\.1:7770 .*clock x60 .*12:00:00 UTC ?$/)
    const lost = { state: 'lost', reason: 'nothing listens' } as const
    expect(renderText(applyActions(state, { type: 'connection', connection: lost, now: 0 }).state)).toMatch(
      /lost[:,] .*reconnecting.*clock x60/,
    )
  })

  it.each([
    [60, /^ 7 {2}pend 1 {2}proc 1 {2}succ 1 {2}fail 1 {2}exp 1 {2}canc 1 {2}ref 1 *$/],
    [80, /^ 7 payments {2}pend 1 {2}proc 1 {2}succ 1 {2}fail 1 {2}exp 1 {2}canc 1 {2}ref 1 +0\/s$/],
    [120, /^ 7 payments {2}pending 1 {2}processing 1 {2}succeeded 1 .* {2}refunded 1 +0\/s$/],
    [200, /^ 7 payments {3}○ pending 1 {3}◐ processing 1 {3}✓ succeeded 1 .* {3}↺ refunded 1 +\S* +0\/s$/],
  ])('shows the count of every status in %i columns', (columns, second) => {
    const each = PAYMENT_STATUSES.map((status) => paymentMessage(status, { status }))
    expect(renderText(applyActions(createState(columns), receiveMessages(...each)).state).split('\n')[1]).toMatch(
      second,
    )
  })

  it('shows the count of every status in 60 columns even for thousands of payments', () => {
    const messages = PAYMENT_STATUSES.flatMap((status) =>
      Array.from({ length: 1000 }, (_, at) => paymentMessage(`${status}${at}`, { status })),
    )
    expect(renderText(applyActions(createState(60), receiveMessages(...messages)).state).split('\n')[1]).toBe(
      ' 7000 pe1000 pr1000 su1000 fa1000 ex1000 ca1000 re1000',
    )
  })

  it('omits the address before the reason for a lost connection', () => {
    const connection = { state: 'lost', reason: 'nothing listens on 127.0.0.1:7770' } as const
    const clock = { mode: 'scaled', now: '2026-05-06T12:00:00.000Z', speed: 60, next_due: null } as const
    const { state } = applyActions(
      createState(80),
      { type: 'clock', clock, now: 0 },
      { type: 'connection', connection, now: 0 },
    )
    expect(renderText(state).split('\n')[0]).toMatch(
      /^ psp {3}lost: nothing listens on 127\.0\.0\.1:7770, reconnecting .*clock x60 /,
    )
  })

  it('shows why the connection is lost', () => {
    const connection = { state: 'lost', reason: 'nothing listens' } as const
    expect(renderText(applyActions(createState(), { type: 'connection', connection, now: 0 }).state)).toContain(
      'lost: nothing listens, reconnecting',
    )
  })
})
