// Keys that read the detail of the selected row: they wait until it is loaded.
import { describe, expect, it } from 'vitest'
import type { AttemptView, DeliveryView } from '../../src/client/control-types.ts'
import { renderFooter } from '../../src/tui/panes/footer.ts'
import type { Action } from '../../src/tui/state/reducer.ts'
import type { State } from '../../src/tui/state/state.ts'
import type { PaneName } from '../../src/view-model/rows/rows.ts'
import { selectedRow } from '../../src/view-model/rows/visible-rows.ts'
import {
  applyActions,
  createState,
  NOW,
  PLAIN_THEME,
  paymentMessage,
  pressKeys,
  receiveMessages,
  stateWithPayments,
} from './fixtures.ts'

const press = (state: State, ...names: readonly string[]) => applyActions(state, ...pressKeys(...names))
const callEffects = (effects: readonly { do: string }[]) => effects.filter((effect) => effect.do !== 'load')

const attempt = (number: number): AttemptView => ({
  number,
  at: '2026-05-06T12:00:00.000Z',
  sent_at: '2026-05-06T12:00:00.000Z',
  ms: 5,
  status: 500,
  request: { headers: [], body: '{}' },
  response: { headers: [], body: '' },
})
const FIELDS = {
  id: 'd1',
  event_id: 'evt_1',
  event: 'payment.succeeded',
  object_id: 'p1',
  shop_id: 's',
  url: 'http://x/',
  status: 'waiting',
  attempts_made: 2,
  attempts_total: 9,
} as const
const DELIVERY = { ...FIELDS, attempts: [attempt(1), attempt(2)] } as DeliveryView

const loaded = (pane: PaneName, id: string, deliveries: readonly DeliveryView[]): Action => ({
  type: 'detail_loaded',
  pane,
  id,
  loaded: { events: [], deliveries, request: undefined },
})
/** Two payments with loaded details; the first is selected. */
const list = applyActions(stateWithPayments(2, { status: 'succeeded' }), loaded('payments', 'p2', [])).state

describe('a key that reads the detail, pressed before the detail is loaded', () => {
  it.each([
    ['v', [{ do: 'verify', delivery_id: 'd1' }]],
    ['E', [{ do: 'edit_body', event_id: 'evt_1' }]],
  ])('%s requests the detail at once, and acts when it is loaded', (key, calls) => {
    const pressed = press(list, 'j', key)
    expect(pressed.state.notice).toBeUndefined()
    expect(callEffects(pressed.effects)).toEqual([])
    expect(pressed.effects.at(-1)).toEqual({ do: 'load', pane: 'payments', id: 'p1', immediately: true })
    const acted = applyActions(pressed.state, loaded('payments', 'p1', [DELIVERY]))
    expect(callEffects(acted.effects)).toMatchObject(calls)
    expect(callEffects(applyActions(acted.state, loaded('payments', 'p1', [DELIVERY])).effects)).toEqual([])
  })

  it('waits also if the row and the key are in one batch', () => {
    const { state, effects } = applyActions(list, { type: 'keys', keys: ['j', 'v'], now: NOW })
    expect(state.notice).toBeUndefined()
    expect(effects).toEqual([{ do: 'load', pane: 'payments', id: 'p1', immediately: true }])
  })

  it('= compares and e opens its form when the detail is loaded', () => {
    const detail = loaded('payments', 'p1', [DELIVERY])
    expect(applyActions(press(list, 'j', '=').state, detail).state).toMatchObject({ showsComparison: true })
    expect(applyActions(press(list, 'j', 'e').state, detail).state.overlay).toMatchObject({ kind: 'form' })
  })

  it('says that the detail is loading after a while, and why the row does not allow the key after it was loaded', () => {
    const pressed = press(list, 'j', 'v').state
    expect(renderFooter(pressed, PLAIN_THEME)).toMatch(/^ ◐ /)
    const later = applyActions(pressed, { type: 'tick', now: NOW + 1000 }).state
    expect(later.notice?.text).toBe('Loading the detail of this row…')
    const none = applyActions(later, loaded('payments', 'p1', [])).state
    expect(none.notice?.text).toBe('No attempt of this row was sent, so there is no signature.')
    const acted = applyActions(later, loaded('payments', 'p1', [DELIVERY])).state
    expect(acted.notice).toBeUndefined()
    const failed = applyActions(later, {
      type: 'detail_loaded',
      pane: 'payments',
      id: 'p1',
      loaded: { problem: 'The server is gone.' },
    }).state
    expect(failed.notice?.text).toBe('The server is gone.')
  })

  it.each(['k', 'escape', '2', 'n', '?'])('is cancelled by %s', (key) => {
    const moved = press(list, 'j', 'v', key).state
    expect(moved.waiting).toBeUndefined()
    const { state, effects } = applyActions(moved, loaded('payments', 'p1', [DELIVERY]))
    expect([callEffects(effects), state.notice]).toEqual([[], undefined])
  })
})

