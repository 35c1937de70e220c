// The dependencies of the HTTP layer, which `sandbox/assemble.ts` provides.
import type { ControlHub } from '../delivery/control-hub.ts'
import type { WebhookDispatcher } from '../delivery/dispatcher-types.ts'
import type { ListenerHub } from '../delivery/listener-hub.ts'
import type { StreamHub } from '../delivery/stream-hub.ts'
import type { Seed } from '../engine/command.ts'
import type { ShopInput } from '../engine/command-inputs.ts'
import type { Engine } from '../engine/engine.ts'
import type { Randomness } from '../engine/ports.ts'
import type { Store } from '../store/store.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { Timeline } from '../time/timeline-types.ts'
import type { CancellableWork, Exchange } from './app-env.ts'
import type { DashboardFiles } from './dashboard/dashboard-files.ts'
import type { TokenGuessLimiter } from './guards/rate-limit.ts'
import type { RequestLog } from './request-log.ts'
import type { ScenarioResult } from './scenario-context.ts'

export interface Services {
  /** True: the services change nothing, see `dryRunServices`. */
  readonly dryRun?: true
  readonly engine: Engine
  readonly timeline: Timeline
  readonly systemClock: SystemClock
  readonly random: Randomness
  /** True: ids and random draws are the same in every run. */
  readonly hasRandomSeed: boolean
  readonly dispatcher: WebhookDispatcher
  /** The public event stream (spec 6.2). */
  readonly streams: StreamHub
  /** The stream of the control API, `GET /_psp/stream`. */
  readonly controlHub: ControlHub
  readonly listeners: ListenerHub
  /** For snapshots, exports and imports. All other changes are made by the engine. */
  readonly store: Pick<Store, 'snapshots' | 'view' | 'replace' | 'readOnlyReason'>
  /** The shop that a reset with `all` restores. */
  readonly defaultShop: ShopInput
  /** The seed that each reset applies. */
  readonly seed?: Seed
  /** The source of each setting of this run, such as `--set`. Default: `options`. */
  readonly settingOrigins?: { readonly [name: string]: string }
  /** How users run psp, in commands to copy. Default: `psp`. */
  readonly pspCommand?: string
  /** Runs a scenario against this sandbox, for `POST /_psp/trigger`. */
  readonly runScenario?: (scenario: unknown, work: CancellableWork) => Promise<ScenarioResult>
  readonly requestLog: RequestLog
  /** Aborted when the sandbox closes. Faults then stop delaying requests. */
  readonly closing?: AbortSignal
  readonly version: string
  /** Returns the base URL of the buyer's pages for this caller, without a slash at its end: `http://127.0.0.1:7770`. */
  payUrl(c: Exchange): string
  readonly control: GuardedAccess
  readonly dashboardFiles: DashboardFiles
  /**
   * Called with each internal error and failed write of a request. The client gets only 500 `internal_error` or 503
   * `storage_unavailable`.
   */
  onInternalError(error: unknown): void
}

/** Rules for access to the control API. */
export interface ControlAccess {
  readonly token?: string
  /** A token that permits only reading, and no route that returns secrets. */
  readonly viewToken?: string
  /** The configured host. `Host` may contain it or a loopback name. */
  readonly host: string
  /** The server listens on a loopback address only. */
  readonly loopback: boolean
  /** The process of the server, for callers on this machine. A psp that finds the port in use names it. */
  readonly owner?: { readonly pid: number; readonly data: string | null }
}

/** Rules for access, with a limit for guesses of the token. */
export interface GuardedAccess extends ControlAccess {
  readonly tokenGuesses: TokenGuessLimiter
}
