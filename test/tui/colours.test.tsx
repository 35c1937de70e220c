// Colour is never the only signal: every pane, detail, form and question shows the same text without it.
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { KEY_TABLE } from '../../src/tui/keys/key-table.ts'
import type { State } from '../../src/tui/state/state.ts'
import { coloursOf } from '../colours.ts'
import {
  applyActions,
  COLOUR_THEME,
  createState,
  PLAIN_THEME,
  paymentMessage,
  pressKeys,
  receiveMessages,
  stateWithPayments,
  typeText,
} from './fixtures.ts'
import { renderFrame } from './render-frame.tsx'

const STATUSES = ['pending', 'processing', 'succeeded', 'failed', 'expired', 'cancelled', 'refunded'] as const

/** A state with a payment of each status, a delivered and an exhausted delivery, and a lost connection. */
const stateWithAllStatuses = (columns = 140): State => {
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
  return applyActions(
    stateWithPayments(0, {}, createState(columns, 40)),
    receiveMessages(
      ...STATUSES.map((status, i) => paymentMessage(`p${i}`, { status })),
      { kind: 'delivery', at, delivery: { ...delivery, id: 'd1', status: 'delivered' } },
      { kind: 'delivery', at, delivery: { ...delivery, id: 'd2', status: 'exhausted' } },
    ),
    { type: 'connection', connection: { state: 'lost', reason: 'nothing listens' }, now: 0 },
  ).state
}

const KEYS_TO_PAYMENT = ['j']
const VIEWS: readonly (readonly [string, State])[] = [
  ['an empty view', createState(140, 40)],
  ...KEY_TABLE.pane.keys.flatMap((key): [string, State][] => [
    [`pane ${key}`, applyActions(stateWithAllStatuses(), ...pressKeys(key)).state],
    [`the detail in pane ${key}`, applyActions(stateWithAllStatuses(), ...pressKeys(key, 'enter')).state],
    [`pane ${key} with a filter`, applyActions(stateWithAllStatuses(), ...pressKeys(key, '/'), ...typeText('p')).state],
  ]),
  ...KEY_TABLE.pane.keys.flatMap((key) =>
    // Every key that overlayKey an overlay.
    [...KEY_TABLE.help.keys, ...'npdcrxaRs'].map((overlayKey): [string, State] => [
      `pane ${key} after the key ${overlayKey}`,
      applyActions(stateWithAllStatuses(), ...pressKeys(key, ...KEYS_TO_PAYMENT, overlayKey)).state,
    ]),
  ),
]

describe.each(VIEWS)('%s', (_, state) => {
  const frame = renderFrame(state, COLOUR_THEME)

  it('shows the same text without colour', () => {
    expect(stripVTControlCharacters(frame)).toBe(stripVTControlCharacters(renderFrame(state, PLAIN_THEME)))
  })

  it('shows each text in one colour only', () => {
    expect(coloursOf(frame).ambiguous).toEqual([])
  })
})

it('the view shows each status as a word with a symbol and a colour', () => {
  const text = stripVTControlCharacters(renderFrame(stateWithAllStatuses(), PLAIN_THEME))
  for (const status of [
    '○ pending',
    '◐ processing',
    '✓ succeeded',
    '✗ failed',
    '– expired',
    '– cancelled',
    '↺ refunded',
  ])
    expect(text).toContain(status)
  const { byText } = coloursOf(renderFrame(stateWithAllStatuses(), COLOUR_THEME))
  expect([byText.get('✓ succeeded'), byText.get('✗ failed')]).toEqual([new Set(['green']), new Set(['red'])])
  const deliveries = stripVTControlCharacters(
    renderFrame(applyActions(stateWithAllStatuses(), ...pressKeys('3')).state, PLAIN_THEME),
  )
  expect(deliveries).toContain('✓ delivered')
  expect(deliveries).toContain('✗ exhausted')
})
