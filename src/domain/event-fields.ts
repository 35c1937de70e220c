// Spec 6.1: the fields that can select an event: those of the event and those of its object.

import { quoteText } from './characters.ts'
import { closestName } from './closest-name.ts'
import { RESERVED_KEYS } from './metadata.ts'
import type { PublicPayment } from './payment.ts'
import type { PublicPayout, Recipient } from './payout.ts'

type Every<T> = { readonly [F in keyof Required<T>]: true }

const EVENT = ['id', 'event', 'created_at', 'shop_id', 'object_id']

/** The compiler checks that each list has all fields of its type. */
const PAYMENT = Object.keys({
  id: true,
  merchant_id: true,
  shop_id: true,
  shop_name: true,
  terminal_id: true,
  terminal_name: true,
  order_id: true,
  amount: true,
  amount_refunded: true,
  amount_usdt: true,
  currency: true,
  method: true,
  status: true,
  rrn: true,
  bank_name: true,
  return_url: true,
  created_at: true,
  captured_at: true,
  finalized_at: true,
  expires_at: true,
  processing_until: true,
  metadata: true,
  customer_card_brand: true,
  customer_card_mask: true,
  customer_card_holder: true,
  customer_phone_mask: true,
  customer_payer_bank: true,
  refunds: true,
} satisfies Every<PublicPayment>)

const PAYOUT = Object.keys({
  id: true,
  merchant_id: true,
  shop_id: true,
  terminal_id: true,
  amount: true,
  currency: true,
  method: true,
  status: true,
  fail_reason: true,
  recipient: true,
  created_at: true,
  completed_at: true,
} satisfies Every<PublicPayout>)

const RECIPIENT = Object.keys({ phone: true, bank_id: true, full_name: true } satisfies Every<Recipient>)

/**
 * Returns why no event with one of these names can have `field`, or `undefined` if one can. A wait for an impossible
 * field would never end. Dots separate nested fields. Any key of metadata is possible, because the merchant chooses the
 * keys.
 */
export function eventFieldIssue(field: string, events: readonly string[]): string | undefined {
  const hasPayments = events.some((name) => name.startsWith('payment.'))
  const hasPayouts = events.some((name) => name.startsWith('payout.'))
  const top = [...new Set([...EVENT, ...(hasPayments ? PAYMENT : []), ...(hasPayouts ? PAYOUT : [])])]
  if (isPossible(field, top)) return undefined
  const nested = [
    ...(hasPayouts ? RECIPIENT.map((name) => `recipient.${name}`) : []),
    ...(hasPayments ? Object.keys(RESERVED_KEYS).map((name) => `metadata.${name}`) : []),
  ]
  const near = closestName(field, [...top, ...nested]) ?? nested.find((path) => path.endsWith(`.${field}`))
  const meant = near === undefined ? '' : ` Did you mean ${near}?`
  return `These events have no field ${quoteText(field)}.${meant} Their fields are: ${top.join(', ')}. Separate nested fields with dots, as in ${hasPayments ? 'metadata.cart' : 'recipient.phone'}.`
}

/** @param top the names of the fields that are not nested */
function isPossible(field: string, top: readonly string[]): boolean {
  const [first = '', ...deeper] = field.replace(/^data\./, '').split('.')
  if (!top.includes(first)) return false
  if (deeper.length === 0 || first === 'metadata' || first === 'refunds') return true
  return first === 'recipient' && RECIPIENT.includes(deeper[0] ?? '')
}
