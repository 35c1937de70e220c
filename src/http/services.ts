// What the HTTP layer works with. The assembly root fills it in; every room below is known here by its type only.
import type { ControlHub } from '../delivery/control-hub.ts'
import type { WebhookDispatcher } from '../delivery/dispatcher-types.ts'
import type { ListenerHub } from '../delivery/listener-hub.ts'
import type { StreamHub } from '../delivery/stream-hub.ts'
import type { Seed } from '../engine/command.ts'
import type { Engine } from '../engine/engine.ts'
import type { Randomness } from '../engine/ports.ts'
import type { ShopInput } from '../engine/shop-input.ts'
import type { Store } from '../store/store.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { Timeline } from '../time/timeline-types.ts'
import type { CancellableWork, Exchange } from './app-env.ts'
import type { WrongTokens } from './control/wrong-tokens.ts'
import type { RequestLog } from './request-log.ts'
import type { PlayedScenario } from './scenario-context.ts'

export interface Services {
  /** These services change nothing, see `dryRunServices`. */
  readonly dryRun?: true
  readonly engine: Engine
  readonly timeline: Timeline
  readonly systemClock: SystemClock
  readonly random: Randomness
  /** Ids and draws are the same on every run. */
  readonly repeatable: boolean
  readonly dispatcher: WebhookDispatcher
  /** The public event stream (spec 6.2). */
  readonly streams: StreamHub
  /** The control API's own stream, `GET /_psp/stream`. */
  readonly controlHub: ControlHub
  readonly listeners: ListenerHub
  /** For snapshots and exports; changes go through the engine. */
  readonly store: Pick<Store, 'snapshots' | 'view' | 'replace' | 'refusal'>
  /** The shop that a reset of everything brings back. */
  readonly startShop: ShopInput
  /** What both kinds of reset make again. */
  readonly seed?: Seed
  /** Where each setting of this run comes from: `--set`. Default: `options`. */
  readonly settingOrigins?: { readonly [name: string]: string }
  /** Plays a scenario against this very sandbox: `POST /_psp/trigger`. */
  readonly runScenario?: (scenario: unknown, work: CancellableWork) => Promise<PlayedScenario>
  readonly requestLog: RequestLog
  /** Aborted when the sandbox closes: what a fault holds is let go. */
  readonly closing?: AbortSignal
  readonly version: string
  /** Returns the base URL of the buyer's pages for this caller, without a slash at its end: `http://127.0.0.1:7770`. */
  payUrl(c: Exchange): string
  readonly control: GuardedAccess
  /** Told of every fault of this program that a request met; the caller only gets 500 `internal_error`. */
  onInternalError(error: unknown): void
}

/** Who may use the control API. */
export interface ControlAccess {
  readonly token?: string
  /** The configured host, accepted in `Host` besides the loopback names. */
  readonly host: string
  /** The server listens on a loopback address only. */
  readonly loopback: boolean
  /** Whose server it is, told to this machine: another psp names it where the port or the folder is not its own. */
  readonly owner?: { readonly pid: number; readonly data: string | null }
}

/** Who may use the control API, and who guesses its token. */
export interface GuardedAccess extends ControlAccess {
  readonly wrongTokens: WrongTokens
}
