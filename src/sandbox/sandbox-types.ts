import type { WebhookDispatcher } from '../delivery/dispatcher-types.ts'
import type { Credentials } from '../domain/default-shop.ts'
import type { StartShop } from '../engine/default-shop.ts'
import type { Engine } from '../engine/engine.ts'
import type { AdapterBindings } from '../http/app-env.ts'
import type { CheckedSeed } from '../http/control/seed.ts'
import type { FastPath } from '../http/node-fast-path.ts'
import type { PlayScenario } from '../http/scenario-context.ts'
import type { ControlAccess } from '../http/services.ts'
import type { Transport } from '../receiver-client/transport.ts'
import type { SomeSettings } from '../settings.ts'
import type { StoreOptions } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { ClockRequest } from '../time/clock.ts'
import type { Timeline } from '../time/timeline-types.ts'

/** How a sandbox begins. Without any: in memory, with the well-known credentials, on the real clock. */
export interface SandboxOptions {
  /** The data folder; absent: memory only. */
  readonly folder?: string
  /** Each commit is on the disk before it is answered. */
  readonly durable?: boolean
  /** How the folder is written; for tests of the store. */
  readonly store?: Pick<StoreOptions, 'fs' | 'checkpointThreshold'>
  /** Settings as people write them, for this run: over what is stored, and not stored themselves. */
  readonly settings?: SomeSettings
  /** Where each of them comes from, for `psp settings`: `--set`, `PSP_SET_MAGIC`. Default: `options`. */
  readonly settingOrigins?: { readonly [name: string]: string }
  /** Overrides the stored clock. */
  readonly clock?: ClockRequest
  /** Same ids and draws on every run. */
  readonly randomSeed?: number | string
  /** 0 to 255: which of several servers behind one address this is. Its ids and new keys carry it. */
  readonly shard?: number
  /** Of the start shop, where the folder is new. Default: the well-known development credentials. */
  readonly credentials?: Partial<Credentials>
  /**
   * The JSON of a seed file. It is applied if the folder is new, before the sandbox answers or time goes on, and by each
   * reset. The folder keeps it for resets of later runs.
   */
  readonly seed?: object
  /** Webhook endpoints of the start shop that sign with its `webhook_secret`; those it has are not added twice. */
  readonly endpoints?: readonly string[]
  /**
   * Base URL of the hosted pages, without a slash at the end. Default: what `announce` names; if other machines can reach
   * the server, the address by which a caller reached it.
   */
  readonly payUrl?: string
  /** Who may use the control API: `host`, `token`. Served on a host that others reach, it is off without a token. */
  readonly control?: Partial<ControlAccess>
  /** Webhook attempts wait for the next sandbox that opens the folder: this one lives for a moment only. */
  readonly holdDeliveries?: boolean
  /** For `POST /_psp/trigger`: scenarios stand above this layer. */
  readonly runScenario?: PlayScenario
  /** How webhooks leave. Default: over HTTP with undici. */
  readonly transport?: Transport
  /** The machine's clock and timers. Default `createSystemClock()`. */
  readonly systemClock?: SystemClock
  /** One line for a person: a torn journal line that was dropped, a disk that refuses. */
  readonly notice?: (text: string) => void
  /** A fault of this program; callers got `internal_error`. */
  readonly onInternalError?: (error: unknown) => void
}

/** A payment service provider as a function from request to answer. */
export interface Sandbox {
  /** The only way in. Rejects like any failed fetch where the simulator cuts the connection. */
  fetch(request: Request, bindings?: AdapterBindings): Promise<Response>
  /** The node door's short way to the same handlers. */
  readonly fastPath: FastPath
  readonly engine: Engine
  readonly timeline: Timeline
  readonly store: Store
  readonly dispatcher: WebhookDispatcher
  readonly version: string
  /** True where the data folder was new. */
  readonly isNew: boolean
  startShop(): StartShop
  /**
   * A server around it is about to listen on `host`; `startServer` asks.
   * @throws ExposedCredentialsError or WeakControlTokenError if other machines can reach that host, and guess credentials or token
   */
  assertHostAllowed(host: string): void
  /** Tells the sandbox the url it is reached at: for clients that read the lock, and payment pages; `setPayUrl` for these alone. */
  setBaseUrl(url: string): void
  setPayUrl(url: string): void
  /**
   * Resolves when no simulator step, settlement or webhook attempt waits, and what they did is written; expiries do not
   * count. Rejects where the disk refuses it.
   */
  idle(): Promise<void>
  /** Lets what runs finish for up to `grace_ms` (default 2000), writes everything down, frees the folder. Twice is fine. */
  close(options?: { readonly grace_ms?: number }): Promise<void>
}

/** Checks that may refuse the start: the address, for example. `fresh` as in {@link Sandbox}. */
export type BeforeStart = (sandbox: Pick<Sandbox, 'isNew' | 'assertHostAllowed'>) => Promise<void>

/** The options with what stands in for those that are absent. */
export type Assembly = Omit<SandboxOptions, 'seed'> &
  Required<Pick<SandboxOptions, 'systemClock' | 'notice' | 'onInternalError'>> & {
    readonly seed?: CheckedSeed | undefined
  }
