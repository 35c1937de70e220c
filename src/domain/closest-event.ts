// Suggests an event for an unknown event name. The closest spelling of `payment.paid` would be `payment.failed`, so object and
// verb are matched separately, with synonyms from other services.

import { closestName } from './closest-name.ts'
import { WEBHOOK_EVENTS } from './events.ts'

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

/** Returns `payment.succeeded` for `payment.paid`, `payment.*` for a similar pattern, or `undefined` if no event is close. */
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
