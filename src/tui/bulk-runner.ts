// Runs an action on many rows, and reports its progress to the reducer.
import { pause } from '../domain/promises.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { SingleCall } from '../view-model/effect.ts'
import { eachText, runEach, type Tally } from '../view-model/feed/run-each.ts'
import type { Action } from './state/reducer.ts'

interface Ports {
  readonly perform: (call: SingleCall) => Promise<unknown>
  /** Describes an error and the next step in one line. */
  readonly explain: (error: unknown) => string
  readonly dispatch: (action: Action) => void
  readonly systemClock: Pick<SystemClock, 'now' | 'monotonic' | 'setTimeout'>
}

export interface BulkRunner {
  start(calls: readonly SingleCall[]): void
  /** Starts no further request. */
  stop(): void
  /** Stops. If an action was running, returns a line about its result, to print after the view has closed. */
  end(): Promise<string | undefined>
}

/** Minimum ms between two reports. */
const PROGRESS_INTERVAL = 100

/** ms for the requests in flight after the view was closed. */
const END_TIME_LIMIT = 1000

interface Running {
  readonly controller: AbortController
  tally: Tally | undefined
  finished: Promise<unknown>
}

export function createBulkRunner({ perform, explain, dispatch, systemClock }: Ports): BulkRunner {
  let running: Running | undefined

  const nextTurn = () => pause(0, systemClock)

  function start(calls: readonly SingleCall[]): void {
    const controller = new AbortController()
    const current: Running = { controller, tally: undefined, finished: Promise.resolve() }
    running = current
    let reportedAt = Number.NEGATIVE_INFINITY
    const onProgress = (tally: Tally) => {
      current.tally = tally
      if (systemClock.monotonic() - reportedAt < PROGRESS_INTERVAL) return
      reportedAt = systemClock.monotonic()
      dispatch({ type: 'bulk_progress', finished: tally.finished, total: tally.total })
    }
    current.finished = runEach(calls, { perform, signal: controller.signal, onProgress, nextTurn }).then((tally) => {
      running = undefined
      const style = tally.failure !== undefined ? 'failure' : tally.succeeded < tally.total ? 'warning' : 'success'
      dispatch({ type: 'bulk_done', text: eachText(tally, explain), style, now: systemClock.now() })
    })
  }

  async function end(): Promise<string | undefined> {
    const last = running
    if (last === undefined) return undefined
    last.controller.abort()
    let timer: { cancel(): void } | undefined
    const limit = new Promise<void>((resolve) => {
      timer = systemClock.setTimeout(resolve, END_TIME_LIMIT)
    })
    await Promise.race([last.finished, limit])
    timer?.cancel()
    return last.tally && eachText(last.tally, explain)
  }

  return { start, stop: () => running?.controller.abort(), end }
}
