// What a sandbox handle needs of the sandbox, wherever that is: in this process, or behind a url.
import type { FetchLike } from '../client/fetch-like.ts'
import type { Timers } from '../domain/timers.ts'
import type { WallClock } from '../time/wall.ts'
import type { WebhookHandler } from './receiver.ts'

export interface Credentials {
  readonly apiKey: string
  /** `thm_…`: signs requests. */
  readonly signingSecret: string
  /** `whs_…`: signs webhooks. */
  readonly webhookSecret: string
}

export interface ShopIdentity extends Credentials {
  readonly shopId: string
  readonly merchantId: string
}

export interface SandboxConnection {
  /** Without a slash at its end. */
  readonly url: string
  readonly controlToken?: string | undefined
  /** The client's way in. */
  readonly call: FetchLike
  /** A whole fetch, for the program under test. */
  fetch(request: Request): Promise<Response>
  readonly wall: Timers & Pick<WallClock, 'now' | 'monotonic'>
  /** Aborted when the handle closes. */
  readonly closing: AbortSignal
  /** Sends the shop's webhooks to `intake` from now on. */
  receive(shop: ShopIdentity, intake: WebhookHandler): Promise<ReceiverSubscription>
  /** Runs a reset. Resolves when no webhook from before it can reach a receiver any more. */
  reset(run: () => Promise<unknown>): Promise<void>
  /** Other webhooks leave by the `fetch` that is global at that moment. */
  webhooksByFetch(): void
  /** From now on `payment_url` begins with `url`. */
  pagesAt(url: string): void
  close(): Promise<void>
}

export interface ReceiverSubscription {
  /** Where the sandbox sends them. */
  readonly url: string
  close(): Promise<void>
}
