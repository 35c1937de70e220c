// An export without system time, so that two runs of a scenario produce the same bytes.
import type { Attempt, DuplicateRecord, HeaderList } from '../../domain/delivery.ts'
import type { SandboxTime, WallTime } from '../../domain/time.ts'
import type { StateRow, TableName } from '../../engine/tables.ts'
import type { StateView } from '../../store/memory/state-view.ts'
import type { RowLines } from '../../store/snapshots/state-text.ts'

const TIME_DEPENDENT_HEADERS: ReadonlySet<string> = new Set(['x-psp-timestamp', 'x-psp-signature', 'date'])

/** @param at the time of the frozen sandbox clock */
export function deterministicLines(
  view: StateView,
  lines: (name: TableName) => RowLines,
  at: number,
): (name: TableName) => RowLines {
  return (name) => {
    if (name === 'state') return stateLines(lines('state'), at)
    if (name === 'deliveries') return deliveryLines(view)
    return name === 'timers' ? timerLines(view) : lines(name)
  }
}

function* stateLines(lines: RowLines, at: number): Generator<string> {
  for (const line of lines) {
    const row = JSON.parse(line.toString()) as StateRow
    yield JSON.stringify(row.id === 'clock' ? { ...row, wall: at } : row)
  }
}

function* deliveryLines(view: StateView): Generator<string> {
  for (const row of view.rows('deliveries')) {
    yield JSON.stringify({ ...row, attempts: row.attempts.map(stripWallTime) })
  }
}

/** Sorts timers, because setting a timer again moves it to the end of the table. */
function* timerLines(view: StateView): Generator<string> {
  const timers = [...view.rows('timers')].sort((a, b) => a.due - b.due || a.seq - b.seq || (a.id < b.id ? -1 : 1))
  for (const timer of timers) yield JSON.stringify(timer)
}

function stripWallTime(attempt: Attempt): Attempt {
  const { at, copies, request_headers } = attempt
  return {
    ...stripResponseTime(attempt, at),
    request_headers: withoutTimeDependent(request_headers),
    ...(copies === undefined ? {} : { copies: copies.map((copy) => stripResponseTime(copy, at)) }),
  }
}

function stripResponseTime<T extends Attempt | DuplicateRecord>(sent: T, at: SandboxTime): T {
  const { response_headers } = sent
  return {
    ...sent,
    sent_at: at as number as WallTime,
    ms: 0,
    ...(response_headers === undefined ? {} : { response_headers: withoutTimeDependent(response_headers) }),
  }
}

function withoutTimeDependent(headers: HeaderList): HeaderList {
  return headers.filter(([name]) => !TIME_DEPENDENT_HEADERS.has(name.toLowerCase()))
}
