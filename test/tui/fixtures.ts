// States and messages for tests of the view, and a screen without a terminal.
import type { PublicPayment } from '../../src/domain/payment.ts'
import type { PublicPayout } from '../../src/domain/payout.ts'
import type { Action } from '../../src/tui/state/action.ts'
import type { Effect } from '../../src/tui/state/effect.ts'
import { reduce } from '../../src/tui/state/reducer.ts'
import { initialState, type State } from '../../src/tui/state/state.ts'
import { type ParsedMessage, parseMessage, type StreamMessage } from '../../src/tui/state/stream-message.ts'
import { createTheme } from '../../src/tui/theme/theme.ts'

export const NOW = Date.parse('2026-05-06T12:00:00.000Z')
export const COLOURLESS = createTheme({ colour: false, unicode: true })
export const COLOURED = createTheme({ colour: true, unicode: true })

export function start(columns = 100, rows = 30): State {
  return initialState({ url: 'http://127.0.0.1:7770', embedded: false, size: { columns, rows }, now: NOW })
}

/** The state after the actions, and all effects on the way. */
export function played(state: State, ...actions: readonly Action[]): { state: State; effects: readonly Effect[] } {
  const effects: Effect[] = []
  for (const action of actions) {
    const [next, more] = reduce(state, action)
    state = next
    effects.push(...more)
  }
  return { state, effects }
}

/** `type('n')`, or several keys; a word of more than one letter is the name of a key. */
export function keys(...names: readonly string[]): readonly Action[] {
  return names.map((key) => ({ type: 'keys', keys: [key], now: NOW }))
}

export function typed(text: string): readonly Action[] {
  return keys(...text)
}

let last = 0

function heard(told: StreamMessage): ParsedMessage {
  const found = parseMessage(String(++last), JSON.stringify(told))
  if (found === undefined) throw new Error('the view does not know this message')
  return found
}

export function batch(...told: readonly StreamMessage[]): Action {
  return { type: 'messages', batch: told.map(heard), now: NOW }
}

export function payment(id: string, fields: Partial<PublicPayment> = {}): PublicPayment {
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

export function payout(id: string, fields: Partial<PublicPayout> = {}): PublicPayout {
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

export function paymentTold(
  id: string,
  fields: Partial<PublicPayment> = {},
  at = '2026-05-06T11:59:50.000Z',
): StreamMessage {
  const told = payment(id, fields)
  return {
    kind: 'payment',
    at,
    change: told.status === 'pending' ? 'created' : 'status_changed',
    status: told.status,
    payment: told,
  }
}

/** A state with payments `p1` … `pN`, the last of which is the newest. */
export function withPayments(count: number, fields: Partial<PublicPayment> = {}, state = start()): State {
  const told = Array.from({ length: count }, (_, index) => paymentTold(`p${index + 1}`, fields))
  return played(state, batch(...told)).state
}
