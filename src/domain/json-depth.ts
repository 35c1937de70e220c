/** The maximum depth of JSON from outside. Deeper values are rejected, because later code recurses. */
export const MAX_DEPTH = 64

/** Whether the objects and lists of a parsed value are nested more than {@link MAX_DEPTH} levels deep. */
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
