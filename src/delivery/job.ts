import { deferred } from '../domain/deferred.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { Lane } from './concurrency-limiter.ts'
import { originOf, receiverOf } from './receiver.ts'

/** An attempt that waits or is under way. */
export interface Job extends Lane {
  readonly id: string
  /** A first attempt: those of one object to one receiver leave one after the other. */
  readonly chain: string | undefined
  /** It stands in the receiver's line, in which every object waits for every other. */
  readonly line: string | undefined
  readonly done: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  sending: boolean
}

/** While what was missed is still leaving, what is new stands behind it. */
export function newJob(delivery: Delivery, isBusy: (receiver: string) => boolean): Job {
  const { promise: done, resolve, reject } = deferred()
  const receiver = receiverOf(delivery)
  const first = delivery.attempts.length === 0 && delivery.once !== true
  return {
    id: delivery.id,
    receiver,
    origin: originOf(delivery.url),
    chain: first ? `${receiver} ${delivery.object_id}` : undefined,
    line: first && (delivery.in_line === true || isBusy(receiver)) ? receiver : undefined,
    done,
    resolve,
    reject,
    sending: false,
  }
}
