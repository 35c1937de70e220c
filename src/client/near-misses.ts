// Describes the events that happened instead of the expected one.
import { fieldOf, matchesEvent, type SomeEvent } from './event-match.ts'

interface ExpectedEvent {
  readonly names: readonly string[]
  readonly where: readonly (readonly [field: string, value: string])[]
}

const SHOWN = 5

/** Returns lines for people: the best matches, oldest first among equals. @param seen oldest first */
export function nearMisses({ names, where }: ExpectedEvent, seen: readonly SomeEvent[]): string[] {
  if (seen.length === 0) return ['No event happened.']
  const scored = seen.map((event) => {
    const missing = where.filter((pair) => !matchesEvent(event, [pair]))
    return { event, missing, score: (names.includes(event.event) ? 1 : 0) + where.length - missing.length }
  })
  const best = scored.toSorted((a, b) => b.score - a.score).slice(0, SHOWN)
  const more = seen.length - best.length
  return [
    `Events that happened instead${more > 0 ? ` (the nearest ${SHOWN} of ${seen.length})` : ''}:`,
    ...best.map(({ event, missing }) => `  ${event.event}  ${describe(event, missing)}`),
  ]
}

function describe(event: SomeEvent, missing: ExpectedEvent['where']): string {
  const { order_id } = event.data as { readonly order_id?: string }
  const about = order_id === undefined ? event.object_id : `order_id ${JSON.stringify(order_id)}`
  const off = missing.map(([field]) => {
    const value = fieldOf(event, field)
    return value === undefined ? `it has no ${field}` : `its ${field} is ${JSON.stringify(value)}`
  })
  return [about, ...off.filter((text) => !text.startsWith('its order_id'))].join('; ')
}
