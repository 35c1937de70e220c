// The interface that a sandbox handle needs from a sandbox, in this process or behind a URL.
import type { FetchLike } from '../client/fetch-like.ts'
import type { Timers } from '../domain/time.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { WebhookHandler } from './receiver.ts'

export interface Credentials {
  readonly apiKey: string
  /** The secret that signs requests, `thm_…`. */
  readonly signingSecret: string
  /** The secret that signs webhooks, `whs_…`. */
  readonly webhookSecret: string
}

export interface ShopIdentity extends Credentials {
  readonly shopId: string
  readonly merchantId: string
}

export interface SandboxConnection {
  /** The base URL, without a trailing slash. */
  readonly url: string
  readonly controlToken?: string | undefined
  /** The `fetch` of the typed client. */
  readonly call: FetchLike
  /** A complete `fetch`, for the program under test. */
  fetch(request: Request): Promise<Response>
  readonly systemClock: Timers & Pick<SystemClock, 'now' | 'monotonic'>
  /** Aborted when the handle closes. */
  readonly closing: AbortSignal
  /** Passes the shop's webhooks to `handleWebhook` from now on. */
  receive(shop: ShopIdentity, handleWebhook: WebhookHandler): Promise<ReceiverSubscription>
  /** Runs a reset. Resolves when no webhook from before the reset can reach a receiver. */
  reset(run: () => Promise<unknown>): Promise<void>
  /**
   * From now on, webhooks to receivers other than the built-in one are sent with `globalThis.fetch`, which is read
   * again for each webhook.
   * @throws Error if the sandbox runs in another process
   */
  sendWebhooksWithGlobalFetch(): void
  /**
   * Sets the beginning of each `payment_url` from now on.
   * @throws Error if the sandbox runs in another process
   */
  setPayUrl(url: string): void
  close(): Promise<void>
}

export interface ReceiverSubscription {
  /** The URL to which the sandbox sends the webhooks. */
  readonly url: string
}

/** The error of every call after `close()`. */
export const CLOSED_MESSAGE = 'The sandbox was closed. Await the calls that still use it, or close it later.'
