import type { Delivery } from '../domain/delivery.ts'
import { parsedUrl } from '../domain/http-url.ts'
import { deferred } from '../domain/promises.ts'
import type { Destination } from './concurrency-limiter.ts'

/** An attempt that is queued or in flight. */
export interface AttemptJob extends Destination {
  readonly id: string
  /**
   * The key of a first attempt, unless it is a replay or an endpoint test. First attempts for one object and one
   * receiver are sent one after the other.
   */
  readonly orderingKey: string | undefined
  /** The key of the receiver's backlog, in which first attempts are sent one after the other for all objects. */
  readonly backlogKey: string | undefined
  readonly done: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  sending: boolean
}

/** Creates the job of an attempt. A first attempt queues behind the receiver's backlog until the backlog is empty. */
export function createAttemptJob(delivery: Delivery, hasBacklog: (receiver: string) => boolean): AttemptJob {
  const { promise: done, resolve, reject } = deferred()
  const receiver = receiverOf(delivery)
  const isOrdered = delivery.attempts.length === 0 && delivery.no_retries !== true
  return {
    id: delivery.id,
    receiver,
    origin: originOf(delivery.url),
    orderingKey: isOrdered ? `${receiver} ${delivery.object_id}` : undefined,
    backlogKey: isOrdered && (delivery.in_backlog === true || hasBacklog(receiver)) ? receiver : undefined,
    done,
    resolve,
    reject,
    sending: false,
  }
}

/** Returns the key of the receiver: the endpoint, or the URL if there is no endpoint. */
export function receiverOf(delivery: Pick<Delivery, 'endpoint_id' | 'url'>): string {
  return delivery.endpoint_id ?? delivery.url
}

/** Returns the origin of a URL: `http://127.0.0.1:3000`. Returns the text unchanged if it is not a URL. */
function originOf(url: string): string {
  return parsedUrl(url)?.origin ?? url
}
