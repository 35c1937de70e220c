import type { RecordedCall } from './recorded-call.ts'

/** The service was done with the first call before the second one. */
export interface Precedence {
  readonly earlier: RecordedCall
  readonly later: RecordedCall
  /** The moment of the later call at which the earlier one was over. */
  readonly before: 'start' | 'end'
}

export const overlaps = (a: RecordedCall, b: RecordedCall): boolean =>
  a.startedAt <= b.endedAt && b.startedAt <= a.endedAt

/** Leaves out the calls without a key. */
export function groupCalls(
  calls: readonly RecordedCall[],
  keyOf: (call: RecordedCall) => string | undefined,
): ReadonlyMap<string, readonly RecordedCall[]> {
  const groups = new Map<string, RecordedCall[]>()
  for (const call of calls) {
    const key = keyOf(call)
    if (key === undefined) continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [call])
    else group.push(call)
  }
  return groups
}
