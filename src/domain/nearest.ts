// The name somebody probably meant.
import { distance } from 'fastest-levenshtein'

/** The known name nearest to `name`, where it is near enough to be a slip of the finger. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.floor(name.length / 3))
  let best: { name: string; distance: number } | undefined
  for (const candidate of known) {
    const found = { name: candidate, distance: distance(name, candidate) }
    if (found.distance <= limit && (best === undefined || found.distance < best.distance)) best = found
  }
  return best?.name
}
