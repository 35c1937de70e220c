// Checks whether a rule or fault can ever match, and returns the facts with which `match` is compared.
import { quoteText } from './characters.ts'
import { STREAM_KINDS, WEBHOOK_EVENTS } from './events.ts'
import { FAULT_FIELDS, type Facts, type FaultTarget, matches, metadataKey, RULE_FIELDS, type Rule } from './faults.ts'
import type { Payment } from './payment.ts'
import { PAYMENT_METHODS } from './payment-methods.ts'
import { PAYMENT_STATUSES } from './payment-states.ts'
import { PAYOUT_METHODS, PAYOUT_STATUSES, type Payout } from './payout.ts'

/** Returns why a rule can never match, beginning with the field's name, or `undefined` if it can. */
export function ruleMatchIssue(match: Rule['match']): string | undefined {
  return matchIssue(match, RULE_FIELDS, RULE_VALUES)
}

/** Same as {@link ruleMatchIssue}, for a fault. */
export function faultMatchIssue(target: FaultTarget, match: Rule['match']): string | undefined {
  return httpMethodIssue(match) ?? matchIssue(match, FAULT_FIELDS[target], FAULT_VALUES[target])
}

/** In rules, `method` is the payment method. In faults, it is the HTTP method. */
function httpMethodIssue({ method }: Rule['match']): string | undefined {
  if (method === undefined || !MONEY_METHODS.some((way) => matches({ method }, { method: way }))) return undefined
  if (String(method).startsWith('*')) return undefined
  const shown = quoteText(String(method))
  return `method: ${shown} is a payment method. In faults, method is the HTTP method. Use payment_method instead.`
}

type Values = { readonly [field: string]: readonly string[] }

const MONEY_METHODS = [...PAYMENT_METHODS, ...PAYOUT_METHODS]
const OPERATIONS = ['payment', 'refund', 'payout']

/** The values of fields that have a fixed set of values. A rule with a misspelt value would silently never match. */
export const RULE_VALUES: Values = { operation: OPERATIONS, method: MONEY_METHODS, payment_method: MONEY_METHODS }

const OBJECT_VALUES: Values = {
  payment_method: MONEY_METHODS,
  status: [...new Set([...PAYMENT_STATUSES, ...PAYOUT_STATUSES])],
}

export const FAULT_VALUES: { readonly [T in FaultTarget]: Values } = {
  api: OBJECT_VALUES,
  webhook: { ...OBJECT_VALUES, event: WEBHOOK_EVENTS, operation: OPERATIONS },
  stream: { ...OBJECT_VALUES, kind: STREAM_KINDS },
  redirect: { payment_method: PAYMENT_METHODS, status: PAYMENT_STATUSES },
}

function matchIssue(match: Rule['match'], known: readonly string[], values: Values): string | undefined {
  for (const [field, wanted] of Object.entries(match)) {
    if (metadataKey(field) !== undefined) continue
    if (!known.includes(field)) return `${field}: unknown field. The fields are ${known.join(', ')}, metadata.<name>.`
    const allowed = values[field]
    if (allowed === undefined || allowed.some((value) => matches({ [field]: wanted }, { [field]: value }))) continue
    const shown = quoteText(String(wanted))
    return `${field}: ${shown} is not one of its values. The values are ${allowed.join(', ')}.`
  }
  return undefined
}

type PaymentLike = Pick<Payment, 'amount' | 'currency' | 'method' | 'shop_id' | 'metadata'> &
  Partial<Pick<Payment, 'order_id' | 'customer_id' | 'description'>> & { readonly status?: string }

export function paymentFacts(payment: PaymentLike): Facts {
  const { amount, currency, method, order_id, customer_id, description, status, shop_id, metadata } = payment
  return { amount, currency, payment_method: method, order_id, customer_id, description, status, shop_id, metadata }
}

export function payoutFacts({ amount, currency, method, recipient, status, shop_id }: Payout): Facts {
  const { phone, bank_id } = recipient
  return { amount, currency, payment_method: method, phone, bank_id, status, shop_id }
}
