import { refuse } from '../domain/errors.ts'
import { formatDuration } from '../domain/time.ts'
import type { ReceiverResponse } from '../receiver-client/transport.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import { type ForwardRequest, type ForwardResult, toReceiverResponse } from './forward-messages.ts'

/** Deliveries that were sent to listeners and have no result yet. */
export interface PendingForwards {
  /** Resolves with the reported response, with `disconnected` if the listener disconnected, or with an error after `limit` ms. */
  waitForResult(listenerId: string, forward: ForwardRequest, limit: number): Promise<ReceiverResponse | 'disconnected'>
  /**
   * @param dryRun only checks the result
   * @throws RefusalError `not_found` if no attempt of the delivery is waiting for a result
   */
  resolve(listenerId: string, result: ForwardResult, dryRun?: boolean): void
  /** Called when the listener disconnected. */
  disconnect(listenerId: string): void
  disconnectAll(): void
}

interface Waiter {
  readonly attempt: number
  readonly generation: number
  settle(response: ReceiverResponse | 'disconnected'): void
}

export function createPendingForwards(systemClock: Pick<SystemClock, 'setTimeout'>): PendingForwards {
  /** Waiters by listener and delivery, oldest first. Each copy that a `duplicate` fault sends has its own waiter. */
  const waiting = new Map<string, Map<string, Waiter[]>>()

  return {
    waitForResult(id, { delivery_id, attempt, generation }, limit) {
      return new Promise((resolve) => {
        const byDelivery = waiting.get(id) ?? new Map<string, Waiter[]>()
        waiting.set(id, byDelivery)
        const deadline = systemClock.setTimeout(() => {
          remove(byDelivery, delivery_id, waiter)
          waiter.settle({ error: `The listener reported no result within ${formatDuration(limit)}.` })
        }, limit)
        const waiter: Waiter = {
          attempt,
          generation,
          settle(response) {
            deadline.cancel()
            resolve(response)
          },
        }
        byDelivery.set(delivery_id, [...(byDelivery.get(delivery_id) ?? []), waiter])
      })
    },
    resolve(id, result, dryRun = false) {
      const byDelivery = waiting.get(id)
      const waiters = byDelivery?.get(result.delivery_id) ?? []
      const waiter = waiters.find(
        ({ attempt, generation }) =>
          attempt === (result.attempt ?? attempt) && generation === (result.generation ?? generation),
      )
      if (byDelivery === undefined || waiter === undefined) {
        const name = result.delivery_id.slice(0, 64)
        throw refuse('not_found', `No attempt of delivery ${name} is waiting for a result from this listener.`)
      }
      if (dryRun) return
      remove(byDelivery, result.delivery_id, waiter)
      waiter.settle(toReceiverResponse(result))
    },
    disconnect,
    disconnectAll() {
      for (const id of [...waiting.keys()]) disconnect(id)
    },
  }

  function disconnect(id: string): void {
    const abandoned = waiting.get(id)
    waiting.delete(id)
    for (const waiters of abandoned?.values() ?? []) for (const waiter of waiters) waiter.settle('disconnected')
  }
}

function remove(byDelivery: Map<string, Waiter[]>, deliveryId: string, waiter: Waiter): void {
  const rest = (byDelivery.get(deliveryId) ?? []).filter((other) => other !== waiter)
  if (rest.length === 0) byDelivery.delete(deliveryId)
  else byDelivery.set(deliveryId, rest)
}
