import { refuse } from '../domain/errors.ts'
import { formatDuration } from '../domain/time.ts'
import type { ReceiverResponse } from '../receiver-client/transport.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import { type ForwardRequest, type ForwardResult, toReceiverResponse } from './forward-messages.ts'

/** Deliveries that were sent to listeners and have no result yet. */
export interface PendingForwards {
  /** Resolves with the reported response, with `disconnected`, or with an error after `limit` ms. */
  waitForResult(listenerId: string, forward: ForwardRequest, limit: number): Promise<ReceiverResponse | 'disconnected'>
  /**
   * @param dryRun only checks the result
   * @throws RefusalError `not_found` if no attempt of the delivery is waiting for a result
   */
  resolve(listenerId: string, result: ForwardResult, dryRun?: boolean): void
  disconnect(listenerId: string): void
  disconnectAll(): void
}

/** Each copy that the fault `duplicate` sends has a separate waiter. */
interface Waiter {
  readonly forward: ForwardRequest
  settle(response: ReceiverResponse | 'disconnected'): void
}

export function createPendingForwards(systemClock: Pick<SystemClock, 'setTimeout'>): PendingForwards {
  /** The waiters of each listener, oldest first. */
  const waiting = new Map<string, Set<Waiter>>()

  function find(id: string, { delivery_id, attempt, generation }: ForwardResult): Waiter | undefined {
    for (const waiter of waiting.get(id) ?? []) {
      const { forward } = waiter
      if (forward.delivery_id !== delivery_id) continue
      if (attempt !== undefined && attempt !== forward.attempt) continue
      if (generation === undefined || generation === forward.generation) return waiter
    }
    return undefined
  }

  function disconnect(id: string): void {
    const abandoned = waiting.get(id) ?? []
    waiting.delete(id)
    for (const waiter of abandoned) waiter.settle('disconnected')
  }

  return {
    waitForResult(id, forward, limit) {
      const waiters = waiting.get(id) ?? new Set()
      waiting.set(id, waiters)
      return new Promise((resolve) => {
        const deadline = systemClock.setTimeout(
          () => waiter.settle({ error: `The listener reported no result within ${formatDuration(limit)}.` }),
          limit,
        )
        const waiter: Waiter = {
          forward,
          settle(response) {
            deadline.cancel()
            waiters.delete(waiter)
            resolve(response)
          },
        }
        waiters.add(waiter)
      })
    },
    resolve(id, result, dryRun = false) {
      const waiter = find(id, result)
      if (waiter === undefined) {
        const name = result.delivery_id.slice(0, 64)
        throw refuse('not_found', `No attempt of delivery ${name} is waiting for a result from this listener.`)
      }
      if (!dryRun) waiter.settle(toReceiverResponse(result))
    },
    disconnect,
    disconnectAll() {
      for (const id of [...waiting.keys()]) disconnect(id)
    },
  }
}
