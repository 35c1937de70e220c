import type { ServerResponse } from 'node:http'
import type { EventStream } from '../delivery/sse.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'

/** The event streams of one server. */
export interface OpenStreams {
  /** Called before the head of the response is written. */
  add(outgoing: ServerResponse, stream: EventStream): void
  cutAll(): void
}

/** A client has this many ms to read the rest of a stream that ended. */
const DRAIN_TIMEOUT = 1000

export function createOpenStreams(systemClock: Pick<SystemClock, 'setTimeout'>): OpenStreams {
  const open = new Set<ServerResponse>()
  return {
    add(outgoing, stream) {
      // A client reconnects with a new connection, so this one would stay idle until its keep-alive timeout.
      outgoing.shouldKeepAlive = false
      open.add(outgoing)
      outgoing.on('close', () => open.delete(outgoing))
      void stream.ended.then(() => {
        if (outgoing.destroyed) return
        const cut = systemClock.setTimeout(() => outgoing.destroy(), DRAIN_TIMEOUT)
        cut.unref?.()
        outgoing.on('close', () => cut.cancel())
      })
    },
    cutAll() {
      for (const outgoing of open) outgoing.destroy()
    },
  }
}
