// What rules and faults can be matched on: fields, and the values of those whose values are known beforehand.
import { STREAM_KINDS, WEBHOOK_EVENTS } from './events.ts'
import { FAULT_FIELDS, type FaultTarget, matches, RULE_FIELDS, type Rule } from './faults.ts'
import { PAYMENT_METHODS } from './payment-methods.ts'
import { PAYMENT_STATUSES } from './payment-states.ts'
import { PAYOUT_METHODS } from './payout.ts'

/** Why a rule could never match so, from the field's name on; `undefined` where it could. */
export function whyNoRuleMatch(match: Rule['match']): string | undefined {
  return whyNoMatch(match, RULE_FIELDS, RULE_VALUES)
}

/** As {@link whyNoRuleMatch}, for a fault. */
export function whyNoFaultMatch(target: FaultTarget, match: Rule['match']): string | undefined {
  return whyNoMatch(match, FAULT_FIELDS[target], FAULT_VALUES[target])
}

type Values = { readonly [field: string]: readonly string[] }

/** Fields whose values are known beforehand: a slip of the pen would never match, and nobody would be told. */
const RULE_VALUES: Values = {
  operation: ['payment', 'refund', 'payout'],
  method: [...PAYMENT_METHODS, ...PAYOUT_METHODS],
}

const FAULT_VALUES: { readonly [T in FaultTarget]: Values } = {
  api: {},
  webhook: { event: WEBHOOK_EVENTS },
  stream: { kind: STREAM_KINDS },
  redirect: { status: PAYMENT_STATUSES },
}

function whyNoMatch(match: Rule['match'], known: readonly string[], values: Values): string | undefined {
  for (const [field, wanted] of Object.entries(match)) {
    if (!known.includes(field)) return `${field}: unknown field. Known are ${known.join(', ')}.`
    const some = values[field]
    if (some === undefined || some.some((value) => matches({ [field]: wanted }, { [field]: value }))) continue
    const shown = JSON.stringify(String(wanted).slice(0, 80))
    return `${field}: ${shown} is none of its values. They are ${some.join(', ')}.`
  }
  return undefined
}