describe('a key for webhooks in a pane without webhooks', () => {
  const attemptMessage = receiveMessages({
    kind: 'attempt',
    at: '2026-05-06T12:00:00.000Z',
    delivery: { ...FIELDS, attempts_made: 1 },
    attempt: { at: '2026-05-06T12:00:00.000Z', ms: 5, status: 500 },
  })

  it('acts on the attempt of a line of the stream', () => {
    const stream = press(applyActions(createState(), attemptMessage).state, '5')
    const id = selectedRow(stream.state)?.id ?? ''
    expect(stream.effects.at(-1)).toEqual({ do: 'load', pane: 'stream', id, attempt: { delivery_id: 'd1', number: 1 } })
    const oneAttempt = { ...DELIVERY, attempts: [attempt(1)] }
    const { state } = applyActions(stream.state, loaded('stream', id, [oneAttempt]))
    expect(callEffects(press(state, 'v').effects)).toEqual([{ do: 'verify', delivery_id: 'd1', attempt: 1 }])
    expect(press(state, 'E').effects).toMatchObject([{ do: 'edit_body', event_id: 'evt_1' }])
    expect(press(state, 'e').state.overlay).toMatchObject({ kind: 'form' })
    expect(press(state, '=').state.notice?.text).toBe('No delivery of this row has two attempts to compare.')
  })

  it.each(['v', 'e', 'E', '='])('%s names what it acts on', (key) => {
    const stream = press(applyActions(createState(), receiveMessages(paymentMessage('p1'))).state, '5', key)
    expect(stream.state.notice?.text).toBe('This line is not a webhook attempt. Select an attempt.')
    const requests = press(
      applyActions(
        createState(),
        receiveMessages({
          kind: 'request',
          at: '2026-05-06T12:00:00.000Z',
          request: { id: 7, method: 'GET', path: '/x', status: 200, ms: 1, at: '2026-05-06T12:00:00.000Z' } as never,
        }),
      ).state,
      '4',
      key,
    )
    expect(requests.state.notice?.text).toBe('This action does nothing in the requests pane. Press 3 to show webhooks.')
  })

  it('Y, v and e say that no row is selected if there is none', () => {
    for (const key of ['Y', 'v', 'e', 'E', '=']) {
      const { state } = press(createState(), key)
      expect([state.overlay, state.notice?.text]).toEqual([undefined, 'No row is selected.'])
    }
  })
})

it('! pressed again shows all deliveries', () => {
  const failing = press(list, '!').state
  expect([failing.pane, failing.listViews.deliveries.filter]).toEqual(['deliveries', 'failing=yes'])
  expect(press(failing, '!').state).toMatchObject({ pane: 'deliveries', listViews: { deliveries: { filter: '' } } })
  expect(press(failing, '1', '!').state.listViews.deliveries.filter).toBe('failing=yes')
})
