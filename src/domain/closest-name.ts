// The name somebody probably meant.
import { distance } from 'fastest-levenshtein'

/** The known name nearest to `name`, where it is near enough to be a slip of the finger. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  // Two slips in a word of four letters make another word.
  const limit = name.length < 5 ? 1 : Math.max(2, Math.floor(name.length / 3))
  let best: { name: string; distance: number } | undefined
  for (const candidate of known) {
    const found = { name: candidate, distance: isSwapped(name, candidate) ? 1 : distance(name, candidate) }
    if (found.distance <= limit && (best === undefined || found.distance < best.distance)) best = found
  }
  return best?.name
}

/** `prot` for `port`: one slip, as people make it. */
function isSwapped(one: string, other: string): boolean {
  return one.length === other.length && [...one].sort().join('') === [...other].sort().join('')
}
