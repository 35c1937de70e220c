// A state without what the machine's clock and the network's pace left in it: two runs of one scenario give the same bytes.
import type { Attempt, HeaderList } from '../../domain/delivery.ts'
import type { WallTime } from '../../domain/time.ts'
import type { StoredTables } from '../../store/snapshots/snapshots.ts'

/** Signatures and dates of HTTP hold the machine's time; they are left out, not invented. */
const OF_THE_MACHINE: ReadonlySet<string> = new Set(['x-psp-timestamp', 'x-psp-signature', 'date'])

/** @param at the sandbox's clock, which stands still */
export function repeatable(tables: StoredTables, at: number): StoredTables {
  return {
    ...tables,
    state: tables.state.map((row) => (row.id === 'clock' ? { ...row, wall: at } : row)),
    deliveries: tables.deliveries.map((delivery) => ({ ...delivery, attempts: delivery.attempts.map(timeless) })),
    // A timer that is set anew goes to the end of its table.
    timers: tables.timers.toSorted((a, b) => a.due - b.due || a.seq - b.seq || (a.id < b.id ? -1 : 1)),
  }
}

function timeless(attempt: Attempt): Attempt {
  const { response_headers } = attempt
  return {
    ...attempt,
    sent_at: attempt.at as number as WallTime,
    ms: 0,
    request_headers: without(attempt.request_headers),
    ...(response_headers === undefined ? {} : { response_headers: without(response_headers) }),
  }
}

function without(headers: HeaderList): HeaderList {
  return headers.filter(([name]) => !OF_THE_MACHINE.has(name.toLowerCase()))
}
