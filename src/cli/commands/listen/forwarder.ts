// Forwards webhooks like the dispatcher: raw bytes, signed headers, no redirects.
import type { ListenerDelivery } from '../../../client/listener-types.ts'
import type { ReceiverResponse } from '../../../receiver-client/transport.ts'
import { createTransport } from '../../../receiver-client/undici-transport.ts'
import type { SystemClock } from '../../../system-clock/system-clock.ts'

export interface ForwardedResponse extends ReceiverResponse {
  /** Duration of the exchange. */
  readonly ms: number
}

export interface Forwarder {
  /** Loads modules early, so that the first webhook is not delayed. */
  open(): Promise<void>
  forward(delivery: ListenerDelivery): Promise<ForwardedResponse>
  close(): Promise<void>
}

export interface ForwarderOptions {
  /** Timeout of the exchange, in ms; by default the `timeout_ms` of the delivery. */
  readonly timeout: number | undefined
  /** Headers to add to each request. They replace headers of the same name. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly systemClock: Pick<SystemClock, 'setTimeout' | 'monotonic'>
}

/** The service's deadline for a response, in ms (spec 6.1). */
const DEFAULT_TIMEOUT = 15_000

export function createForwarder({ timeout, headers, systemClock }: ForwarderOptions): Forwarder {
  const { open, send, close } = createTransport(systemClock)
  const replacedNames = new Set(headers.map(([name]) => name.toLowerCase()))
  return {
    open,
    close,
    async forward({ url, headers: signed, body_b64, timeout_ms }) {
      const began = systemClock.monotonic()
      const response = await send({
        url,
        headers: [...signed.filter(([name]) => !replacedNames.has(name.toLowerCase())), ...headers],
        body: Buffer.from(body_b64, 'base64'),
        deadline_ms: timeout ?? timeout_ms ?? DEFAULT_TIMEOUT,
      })
      return { ...response, ms: Math.round(systemClock.monotonic() - began) }
    },
  }
}
