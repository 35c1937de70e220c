// Whether an event is the one that somebody waits for.
import type { EventView } from './control-types.ts'

/** An event whose object is typed or not. */
export type SomeEvent = Omit<EventView, 'data'> & { readonly data: object }

/** Each pair names a field of the object or of the event itself; dots go deeper: `metadata.cart=7`. */
export function matchesEvent(event: SomeEvent, where: readonly (readonly [field: string, value: string])[]): boolean {
  return where.every(([field, wanted]) => {
    const found = fieldOf(event, field)
    return found !== undefined && found !== null && String(found) === wanted
  })
}

/** The field of the object, else of the event. */
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
