import type { RecordedCall } from './recorded-call.ts'

/** The service finished the first call before the start or the end of the second one. */
export interface Precedence {
  readonly earlier: RecordedCall
  readonly later: RecordedCall
  /** Whether the service finished the earlier call before the later one started, or only before it ended. */
  readonly before: 'start' | 'end'
}

export const overlaps = (a: RecordedCall, b: RecordedCall): boolean =>
  a.startedAt <= b.endedAt && b.startedAt <= a.endedAt

/** Groups calls by a key, and leaves out calls without one. */
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
