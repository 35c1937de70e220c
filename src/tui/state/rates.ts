// Changes of status in each of the last seconds.
import type { Heard } from './message.ts'
import { PLOTTED, type State } from './state.ts'

/** Counts what came; `now` in ms of the wall clock. */
export function countChanges({ rates, live }: State, batch: readonly Heard[], now: number): State['rates'] {
  const moved = moveTo(rates, Math.floor(now / 1000))
  if (now < live) return moved
  const changes = batch.filter(({ told }) => 'change' in told && told.change !== 'updated').length
  if (changes === 0) return moved
  return { ...moved, counts: moved.counts.with(-1, (moved.counts.at(-1) ?? 0) + changes) }
}

export function moveTo(rates: State['rates'], second: number): State['rates'] {
  const past = second - rates.second
  if (past <= 0) return rates
  const fresh = new Array<number>(Math.min(past, PLOTTED)).fill(0)
  return { second, counts: [...rates.counts.slice(fresh.length), ...fresh] }
}

/** Changes per second over the last whole seconds. */
export function rateOf({ counts }: State['rates']): number {
  const last = counts.slice(-6, -1)
  return last.reduce((sum, count) => sum + count, 0) / last.length
}
