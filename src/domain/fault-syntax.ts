// The syntax of faults: a name, and a value for some of them: latency:2s, status:503, duplicate:2.
import { quoteText } from './characters.ts'
import { FAULT_TARGETS, type FaultTarget } from './faults.ts'
import { parseDuration } from './time.ts'

type Value = 'duration' | 'status' | 'count'

export const FAULT_VALUE_DESCRIPTIONS: { readonly [K in Value]: readonly [what: string, example: string] } = {
  duration: ['a duration of at most 36500d', '2s'],
  status: ['a status from 400 to 599', '503'],
  count: ['a number from 1 to 9999', '2'],
}

/** Examples that differ from the one for their kind. A signed time must be off by more than 5 minutes. */
const SPECIAL_EXAMPLES: { readonly [fault: string]: string } = { 'webhook stale': '10m', 'webhook future': '10m' }

/** The kind of value of each fault that has one. Other faults have no value. */
export const FAULT_VALUE_KINDS: { readonly [fault: string]: Value } = {
  'api latency': 'duration',
  'api late_response': 'duration',
  'api status': 'status',
  'webhook duplicate': 'count',
  'webhook delay': 'duration',
  'webhook stale': 'duration',
  'webhook future': 'duration',
  'redirect delay': 'duration',
}

export interface ParsedFault {
  readonly name: string
  /** ms, an HTTP status or a count, depending on the fault. */
  readonly value?: number
}

/** Parses a fault. Returns `undefined` if the target has no such fault, or if the value is missing or invalid. */
export function parseFault(target: FaultTarget, text: string): ParsedFault | undefined {
  const colon = text.indexOf(':')
  const name = colon < 0 ? text : text.slice(0, colon)
  const given = colon < 0 ? undefined : text.slice(colon + 1)
  if (!FAULT_TARGETS[target].some((known: string) => known === name)) return undefined
  const kind = FAULT_VALUE_KINDS[`${target} ${name}`]
  if (kind === undefined) return given === undefined ? { name } : undefined
  const value = given === undefined ? undefined : PARSERS[kind](given)
  return value === undefined ? undefined : { name, value }
}

/** Returns why a text is not a fault of the target: an unknown name, or a missing or invalid value. */
export function explainInvalidFault(target: FaultTarget, text: string): string {
  const shown = quoteText(text)
  const [name = ''] = text.split(':')
  const kind = FAULT_VALUE_KINDS[`${target} ${name}`]
  if (!FAULT_TARGETS[target].some((known: string) => known === name)) {
    return `${shown} is not a fault of ${target}. The faults are ${FAULT_TARGETS[target].map((known) => exampleOf(target, known)).join(', ')}.`
  }
  if (kind === undefined) return `${shown}: ${name} takes no value.`
  const [what] = FAULT_VALUE_DESCRIPTIONS[kind]
  return `${shown}: ${name} takes ${what}, as in ${exampleOf(target, name)}.`
}

/** Returns the name with an example value, such as `duplicate:2`, or the name alone if the fault has no value. */
export function exampleOf(target: FaultTarget, name: string): string {
  const fault = `${target} ${name}`
  const kind = FAULT_VALUE_KINDS[fault]
  return kind === undefined ? name : `${name}:${SPECIAL_EXAMPLES[fault] ?? FAULT_VALUE_DESCRIPTIONS[kind][1]}`
}

const PARSERS: { readonly [K in Value]: (text: string) => number | undefined } = {
  duration: parseDuration,
  status: (text) => (/^[45]\d\d$/.test(text) ? Number(text) : undefined),
  count: (text) => (/^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined),
}
