import { groupBy } from '../../domain/group-by.ts'

/** The first step is performed before the second. */
export type OrderRule<T> = readonly [earlier: T, later: T]

/** Keeps the given order, except that a step waits until the last of the steps that must precede it. */
export function orderSteps<T>(steps: readonly T[], rules: readonly OrderRule<T>[]): T[] {
  const missing = new Map<T, Set<T>>()
  for (const [earlier, later] of rules) missing.set(later, (missing.get(later) ?? new Set()).add(earlier))
  const rulesOf = groupBy(rules, ([earlier]) => earlier)
  const ordered = new Set<T>()
  const waiting = new Set<T>()
  for (const step of steps) {
    const ready = [step]
    for (let next = ready.shift(); next !== undefined; next = ready.shift()) {
      if ((missing.get(next)?.size ?? 0) > 0) {
        waiting.add(next)
        continue
      }
      ordered.add(next)
      for (const [, follower] of rulesOf.get(next) ?? []) {
        missing.get(follower)?.delete(next)
        if (waiting.has(follower) && missing.get(follower)?.size === 0) ready.push(follower)
      }
    }
  }
  // If rules contradict each other, their steps keep the given order at the end.
  return [...ordered, ...steps.filter((step) => !ordered.has(step))]
}
