// Limits concurrent attempts per receiver, per origin and in total, so a slow receiver cannot delay others.
import { Fifo } from './fifo.ts'

export interface ConcurrencyLimits {
  readonly total: number
  readonly per_origin: number
  readonly per_receiver: number
  /** The number of attempts that an origin may always have in flight, even if the total is used up. */
  readonly reserved: number
}

const DEFAULT_LIMITS: ConcurrencyLimits = { total: 256, per_origin: 128, per_receiver: 64, reserved: 4 }

export interface ConcurrencyLimiter {
  /** Calls `start` as soon as the limits allow it: at once, or when another attempt has ended. */
  acquire(target: Destination, start: () => void): void
  release(target: Destination): void
}

/** The destination of an attempt. An origin may have many receivers. */
export interface Destination {
  readonly origin: string
  readonly receiver: string
}

interface Receiver {
  readonly key: string
  readonly origin: Origin
  readonly waiting: Fifo<() => void>
  active: number
  /** True if the receiver is in its origin's queue. */
  isQueued: boolean
}

interface Origin {
  readonly key: string
  readonly receivers: Map<string, Receiver>
  /** Receivers that have a queued attempt and free capacity, in round-robin order. */
  readonly queue: Fifo<Receiver>
  active: number
}

export function createConcurrencyLimiter(limits: ConcurrencyLimits = DEFAULT_LIMITS): ConcurrencyLimiter {
  const origins = new Map<string, Origin>()
  /** Origins whose receivers are blocked only by the total limit. */
  const blocked = new Set<Origin>()
  let total = 0

  return {
    acquire(target, start) {
      const receiver = receiverOf(target)
      receiver.waiting.push(start)
      enqueue(receiver)
      startNext(receiver.origin)
    },
    release(target) {
      const receiver = receiverOf(target)
      const { origin } = receiver
      total--
      origin.active--
      receiver.active--
      enqueue(receiver)
      startNext(origin)
      for (const other of blocked) {
        if (total >= limits.total) break
        blocked.delete(other)
        startNext(other)
      }
      if (receiver.active === 0 && receiver.waiting.size === 0) origin.receivers.delete(receiver.key)
      if (origin.receivers.size === 0) origins.delete(origin.key)
    },
  }

  function receiverOf(target: Destination): Receiver {
    let origin = origins.get(target.origin)
    if (origin === undefined) {
      origin = { key: target.origin, receivers: new Map(), queue: new Fifo(), active: 0 }
      origins.set(target.origin, origin)
    }
    let receiver = origin.receivers.get(target.receiver)
    if (receiver === undefined) {
      receiver = { key: target.receiver, origin, waiting: new Fifo(), active: 0, isQueued: false }
      origin.receivers.set(target.receiver, receiver)
    }
    return receiver
  }

  function enqueue(receiver: Receiver): void {
    if (receiver.isQueued || receiver.waiting.size === 0 || receiver.active >= limits.per_receiver) return
    receiver.isQueued = true
    receiver.origin.queue.push(receiver)
  }

  function startNext(origin: Origin): void {
    while (origin.queue.size > 0 && origin.active < limits.per_origin) {
      if (total >= limits.total && origin.active >= limits.reserved) return void blocked.add(origin)
      const receiver = origin.queue.shift()
      const start = receiver?.waiting.shift()
      if (receiver === undefined || start === undefined) continue
      receiver.isQueued = false
      receiver.active++
      origin.active++
      total++
      enqueue(receiver)
      start()
    }
  }
}
