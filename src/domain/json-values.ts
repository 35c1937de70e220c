// Parsed JSON from outside, whose fields may be missing or have any type.

export interface JsonObject {
  readonly [field: string]: unknown
}

/** Whether the value is an object, and neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asObject(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Returns `undefined` if the text is not JSON, or nested too deeply. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isTooDeep(value) ? undefined : value
  } catch {
    return undefined
  }
}

/** The maximum depth of JSON from outside. Deeper values are rejected, because later code recurses. */
export const MAX_DEPTH = 64

/** Whether the objects and lists of a value are nested more than {@link MAX_DEPTH} levels deep. */
export function isTooDeep(value: unknown): boolean {
  return deeperThan(value, MAX_DEPTH)
}

function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    if (typeof inner === 'object' && inner !== null && deeperThan(inner, levels - 1)) return true
  }
  return false
}

/** Returns the value of a key, or `undefined` if the object or list does not have the key itself. */
export function ownValue(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<PropertyKey, unknown>)[key]
}

/**
 * Returns the value at a path, or `undefined` if there is none. Dots separate the keys, and numbers select entries of a
 * list. The last key may itself contain dots, such as the name of a setting.
 */
export function getPath(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  if (Object.hasOwn(value, path)) return (value as Record<string, unknown>)[path]
  const dot = path.indexOf('.')
  if (dot < 0 || !Object.hasOwn(value, path.slice(0, dot))) return undefined
  return getPath((value as Record<string, unknown>)[path.slice(0, dot)], path.slice(dot + 1))
}
