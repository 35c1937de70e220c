// Suggests the known name for a misspelt one.
import { distance } from 'fastest-levenshtein'

/** Returns the known name that is closest to `name`, if a typo can explain the difference. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  return closestNames(name, known)[0]
}

/** Returns the known names that a typo can explain, closest first. Very long names have none, because comparing them is slow. */
export function closestNames(name: string, known: readonly string[]): string[] {
  if (name.length > LONGEST_NAME) return []
  // Two typos in a word of four letters make another word.
  const limit = name.length < 5 ? 1 : Math.max(2, Math.floor(name.length / 3))
  return known
    .map((candidate) => ({ candidate, typos: typoCount(name, candidate) }))
    .filter(({ typos }) => typos <= limit)
    .sort((a, b) => a.typos - b.typos)
    .map(({ candidate }) => candidate)
}

/** Returns the number of edits between two names. Letters in another order count as one: `prot` for `port`. */
export function typoCount(one: string, other: string): number {
  return isReordered(one, other) ? 1 : distance(one, other)
}

const LONGEST_NAME = 200

function isReordered(one: string, other: string): boolean {
  return one !== other && one.length === other.length && sorted(one) === sorted(other)
}

const sorted = (text: string) => [...text].sort().join('')
