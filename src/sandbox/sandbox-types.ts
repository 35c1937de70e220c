import type { WebhookDispatcher } from '../delivery/dispatcher-types.ts'
import type { ShopCredentials } from '../domain/default-shop.ts'
import type { DefaultShop } from '../engine/default-shop.ts'
import type { Engine } from '../engine/engine.ts'
import type { AdapterBindings } from '../http/app-env.ts'
import type { CheckedSeed } from '../http/control/seed.ts'
import type { DashboardFiles } from '../http/dashboard/dashboard-files.ts'
import type { FastPath } from '../http/node-fast-path.ts'
import type { RunScenario } from '../http/scenario-context.ts'
import type { ControlAccess } from '../http/services.ts'
import type { Transport } from '../receiver-client/transport.ts'
import type { SomeSettings } from '../settings.ts'
import type { Store, StoreOptions } from '../store/store.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { ClockRequest } from '../time/clock.ts'
import type { Timeline } from '../time/timeline-types.ts'

/** Options of a sandbox. Without options it is in memory, with the development credentials and the real clock. */
export interface SandboxOptions {
  /** The data directory. Absent: the data is only in memory. */
  readonly folder?: string
  /** True: each commit is flushed to disk before the response is sent. */
  readonly durable?: boolean
  /** Options for tests of the store. */
  readonly store?: Pick<StoreOptions, 'fs' | 'checkpointThreshold'>
  /** Settings for this run, as users write them. They override stored settings and are not stored. */
  readonly settings?: SomeSettings
  /** The source of each setting, for `psp settings`: `--set`, `PSP_SET_MAGIC`. Default: `options`. */
  readonly settingOrigins?: { readonly [name: string]: string }
  /** How users of this sandbox run psp, for commands to copy: `npx psp`. Default: `psp`. */
  readonly pspCommand?: string
  /** Overrides the stored clock. */
  readonly clock?: ClockRequest
  /** Makes ids and random draws the same in every run. */
  readonly randomSeed?: number | string
  /** The number of this server among several behind one address, 0 to 255. Its ids and new keys contain it. */
  readonly shard?: number
  /** Credentials of the default shop, if the data directory is new. Default: the development credentials. */
  readonly credentials?: Partial<ShopCredentials>
  /**
   * The JSON of a seed file. It is applied if the data directory is new, before the first request, and by each reset.
   * It is stored for resets of later runs.
   */
  readonly seed?: object
  /** Webhook endpoints of the default shop, signed with its `webhook_secret`. Existing ones are not added again. */
  readonly endpoints?: readonly string[]
  /**
   * Base URL of the hosted pages, without a slash at the end. Default: the URL of `setBaseUrl` or, if other machines
   * can reach the server, the address by which the client reached it.
   */
  readonly payUrl?: string
  /**
   * Access to the control API: `host`, `token`, `viewToken`. Without a token, the control API is off on a host that
   * other machines can reach.
   */
  readonly control?: Partial<ControlAccess>
  /** The built files of the dashboard. Default: those of this package. */
  readonly dashboardFiles?: DashboardFiles
  /** True: webhook attempts wait for the next sandbox that opens the data directory. */
  readonly holdDeliveries?: boolean
  /** Runs scenarios for `POST /_psp/trigger`. */
  readonly runScenario?: RunScenario
  /** Sends webhooks. Default: HTTP with undici. */
  readonly transport?: Transport
  /** The system clock and its timers. Default: `createSystemClock()`. */
  readonly systemClock?: SystemClock
  /** Called with a message for the user, such as that a write failed or an incomplete journal line was dropped. */
  readonly notice?: (text: string) => void
  /** Called with each internal error, of a request or of background work, and with each failed write. */
  readonly onInternalError?: (error: unknown) => void
}

/** A payment service provider as a function from request to response. */
export interface Sandbox {
  /** Handles a request. Rejects like a failed fetch if the simulator breaks the connection. */
  fetch(request: Request, bindings?: AdapterBindings): Promise<Response>
  /** The fast path of the node server to the same handlers. */
  readonly fastPath: FastPath
  readonly engine: Engine
  readonly timeline: Timeline
  readonly store: Store
  readonly dispatcher: WebhookDispatcher
  readonly version: string
  /** True if the data directory was new. */
  readonly isNew: boolean
  /** The number of steps that fell due while no process had the data directory. They ran when it was opened. */
  readonly overdueSteps: number
  /** Returns the default shop, which is the oldest one, with its credentials. */
  defaultShop(): DefaultShop
  /**
   * Checks that a server may listen on `host`, and applies the access rules of that host. `startServer` calls it.
   * @throws ExposedCredentialsError if other machines can reach the host, and the credentials are public
   * @throws WeakControlTokenError if other machines can reach the host, and could guess the token
   */
  beforeListen(host: string): void
  /** Sets the URL of the sandbox: for payment pages, and for clients that read the lock file. */
  setBaseUrl(url: string): void
  /** Sets the URL of the payment pages only. */
  setPayUrl(url: string): void
  /**
   * Resolves when no simulator step, settlement or webhook attempt is waiting, and their commits are written. Expiries
   * do not count. Rejects if a write fails.
   */
  idle(): Promise<void>
  /** Waits up to `grace_ms` (default 2000) for work in flight, writes all data, releases the directory. Idempotent. */
  close(options?: { readonly grace_ms?: number }): Promise<void>
}

/** A check before the start, such as of the address. It rejects if the sandbox must not start. */
export type BeforeStart = (sandbox: Pick<Sandbox, 'isNew' | 'beforeListen'>) => Promise<void>

export type Assembly = Omit<SandboxOptions, 'seed'> &
  Required<Pick<SandboxOptions, 'systemClock' | 'notice' | 'onInternalError'>> & {
    readonly seed?: CheckedSeed | undefined
  }
