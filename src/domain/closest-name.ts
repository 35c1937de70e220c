// Suggests the known name for a misspelt one, and the event for an unknown event name.
import { distance } from 'fastest-levenshtein'
import { WEBHOOK_EVENTS } from './events.ts'

/** Returns the known name that is closest to `name`, if a typo can explain the difference. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  return closestNames(name, known)[0]
}

/** Returns the known names that a typo can explain, closest first. Long names have none: comparing them is slow. */
export function closestNames(name: string, known: readonly string[]): string[] {
  if (name.length > LONGEST_NAME) return []
  // Two typos in a word of four letters make another word.
  const limit = name.length < 5 ? 1 : Math.max(2, Math.floor(name.length / 3))
  return known
    .map((candidate) => ({ candidate, typos: typoCount(name, candidate) }))
    .filter(({ typos }) => typos <= limit)
    .sort((a, b) => a.typos - b.typos)
    .map(({ candidate }) => candidate)
}

/** Returns the number of edits between two names. The same letters in another order are one: `prot` for `port`. */
export function typoCount(one: string, other: string): number {
  return isReordered(one, other) ? 1 : distance(one, other)
}

const LONGEST_NAME = 200

function isReordered(one: string, other: string): boolean {
  return one !== other && one.length === other.length && sorted(one) === sorted(other)
}

const sorted = (text: string) => [...text].sort().join('')

const PARTS = WEBHOOK_EVENTS.map((name) => name.split('.') as [object: string, verb: string])
const OBJECTS = [...new Set(PARTS.map(([object]) => object))]
const VERBS = [...new Set(PARTS.map(([, verb]) => verb))]

const OTHER_OBJECTS: Readonly<Record<string, string>> = {
  charge: 'payment',
  checkout: 'payment',
  invoice: 'payment',
  order: 'payment',
  transaction: 'payment',
  refund: 'payment',
  transfer: 'payout',
  withdrawal: 'payout',
}

const OTHER_VERBS: Readonly<Record<string, readonly string[]>> = {
  succeeded: [
    'paid',
    'success',
    'succeed',
    'successful',
    'captured',
    'completed',
    'settled',
    'confirmed',
    'approved',
    'done',
  ],
  failed: ['declined', 'rejected', 'refused', 'error', 'failure', 'denied'],
  cancelled: ['cancel', 'canceled', 'voided', 'aborted'],
  expired: ['timeout', 'timed_out', 'abandoned'],
  refunded: ['refund', 'reversed'],
}

/**
 * Returns `payment.succeeded` for `payment.paid`, `payment.*` for a similar pattern, or `undefined` if no event is
 * close. For a verb alone, such as `paid`, returns `payment.succeeded or payout.succeeded`. Object and verb are matched
 * separately, because the closest spelling of `payment.paid` would be `payment.failed`.
 */
export function closestEvent(name: string): string | undefined {
  const words = name
    .slice(0, 80)
    .replace(/([a-z])([A-Z])/g, '$1.$2')
    .toLowerCase()
    .split(/[^a-z*]+/)
    .filter((word) => word !== '')
  const [first = '', ...rest] = words
  const object = objectOf(first)
  if (object !== undefined && rest.at(-1) === '*') return `${object}.*`
  const verb =
    closestName(first, ['refund']) !== undefined && !VERBS.includes(first)
      ? 'refunded'
      : verbOf(object === undefined ? words : rest)
  if (verb === undefined || (object === undefined && words.length > 1)) return undefined
  const found = WEBHOOK_EVENTS.filter((event) => event === `${object ?? event.split('.')[0]}.${verb}`)
  return found.length === 0 ? undefined : found.join(' or ')
}

function objectOf(word: string): string | undefined {
  if (VERBS.includes(word)) return undefined
  const near = closestName(word, [...OBJECTS, ...Object.keys(OTHER_OBJECTS)])
  return near === undefined ? undefined : (OTHER_OBJECTS[near] ?? near)
}

function verbOf(words: readonly string[]): string | undefined {
  const known = [...VERBS, ...Object.values(OTHER_VERBS).flat()]
  const near = closestName(words.join('_'), known) ?? closestName(words.at(-1) ?? '', known)
  return Object.keys(OTHER_VERBS).find((verb) => OTHER_VERBS[verb]?.includes(near ?? '')) ?? near
}
