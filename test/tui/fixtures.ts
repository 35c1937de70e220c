// Creates states, messages and actions for tests of the view.
import type { PublicPayment } from '../../src/domain/payment.ts'
import type { PublicPayout } from '../../src/domain/payout.ts'
import type { Action } from '../../src/tui/state/reducer.ts'
import { reduce } from '../../src/tui/state/reducer.ts'
import { initialState, type State, type ViewEffect } from '../../src/tui/state/state.ts'
import { createTheme } from '../../src/tui/theme/theme.ts'
import type { Detail } from '../../src/view-model/model.ts'
import { type ControlMessage, type ParsedMessage, parseMessages } from '../../src/view-model/rows/stream-message.ts'

export const NOW = Date.parse('2026-05-06T12:00:00.000Z')
export const PLAIN_THEME = createTheme({ colour: false, unicode: true })
export const COLOUR_THEME = createTheme({ colour: true, unicode: true })

/** The detail of the payment p1, which has no event. */
export const LOADED_DETAIL: Detail = {
  pane: 'payments',
  id: 'p1',
  loading: false,
  events: [],
  deliveries: [],
  request: undefined,
  problem: undefined,
}

/** Creates a state whose lists were read, and are empty. */
export function createState(columns = 100, rows = 30): State {
  const state = initialState({ url: 'http://127.0.0.1:7770', runsServer: false, size: { columns, rows }, now: NOW })
  return { ...state, rowsRead: {} }
}

/** Returns the state after the actions, and all their effects. */
export function applyActions(
  state: State,
  ...actions: readonly Action[]
): { state: State; effects: readonly ViewEffect[] } {
  const effects: ViewEffect[] = []
  for (const action of actions) {
    const [next, more] = reduce(state, action)
    state = next
    effects.push(...more)
  }
  return { state, effects }
}

/** Creates an action per key. A name of more than one letter is a named key, such as `enter`. */
export function pressKeys(...names: readonly string[]): readonly Action[] {
  return names.map((key) => ({ type: 'keys', keys: [key], now: NOW }))
}

export function typeText(text: string): readonly Action[] {
  return pressKeys(...text)
}

let last = 0

function toParsedMessage(message: ControlMessage): ParsedMessage {
  const [parsed] = parseMessages(String(++last), JSON.stringify(message))
  if (parsed === undefined) throw new Error('the view does not know the kind of this message')
  return parsed
}

export function receiveMessages(...messages: readonly ControlMessage[]): Action {
  return { type: 'messages', batch: messages.map(toParsedMessage), now: NOW }
}

export function createPayment(id: string, fields: Partial<PublicPayment> = {}): PublicPayment {
  return {
    id,
    merchant_id: 'm',
    shop_id: 's',
    shop_name: 'Shop',
    order_id: `ord_${id}`,
    amount: 150_000,
    amount_refunded: 0,
    amount_usdt: 18.75,
    currency: 'RUB',
    method: 'sbp',
    status: 'pending',
    created_at: '2026-05-06T11:59:50.000Z',
    expires_at: '2026-05-07T11:59:50.000Z',
    metadata: {},
    refunds: [],
    ...fields,
  }
}

export function createPayout(id: string, fields: Partial<PublicPayout> = {}): PublicPayout {
  return {
    id,
    merchant_id: 'm',
    amount: 5000,
    currency: 'RUB',
    method: 'payouts_sbp',
    status: 'pending',
    fail_reason: '',
    recipient: { phone: '+79001234567', bank_id: '100000000004' },
    created_at: '2026-05-06T11:59:55.000Z',
    ...fields,
  }
}

export function paymentMessage(
  id: string,
  fields: Partial<PublicPayment> = {},
  at = '2026-05-06T11:59:50.000Z',
): ControlMessage {
  const payment = createPayment(id, fields)
  return {
    kind: 'payment',
    at,
    change: payment.status === 'pending' ? 'created' : 'status_changed',
    status: payment.status,
    payment,
  }
}

/** Returns a state with the payments `p1` … `pN`, the last of which is the newest. */
export function stateWithPayments(count: number, fields: Partial<PublicPayment> = {}, state = createState()): State {
  const messages = Array.from({ length: count }, (_, index) => paymentMessage(`p${index + 1}`, fields))
  return applyActions(state, receiveMessages(...messages)).state
}
