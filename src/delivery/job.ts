import { deferred } from '../domain/deferred.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { Target } from './concurrency-limiter.ts'
import { originOf, receiverOf } from './receiver.ts'

/** An attempt that waits or is under way. */
export interface Job extends Target {
  readonly id: string
  /** A first attempt: those of one object to one receiver leave one after the other. */
  readonly orderingKey: string | undefined
  /** It stands in the receiver's line, in which every object waits for every other. */
  readonly backlog: string | undefined
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
    orderingKey: first ? `${receiver} ${delivery.object_id}` : undefined,
    backlog: first && (delivery.in_line === true || isBusy(receiver)) ? receiver : undefined,
    done,
    resolve,
    reject,
    sending: false,
  }
}
