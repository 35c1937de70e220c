import type { Marks } from '../looks/marks.ts'

/** A column per count, as high as it is beside the highest. */
export function plot(counts: readonly number[], { bars }: Marks): string {
  const highest = Math.max(1, ...counts)
  const top = bars.length - 1
  return counts.map((count) => bars[count === 0 ? 0 : Math.max(1, Math.round((count / highest) * top))] ?? '').join('')
}
