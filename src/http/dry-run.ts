// `X-PSP-Dry-Run: true`: the request gets the response of a real one, and nothing is stored.
import { quoteText } from '../domain/characters.ts'
import { refuse } from '../domain/errors.ts'
import type { SandboxTime, WallTime } from '../domain/time.ts'
import { OPEN_STATUSES, paymentTimer } from '../engine/payment-timer.ts'
import type { World } from '../engine/world.ts'
import { systemRandomness, withShardSuffix } from '../random.ts'
import type { StateSource } from '../store/import/prepare-state.ts'
import type { PreparedTablesState } from '../store/memory/prepared-tables-state.ts'
import { advanceGoal, clockChange } from '../time/clock.ts'
import type { Timeline } from '../time/timeline-types.ts'
import { type Exchange, header } from './app-env.ts'
import { singleHeader } from './guards/request-headers.ts'
import type { Services } from './services.ts'

/** The header of a dry-run request, and of the response to it. */
export const DRY_RUN_HEADER = 'X-PSP-Dry-Run'

const LOWER_CASE = DRY_RUN_HEADER.toLowerCase()

/** Returns whether the request is a dry run. Its response then has the header, too. */
export function hasDryRunHeader(c: Exchange): boolean {
  return header(c, LOWER_CASE) === 'true'
}

/** @throws RefusalError `bad_request` for any other value, so that a typo never makes a real change */
export function parseDryRunHeader(c: Exchange): boolean {
  const value = singleHeader(c, DRY_RUN_HEADER, LOWER_CASE)
  if (value === undefined) return false
  if (value === 'true') return true
  throw refuse('bad_request', `${DRY_RUN_HEADER}: expected true, got ${quoteText(value)}. Omit it for a real request.`)
}

/**
 * Refuses the header on a request for a page.
 * @throws RefusalError `bad_request`
 */
export function refuseDryRun(c: Exchange): void {
  if (header(c, LOWER_CASE) === undefined) return
  throw refuse('bad_request', `${DRY_RUN_HEADER}: pages have no dry run. Use an operation of the API instead.`)
}

/** Returns services that read like the given ones and change nothing. */
export function dryRunServices(services: Services): Services {
  const { dispatcher, listeners, store, random, runScenario } = services
  const throwaway = systemRandomness()
  const engine = services.engine.dryRun(
    random.shard === undefined ? throwaway : withShardSuffix(throwaway, random.shard),
  )
  return {
    ...services,
    dryRun: true,
    engine,
    random: throwaway,
    timeline: dryRunTimeline(services.timeline, services.engine.world),
    // Nothing is sent, so the stored delivery is the result.
    dispatcher: {
      ...dispatcher,
      isInFlight: () => false,
      waitForAttempt: async (id) => engine.world.get('deliveries', id),
    } as Services['dispatcher'],
    listeners: { ...listeners, reportResult: (id, result) => listeners.reportResult(id, result, true) },
    store: {
      ...store,
      readOnlyReason: store.readOnlyReason,
      view: store.view,
      replace: dryRunReplace(store),
      snapshots: {
        ...store.snapshots,
        save: async () => {},
        remove: (name) => store.snapshots.list().some((snapshot) => snapshot.name === name),
      },
    },
    ...(runScenario === undefined
      ? {}
      : { runScenario: (scenario, work) => runScenario(scenario, { ...work, dryRun: true }) }),
  }
}

/** Stops the replacement of the state after all checks have passed. */
class DiscardedError extends Error {}

function dryRunReplace(store: Services['store']): Services['store']['replace'] {
  return async <T>(
    source: StateSource,
    commit: (prepared: PreparedTablesState) => Promise<T>,
    signal?: AbortSignal,
  ) => {
    const results: T[] = []
    try {
      await store.replace(
        source,
        async (prepared) => {
          results.push(await commit(prepared))
          throw new DiscardedError()
        },
        signal,
      )
    } catch (error) {
      if (!(error instanceof DiscardedError)) throw error
    }
    return results[0] as T
  }
}

/** A dry-run advance returns the time that the clock would reach, and counts the steps due until then. */
function dryRunTimeline(timeline: Timeline, world: World): Timeline {
  let row = timeline.clock()
  return {
    ...timeline,
    now: () => row.virtual as SandboxTime,
    clock: () => row,
    // An import or restore that is only checked does not replace the timers.
    adopt() {},
    async setMode(request) {
      row = clockChange(row, request, row.wall as WallTime)
      return row
    },
    async advance(request) {
      const now = row.virtual as SandboxTime
      const goal = 'until' in request ? lastDueTime(timeline, now) : advanceGoal(request, now)
      const due = timersOf(world).filter((timer) => timer.due <= goal)
      row = { ...row, virtual: goal }
      return { now: goal, steps: due.length, deliveries: due.filter(({ kind }) => kind === 'deliver').length }
    },
  }
}

/** Returns the due time of the last step that `until: 'idle'` would run. */
function lastDueTime(timeline: Timeline, now: SandboxTime): SandboxTime {
  const { count } = timeline.waiting(1)
  return timeline.waiting(count).first.reduce<SandboxTime>((last, { due }) => Math.max(due, last) as SandboxTime, now)
}

function timersOf(world: World) {
  const ofPayments = [...world.rowsWith('payments', 'status', OPEN_STATUSES)].flatMap((row) => paymentTimer(row) ?? [])
  return [...world.rows('timers'), ...ofPayments]
}
