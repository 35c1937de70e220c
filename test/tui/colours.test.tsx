// Colour is never the only sign: every pane, detail, form and question says the same without it.
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { KEY_TABLE } from '../../src/tui/keys/key-table.ts'
import type { State } from '../../src/tui/state/state.ts'
import { coloursOf } from '../colours.ts'
import { batch, COLOURED, COLOURLESS, keys, paymentTold, played, start, typed, withPayments } from './fixtures.ts'
import { drawn } from './render-frame.tsx'

const STATUSES = ['pending', 'processing', 'succeeded', 'failed', 'expired', 'cancelled', 'refunded'] as const

/** A row of each status, deliveries that arrived and that did not, a server that cannot be reached. */
const world = (columns = 140): State => {
  const delivery = {
    event_id: 'evt_1',
    event: 'payment.succeeded',
    object_id: 'p1',
    shop_id: 's',
    url: 'http://127.0.0.1:3000/hooks',
    next_attempt_at: null,
    attempts_made: 1,
    attempts_total: 9,
  } as const
  const at = '2026-05-06T12:00:00.000Z'
  return played(
    withPayments(0, {}, start(columns, 40)),
    batch(
      ...STATUSES.map((status, i) => paymentTold(`p${i}`, { status })),
      { kind: 'delivery', at, delivery: { ...delivery, id: 'd1', status: 'delivered' } },
      { kind: 'delivery', at, delivery: { ...delivery, id: 'd2', status: 'exhausted' } },
    ),
    { type: 'connection', connection: { state: 'lost', reason: 'nothing listens', retryIn: 500 }, now: 0 },
  ).state
}

const onPayment = ['j']
const VIEWS: readonly (readonly [string, State])[] = [
  ['nothing yet', start(140, 40)],
  ...KEY_TABLE.pane.keys.flatMap((key): [string, State][] => [
    [`pane ${key}`, played(world(), ...keys(key)).state],
    [`pane ${key}, its detail`, played(world(), ...keys(key, 'enter')).state],
    [`pane ${key}, filtered`, played(world(), ...keys(key, '/'), ...typed('p')).state],
  ]),
  ...KEY_TABLE.pane.keys.flatMap((key) =>
    // Every key that opens something over it.
    [...KEY_TABLE.help.keys, ...'npdcrxaRs'].map((opens): [string, State] => [
      `pane ${key}, after ${opens}`,
      played(world(), ...keys(key, ...onPayment, opens)).state,
    ]),
  ),
]

describe.each(VIEWS)('%s', (_, state) => {
  const painted = drawn(state, COLOURED)

  it('reads the same without colour', () => {
    expect(stripVTControlCharacters(painted)).toBe(stripVTControlCharacters(drawn(state, COLOURLESS)))
  })

  it('has no text in two colours', () => {
    expect(coloursOf(painted).ambiguous).toEqual([])
  })
})

it('each status is a word with a sign of its own kind', () => {
  const text = stripVTControlCharacters(drawn(world(), COLOURLESS))
  for (const sign of ['○ pending', '◐ processing', '✓ succeeded', '✗ failed', '– expired', '– cancelled', '↺ refunded'])
    expect(text).toContain(sign)
  const { byText } = coloursOf(drawn(world(), COLOURED))
  expect([byText.get('✓ succeeded'), byText.get('✗ failed')]).toEqual([new Set(['green']), new Set(['red'])])
  const deliveries = stripVTControlCharacters(drawn(played(world(), ...keys('3')).state, COLOURLESS))
  expect(deliveries).toContain('✓ delivered')
  expect(deliveries).toContain('✗ exhausted')
})
