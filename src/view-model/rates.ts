// Counts the status changes in each of the last seconds.

import { statusTone } from './detail/tones.ts'
import { type Model, RATE_SECONDS } from './model.ts'
import type { ParsedMessage } from './rows/stream-message.ts'

/** @param now system time in ms */
export function countChanges(
  { rates, historyUntil }: Model,
  batch: readonly ParsedMessage[],
  now: number,
): Model['rates'] {
  const moved = advanceTo(rates, Math.floor(now / 1000))
  if (now < historyUntil) return moved
  const statuses = batch.flatMap(({ message }) =>
    'change' in message && message.change !== 'updated' ? [message.status] : [],
  )
  if (statuses.length === 0) return moved
  const failures = statuses.filter((status) => statusTone(status) === 'failure').length
  return { ...moved, counts: addToLast(moved.counts, statuses.length), failures: addToLast(moved.failures, failures) }
}

function addToLast(counts: readonly number[], more: number): readonly number[] {
  return counts.with(-1, (counts.at(-1) ?? 0) + more)
}

export function advanceTo(rates: Model['rates'], second: number): Model['rates'] {
  const past = second - rates.second
  if (past <= 0) return rates
  const fresh = new Array<number>(Math.min(past, RATE_SECONDS)).fill(0)
  return {
    second,
    counts: [...rates.counts.slice(fresh.length), ...fresh],
    failures: [...rates.failures.slice(fresh.length), ...fresh],
  }
}

/** Returns the changes per second, averaged over the last five full seconds. */
export function averageRate({ counts }: Model['rates']): number {
  const last = counts.slice(-6, -1)
  return last.reduce((sum, count) => sum + count, 0) / last.length
}
