// Decides whether an event matches the fields that a caller waits for.
import type { EventView } from './control-types.ts'

/** An event with or without a typed object. */
export type SomeEvent = Omit<EventView, 'data'> & { readonly data: object }

/** Returns whether each field of the object or event has its value. Dots select nested fields: `metadata.cart=7`. */
export function matchesEvent(event: SomeEvent, where: readonly (readonly [field: string, value: string])[]): boolean {
  return where.every(([field, wanted]) => {
    const found = fieldOf(event, field)
    return found !== undefined && found !== null && String(found) === wanted
  })
}

/** Returns the field of the object, or else of the event. */
export function fieldOf(event: SomeEvent, field: string): unknown {
  return at(event.data, field) ?? at(event, field)
}

function at(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  if (Object.hasOwn(value, path)) return (value as Record<string, unknown>)[path]
  const dot = path.indexOf('.')
  if (dot < 0 || !Object.hasOwn(value, path.slice(0, dot))) return undefined
  return at((value as Record<string, unknown>)[path.slice(0, dot)], path.slice(dot + 1))
}
