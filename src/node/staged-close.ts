import type { Socket } from 'node:net'
import type { SystemClock } from '../system-clock/system-clock.ts'

/** How much of an unread request is still read before its connection is closed. */
export interface DiscardLimits {
  readonly bytes: number
  readonly ms: number
}

const DISCARD_LIMITS: DiscardLimits = { bytes: 256 * 1024 * 1024, ms: 10_000 }

/**
 * Closes a connection in stages (RFC 9112 section 9.6): ends the sending side, then discards what the client still sends.
 * An immediate close resets the connection while the client writes, and the client loses the response.
 */
export function closeInStages(
  socket: Socket,
  systemClock: Pick<SystemClock, 'setTimeout'>,
  { bytes, ms }: DiscardLimits = DISCARD_LIMITS,
): void {
  socket.end()
  let left = bytes
  // The parser must not see a further request: its response could not be sent.
  socket.removeAllListeners('data')
  socket.on('data', (chunk) => {
    left -= chunk.length
    if (left < 0) socket.destroy()
  })
  // The parser read the handle directly and may have paused it: an empty chunk ends the pending read, so a new one starts.
  socket.push('')
  socket.resume()
  const deadline = systemClock.setTimeout(() => socket.destroy(), ms)
  deadline.unref?.()
  socket.once('close', () => deadline.cancel())
}
