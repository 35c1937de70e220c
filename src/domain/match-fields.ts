// What rules and faults can be matched on: fields, and the values of those whose values are known beforehand.
import { STREAM_KINDS, WEBHOOK_EVENTS } from './events.ts'
import { FAULT_FIELDS, type FaultTarget, matches, metadataName, RULE_FIELDS, type Rule } from './faults.ts'
import { PAYMENT_METHODS } from './payment-methods.ts'
import { PAYMENT_STATUSES } from './payment-states.ts'
import { PAYOUT_METHODS } from './payout.ts'
import { PAYOUT_STATUSES } from './payout-states.ts'

/** Why a rule could never match so, from the field's name on; `undefined` where it could. */
export function ruleMatchIssue(match: Rule['match']): string | undefined {
  return whyNoMatch(match, RULE_FIELDS, RULE_VALUES)
}

/** As {@link ruleMatchIssue}, for a fault. */
export function faultMatchIssue(target: FaultTarget, match: Rule['match']): string | undefined {
  return wayToPayAsMethod(match) ?? whyNoMatch(match, FAULT_FIELDS[target], FAULT_VALUES[target])
}

/** `method` of a rule is the way to pay, and of a fault the HTTP method. */
function wayToPayAsMethod({ method }: Rule['match']): string | undefined {
  if (method === undefined || !WAYS_TO_PAY.some((way) => matches({ method }, { method: way }))) return undefined
  if (String(method).startsWith('*')) return undefined
  const shown = JSON.stringify(String(method).slice(0, 80))
  return `method: ${shown} is a way to pay. In faults, method is the HTTP method. Use payment_method for the way to pay.`
}

type Values = { readonly [field: string]: readonly string[] }

/** Fields whose values are known beforehand: a slip of the pen would never match, and nobody would be told. */
const WAYS_TO_PAY = [...PAYMENT_METHODS, ...PAYOUT_METHODS]
const OPERATIONS = ['payment', 'refund', 'payout']

export const RULE_VALUES: Values = { operation: OPERATIONS, method: WAYS_TO_PAY, payment_method: WAYS_TO_PAY }

const OBJECT_VALUES: Values = {
  payment_method: WAYS_TO_PAY,
  status: [...new Set([...PAYMENT_STATUSES, ...PAYOUT_STATUSES])],
}

export const FAULT_VALUES: { readonly [T in FaultTarget]: Values } = {
  api: OBJECT_VALUES,
  webhook: { ...OBJECT_VALUES, event: WEBHOOK_EVENTS, operation: OPERATIONS },
  stream: { ...OBJECT_VALUES, kind: STREAM_KINDS },
  redirect: { payment_method: PAYMENT_METHODS, status: PAYMENT_STATUSES },
}

function whyNoMatch(match: Rule['match'], known: readonly string[], values: Values): string | undefined {
  for (const [field, wanted] of Object.entries(match)) {
    if (metadataName(field) !== undefined) continue
    if (!known.includes(field)) return `${field}: unknown field. Known are ${known.join(', ')}, metadata.<name>.`
    const some = values[field]
    if (some === undefined || some.some((value) => matches({ [field]: wanted }, { [field]: value }))) continue
    const shown = JSON.stringify(String(wanted).slice(0, 80))
    return `${field}: ${shown} is none of its values. They are ${some.join(', ')}.`
  }
  return undefined
}
