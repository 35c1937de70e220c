// Performs the calls of an action on several rows, a few at a time, and describes the result.
import { ApiError } from '../../client/errors.ts'
import { groupDigits } from '../../domain/count-text.ts'
import type { SingleCall } from '../effect.ts'

const CONCURRENCY = 4

/** The results so far. They change while the calls run. */
export interface Tally {
  readonly total: number
  /** The number of calls that succeeded. */
  succeeded: number
  /** The number of calls that succeeded or failed. */
  finished: number
  inFlight: number
  /** Refused calls, counted by the server's reason. */
  readonly refusals: Map<string, number>
  /** The error that every further call would get, too. */
  failure: { readonly error: unknown } | undefined
}

/** An action that has no effect on one row, because the row lacks what it needs. */
export class NothingToDoError extends Error {
  override readonly name = 'NothingToDoError'
}

interface EachPorts<C> {
  readonly perform: (call: C) => Promise<unknown>
  /** No further call is started after it aborts. */
  readonly signal: AbortSignal
  /** Called at the start with nothing finished, and after each call. */
  readonly onProgress: (tally: Tally) => void
  /** Resolves in a later turn of the event loop, so that keys are handled between calls to a server in this process. */
  readonly nextTurn: () => Promise<void>
}

/** Starts no further call after an abort or a general error. Resolves when the started calls have ended. */
export async function runEach<C = SingleCall>(
  calls: readonly C[],
  { perform, signal, onProgress, nextTurn }: EachPorts<C>,
): Promise<Tally> {
  const tally: Tally = {
    total: calls.length,
    succeeded: 0,
    finished: 0,
    inFlight: 0,
    refusals: new Map(),
    failure: undefined,
  }
  onProgress(tally)
  const waiting = calls.values()

  async function work(): Promise<void> {
    for (const call of waiting) {
      tally.inFlight++
      await perform(call).then(
        () => tally.succeeded++,
        (error: unknown) => addError(tally, error),
      )
      tally.inFlight--
      tally.finished++
      onProgress(tally)
      await nextTurn()
      if (signal.aborted || tally.failure !== undefined) return
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return tally
}

function addError(tally: Tally, error: unknown): void {
  if (!concernsOneRow(error)) {
    tally.failure ??= { error }
    return
  }
  tally.refusals.set(error.message, (tally.refusals.get(error.message) ?? 0) + 1)
}

/** Statuses that every further call would get, too. */
const GENERAL_STATUSES: readonly number[] = [401, 403, 429]

function concernsOneRow(error: unknown): error is Error {
  if (error instanceof ApiError) return error.status < 500 && !GENERAL_STATUSES.includes(error.status)
  return error instanceof NothingToDoError
}

export function eachText(tally: Tally, explain: (error: unknown) => string): string {
  const { total, succeeded, finished, inFlight, failure } = tally
  const parts = [`${finished < total ? 'Stopped: ' : ''}${countOfTotal(succeeded, total)} done.`]
  if (inFlight > 0) parts.push(`${inFlight} ${inFlight === 1 ? 'request has' : 'requests have'} no response yet.`)
  parts.push(...refusalTexts(tally))
  if (failure !== undefined) parts.push(explain(failure.error))
  return parts.join(' ')
}

/** Further reasons are only counted. */
const MAX_REASONS = 3

/** Returns the reasons, the most frequent first. */
function refusalTexts({ refusals }: Tally): readonly string[] {
  const reasons = [...refusals].sort(([, a], [, b]) => b - a)
  const [first] = reasons
  if (first === undefined) return []
  const count = reasons.reduce((sum, [, each]) => sum + each, 0)
  const start = `${groupDigits(count)} ${count === 1 ? 'was' : 'were'} refused`
  if (reasons.length === 1) return [`${start}: ${first[0]}`]
  const rest = reasons.slice(MAX_REASONS).reduce((sum, [, each]) => sum + each, 0)
  return [
    `${start}.`,
    ...reasons.slice(0, MAX_REASONS).map(([reason, each]) => `${groupDigits(each)}: ${reason}`),
    ...(rest === 0 ? [] : [`${groupDigits(rest)} for other reasons.`]),
  ]
}

/** `94 of 4,000`. */
export function countOfTotal(count: number, total: number): string {
  return `${groupDigits(count)} of ${groupDigits(total)}`
}
