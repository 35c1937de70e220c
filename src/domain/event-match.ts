// Decides whether an event matches the fields that a caller waits for, and describes the events that happened instead.
import type { WebhookEventName } from './events.ts'
import { getPath } from './json-values.ts'

/** An event with or without a typed object. */
export interface SomeEvent {
  readonly id: string
  readonly event: WebhookEventName
  readonly created_at: string
  readonly shop_id: string
  readonly object_id: string
  readonly data: object
}

/** The fields of an event or of its object, with their values. Dots select nested fields: `metadata.cart=7`. */
type Where = readonly (readonly [field: string, value: string])[]

export function fieldPairs(where: { readonly [field: string]: unknown }): Where {
  return Object.entries(where).map(([field, value]) => [field, String(value)])
}

/** Returns the name of an event with the fields that it must have, for people. */
export function describeExpected(name: string, where: Where): string {
  const fields = where.map(([field, value]) => `${field} ${JSON.stringify(value)}`)
  return fields.length === 0 ? name : `${name} with ${fields.join(', ')}`
}

export function matchesEvent(event: SomeEvent, where: Where): boolean {
  return where.every(([field, wanted]) => {
    const found = fieldOf(event, field)
    return found !== undefined && found !== null && String(found) === wanted
  })
}

/** Returns the field of the object, or else of the event. A field of the object may be null. */
function fieldOf(event: SomeEvent, field: string): unknown {
  const found = getPath(event.data, field)
  return found === undefined ? getPath(event, field) : found
}

interface ExpectedEvent {
  readonly names: readonly string[]
  readonly where: Where
}

const MAX_SHOWN = 5

/**
 * Returns lines for people: the best matches, oldest first among equals.
 * @param seen oldest first
 */
export function nearMisses({ names, where }: ExpectedEvent, seen: readonly SomeEvent[]): string[] {
  if (seen.length === 0) return ['No event happened.']
  const scored = seen.map((event) => {
    const missing = where.filter((pair) => !matchesEvent(event, [pair]))
    return { event, missing, score: (names.includes(event.event) ? 1 : 0) + where.length - missing.length }
  })
  const best = scored.toSorted((a, b) => b.score - a.score).slice(0, MAX_SHOWN)
  const more = seen.length - best.length
  return [
    `Events that happened instead${more > 0 ? ` (the nearest ${MAX_SHOWN} of ${seen.length})` : ''}:`,
    ...best.map(({ event, missing }) => `  ${event.event}  ${describe(event, missing)}`),
  ]
}

function describe(event: SomeEvent, missing: Where): string {
  const { order_id } = event.data as { readonly order_id?: string }
  const about = order_id === undefined ? event.object_id : `order_id ${JSON.stringify(order_id)}`
  const differences = missing.map(([field]) => {
    const value = fieldOf(event, field)
    return value === undefined ? `it has no ${field}` : `its ${field} is ${JSON.stringify(value)}`
  })
  return [about, ...differences.filter((text) => !text.startsWith('its order_id'))].join('; ')
}
