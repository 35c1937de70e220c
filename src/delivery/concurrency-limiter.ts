// How many attempts are under way at once, so that nobody's slowness is anybody else's.
import { Fifo } from './fifo.ts'

export interface ConcurrencyLimits {
  readonly total: number
  readonly per_origin: number
  readonly per_receiver: number
  /** An origin may always have so many, even when the total is used up by others. */
  readonly reserved: number
}

const DEFAULT_LIMITS: ConcurrencyLimits = { total: 256, per_origin: 128, per_receiver: 64, reserved: 4 }

export interface ConcurrencyLimiter {
  /** Calls `start` as soon as there is room: at once, or when another one of the waiting has ended. */
  acquire(lane: Target, start: () => void): void
  release(lane: Target): void
}

/** Where an attempt goes: an origin may hold many receivers. */
export interface Target {
  readonly origin: string
  readonly receiver: string
}

interface Receiver {
  readonly key: string
  readonly origin: Origin
  readonly waiting: Fifo<() => void>
  active: number
  /** It stands in its origin's line. */
  listed: boolean
}

interface Origin {
  readonly key: string
  readonly receivers: Map<string, Receiver>
  /** Receivers that have something to send and room for it, by turns. */
  readonly line: Fifo<Receiver>
  active: number
}

export function createConcurrencyLimiter(limits: ConcurrencyLimits = DEFAULT_LIMITS): ConcurrencyLimiter {
  const origins = new Map<string, Origin>()
  /** Origins whose receivers wait for the total alone. */
  const blocked = new Set<Origin>()
  let total = 0

  return {
    acquire(lane, start) {
      const receiver = open(lane)
      receiver.waiting.push(start)
      list(receiver)
      serve(receiver.origin)
    },
    release(lane) {
      const receiver = open(lane)
      const { origin } = receiver
      total--
      origin.active--
      receiver.active--
      list(receiver)
      serve(origin)
      for (const other of blocked) {
        if (total >= limits.total) break
        blocked.delete(other)
        serve(other)
      }
      if (receiver.active === 0 && receiver.waiting.size === 0) origin.receivers.delete(receiver.key)
      if (origin.receivers.size === 0) origins.delete(origin.key)
    },
  }

  function open(lane: Target): Receiver {
    let origin = origins.get(lane.origin)
    if (origin === undefined) {
      origin = { key: lane.origin, receivers: new Map(), line: new Fifo(), active: 0 }
      origins.set(lane.origin, origin)
    }
    let receiver = origin.receivers.get(lane.receiver)
    if (receiver === undefined) {
      receiver = { key: lane.receiver, origin, waiting: new Fifo(), active: 0, listed: false }
      origin.receivers.set(lane.receiver, receiver)
    }
    return receiver
  }

  function list(receiver: Receiver): void {
    if (receiver.listed || receiver.waiting.size === 0 || receiver.active >= limits.per_receiver) return
    receiver.listed = true
    receiver.origin.line.push(receiver)
  }

  function serve(origin: Origin): void {
    while (origin.line.size > 0 && origin.active < limits.per_origin) {
      if (total >= limits.total && origin.active >= limits.reserved) return void blocked.add(origin)
      const receiver = origin.line.shift()
      const start = receiver?.waiting.shift()
      if (receiver === undefined || start === undefined) continue
      receiver.listed = false
      receiver.active++
      origin.active++
      total++
      list(receiver)
      start()
    }
  }
}
