// What came instead of an event that somebody waited for.
import { fieldOf, matchesEvent, type SomeEvent } from './event-match.ts'

interface Asked {
  readonly names: readonly string[]
  readonly where: readonly (readonly [field: string, value: string])[]
}

const SHOWN = 5

/** Lines for people: those that fit best, oldest first among equals. @param seen oldest first */
export function nearMisses({ names, where }: Asked, seen: readonly SomeEvent[]): string[] {
  if (seen.length === 0) return ['No event came at all.']
  const scored = seen.map((event) => {
    const missing = where.filter((pair) => !matchesEvent(event, [pair]))
    return { event, missing, score: (names.includes(event.event) ? 1 : 0) + where.length - missing.length }
  })
  const best = scored.toSorted((a, b) => b.score - a.score).slice(0, SHOWN)
  const more = seen.length - best.length
  return [
    `What came instead${more > 0 ? ` (the nearest ${SHOWN} of ${seen.length})` : ''}:`,
    ...best.map(({ event, missing }) => `  ${event.event}  ${describe(event, missing)}`),
  ]
}

function describe(event: SomeEvent, missing: Asked['where']): string {
  const { order_id } = event.data as { readonly order_id?: string }
  const about = order_id === undefined ? event.object_id : `order_id ${JSON.stringify(order_id)}`
  const off = missing.map(([field]) => {
    const value = fieldOf(event, field)
    return value === undefined ? `it has no ${field}` : `its ${field} is ${JSON.stringify(value)}`
  })
  return [about, ...off.filter((text) => !text.startsWith('its order_id'))].join('; ')
}
