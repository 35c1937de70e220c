import type { Symbols } from '../theme/symbols.ts'

/** Draws one bar per count, scaled to the highest count. */
export function sparkline(counts: readonly number[], { bars }: Symbols): string {
  const highest = Math.max(1, ...counts)
  const top = bars.length - 1
  return counts.map((count) => bars[count === 0 ? 0 : Math.max(1, Math.round((count / highest) * top))] ?? '').join('')
}
