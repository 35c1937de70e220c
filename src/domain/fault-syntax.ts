// How faults are written: a name, and for some a value: latency:2s, status:503, duplicate:2.
import { FAULT_TARGETS, type FaultTarget } from './faults.ts'
import { parseDuration } from './time.ts'

type Value = 'duration' | 'status' | 'count'

/** What a value is, in words, and one. */
export const FAULT_VALUE_WORDS: { readonly [K in Value]: readonly [what: string, example: string] } = {
  duration: ['a duration of at most 36500d', '2s'],
  status: ['a status from 400 to 599', '503'],
  count: ['a number from 1 to 9999', '2'],
}

/** Faults that take a value, and of which kind. All others take none. */
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
  /** ms, an HTTP status or a count, as the fault has it. */
  readonly value?: number
}

/** Reads a fault as written; `undefined` where the target knows no such fault or its value is missing or wrong. */
export function parseFault(target: FaultTarget, text: string): ParsedFault | undefined {
  const colon = text.indexOf(':')
  const name = colon < 0 ? text : text.slice(0, colon)
  const given = colon < 0 ? undefined : text.slice(colon + 1)
  if (!FAULT_TARGETS[target].some((known: string) => known === name)) return undefined
  const kind = FAULT_VALUE_KINDS[`${target} ${name}`]
  if (kind === undefined) return given === undefined ? { name } : undefined
  const value = given === undefined ? undefined : READ[kind](given)
  return value === undefined ? undefined : { name, value }
}

/** Why a text is no fault of the target, as sentences: an unknown name is told from a value that is missing or wrong. */
export function faultIssue(target: FaultTarget, text: string): string {
  const shown = JSON.stringify(text.slice(0, 80))
  const [name = ''] = text.split(':')
  const kind = FAULT_VALUE_KINDS[`${target} ${name}`]
  if (!FAULT_TARGETS[target].some((known: string) => known === name)) {
    return `${shown} is not a fault of ${target}. Known are ${FAULT_TARGETS[target].map((known) => formOf(target, known)).join(', ')}.`
  }
  if (kind === undefined) return `${shown}: ${name} takes no value.`
  const [what, example] = FAULT_VALUE_WORDS[kind]
  return `${shown}: ${name} takes ${what}, as in ${name}:${example}.`
}

/** `duplicate:2`, or the name alone where it takes no value. */
export function formOf(target: FaultTarget, name: string): string {
  const kind = FAULT_VALUE_KINDS[`${target} ${name}`]
  return kind === undefined ? name : `${name}:${FAULT_VALUE_WORDS[kind][1]}`
}

const READ: { readonly [K in Value]: (text: string) => number | undefined } = {
  duration: parseDuration,
  status: (text) => (/^[45]\d\d$/.test(text) ? Number(text) : undefined),
  count: (text) => (/^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined),
}
