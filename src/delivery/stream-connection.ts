// Spec 6.2, back-pressure: one reader of the public stream.
import { Fifo } from './fifo.ts'
import type { WallPort } from './ports.ts'
import { CONNECTED, HEARTBEAT, PING, type Sink } from './sse.ts'

export interface StreamConnection {
  /** Messages and their joined bytes, made once for all connections. */
  accept(messages: readonly string[], bytes: Uint8Array): void
  /** From now on nothing comes through, heartbeats neither, until the fault is gone. */
  stall(fault: string): void
  /** Drops what a stall holds back. */
  forget(): void
  /** Goes on where no fault that `stays` stalls it. */
  resume(stays: (fault: string) => boolean): void
  close(): void
  /** Messages that were dropped since the reader was too slow. */
  readonly dropped: number
}

/**
 * @param limit messages that may wait; above it the oldest is dropped
 * @param onGone the reader went away
 */
export function connect(
  sink: Sink,
  limit: number,
  wall: Pick<WallPort, 'setInterval'>,
  onGone: () => void,
): StreamConnection {
  const queue = new Fifo<string>()
  let blocked = false
  let stalled = false
  const faults = new Set<string>()
  let dropped = 0
  let open = true

  sink.onDrain(() => {
    blocked = false
    flush()
  })
  sink.onGone(() => {
    end()
    onGone()
  })
  const heartbeat = wall.setInterval(() => {
    if (!blocked && !stalled) blocked = !sink.write(PING)
  }, HEARTBEAT)
  heartbeat.unref?.()
  blocked = !sink.write(CONNECTED)

  function flush(): void {
    if (!open || blocked || stalled || queue.size === 0) return
    const text = [...queue].join('')
    queue.clear()
    blocked = !sink.write(Buffer.from(text))
  }

  function end(): void {
    open = false
    heartbeat.cancel()
    queue.clear()
  }

  return {
    accept(messages, bytes) {
      if (!open) return
      if (!blocked && !stalled && queue.size === 0) {
        blocked = !sink.write(bytes)
        return
      }
      for (const message of messages) {
        queue.push(message)
        if (queue.size <= limit) continue
        queue.shift()
        dropped++
      }
    },
    stall(fault) {
      faults.add(fault)
      stalled = true
    },
    forget() {
      if (stalled) queue.clear()
    },
    resume(stays) {
      for (const fault of faults) if (!stays(fault)) faults.delete(fault)
      stalled = faults.size > 0
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
