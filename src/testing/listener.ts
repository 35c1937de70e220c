// Connects the built-in receiver to a server in another process, which streams deliveries and gets the results.
import type { Client } from '../client/client.ts'
import { follow } from '../client/follow.ts'
import type { ListenerDelivery } from '../client/listener-types.ts'
import { deferred } from '../domain/promises.ts'
import type { Timers } from '../domain/time.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { ReceiverSubscription } from './connection.ts'
import type { WebhookHandler } from './receiver.ts'

interface ListenerPorts {
  readonly systemClock: Timers & Pick<SystemClock, 'monotonic'>
  readonly closing: AbortSignal
}

export interface ListenerSubscription extends ReceiverSubscription {
  /** Resolves when the server reports that its state was replaced, or after {@link RESET_TIMEOUT} ms. */
  nextReset(): Promise<void>
  close(): Promise<void>
}

/** ms to wait for the report of a reset. Older versions of the server send no such report. */
const RESET_TIMEOUT = 1000

/** Resolves once the listener is connected. From then on, it misses no webhook. */
export async function subscribe(
  client: Client,
  shopId: string,
  handleWebhook: WebhookHandler,
  { systemClock, closing }: ListenerPorts,
): Promise<ListenerSubscription> {
  const { listeners } = client.control
  const url = `http://receiver.psp.test/${shopId}`
  const { id } = await listeners.open({ url, events: [], shop_id: shopId })
  const ending = new AbortController()
  const signal = AbortSignal.any([ending.signal, closing])
  const running = new Set<Promise<void>>()
  const resetWaiters: (() => void)[] = []

  async function handleDelivery(delivery: ListenerDelivery): Promise<void> {
    const began = systemClock.monotonic()
    const result = await handleWebhook(delivery.headers, Buffer.from(delivery.body_b64, 'base64')).then(
      ({ status, body }) => ({ status, response_body: body }),
      (error: unknown) => ({ error: `The receiver's response function threw: ${String(error)}` }),
    )
    // If the sandbox was reset or closed, the result has no recipient.
    await listeners
      .report(id, {
        delivery_id: delivery.delivery_id,
        attempt: delivery.attempt,
        generation: delivery.generation,
        ms: systemClock.monotonic() - began,
        ...result,
      })
      .catch(() => {})
  }

  const { promise: connecting, resolve: connected, reject: failed } = deferred()
  async function run(): Promise<void> {
    const messages = follow({
      connect: (_, aborted) => listeners.stream(id, { signal: aborted }),
      timers: systemClock,
      signal,
      onState: ({ state }) => {
        if (state === 'open') connected()
      },
    })
    for await (const { event, data } of messages) {
      if (event === 'reset') for (const resolve of resetWaiters.splice(0)) resolve()
      if (event !== 'delivery') continue
      const job: Promise<void> = handleDelivery(JSON.parse(data)).finally(() => running.delete(job))
      running.add(job)
    }
  }
  const ended = run().catch((error: unknown) => failed(error))
  await connecting
  return {
    url,
    nextReset: () =>
      new Promise((resolve) => {
        const timer = systemClock.setTimeout(resolve, RESET_TIMEOUT)
        resetWaiters.push(() => {
          timer.cancel()
          resolve()
        })
      }),
    async close() {
      ending.abort()
      await Promise.allSettled([ended, ...running])
      await listeners.close(id).catch(() => {})
    },
  }
}
