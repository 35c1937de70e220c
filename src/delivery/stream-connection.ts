// Spec 6.2: back-pressure for one reader of the public stream.

import type { BatchSize } from '../engine/batch-size.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import { Fifo } from './fifo.ts'
import { CONNECTED, PING, type Sink, startHeartbeat } from './sse.ts'

export interface StreamConnection {
  /** Sends or queues messages. `bytes` are the joined messages, which all connections share. */
  accept(messages: readonly string[], bytes: Uint8Array): void
  /**
   * Sends nothing from now on, not even heartbeats, until the fault is removed.
   * @param fault the id of the fault
   */
  stall(fault: string): void
  /** Drops the messages that a stall holds back. */
  dropStalled(): void
  /** Continues unless a fault that is still active stalls the connection. */
  resume(isActive: (fault: string) => boolean): void
  close(): void
  /** The number of messages dropped because the queue was full, for a slow reader or a stalled connection. */
  readonly dropped: number
}

/**
 * @param limit the number of queued messages, and their size in characters, above which the oldest is dropped
 * @param onDisconnect called when the reader disconnects
 */
export function connect(
  sink: Sink,
  limit: BatchSize,
  systemClock: Pick<SystemClock, 'setInterval'>,
  onDisconnect: () => void,
): StreamConnection {
  const queue = new Fifo<string>()
  let queued = 0
  let blocked = false
  /** The ids of the faults that stall the connection. */
  const stalls = new Set<string>()
  let dropped = 0
  let open = true

  sink.onDrain(() => {
    blocked = false
    flush()
  })
  sink.onDisconnect(() => {
    end()
    onDisconnect()
  })
  const heartbeat = startHeartbeat(systemClock, () => {
    if (!blocked && stalls.size === 0) blocked = !sink.write(PING)
  })
  blocked = !sink.write(CONNECTED)

  function flush(): void {
    if (!open || blocked || stalls.size > 0 || queue.size === 0) return
    const text = [...queue].join('')
    clearQueue()
    blocked = !sink.write(Buffer.from(text))
  }

  function end(): void {
    open = false
    heartbeat.cancel()
    clearQueue()
  }

  function clearQueue(): void {
    queue.clear()
    queued = 0
  }

  return {
    accept(messages, bytes) {
      if (!open) return
      if (!blocked && stalls.size === 0 && queue.size === 0) {
        blocked = !sink.write(bytes)
        return
      }
      for (const message of messages) {
        queue.push(message)
        queued += message.length
        while (queue.size > limit.rows || (queued > limit.bytes && queue.size > 1)) {
          queued -= queue.shift()?.length ?? 0
          dropped++
        }
      }
    },
    stall(fault) {
      stalls.add(fault)
    },
    dropStalled() {
      if (stalls.size > 0) clearQueue()
    },
    resume(isActive) {
      for (const fault of stalls) if (!isActive(fault)) stalls.delete(fault)
      flush()
    },
    close() {
      if (!open) return
      end()
      sink.close()
    },
    get dropped() {
      return dropped
    },
  }
}
