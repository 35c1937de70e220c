// Spec 6.2: the heartbeat of an event stream, a comment that keeps an idle connection open.
import type { SystemClock } from '../system-clock/system-clock.ts'

export const PING = Buffer.from(': ping\n\n')
/** ms between heartbeats, on the system clock. */
const HEARTBEAT_INTERVAL = 25_000

/** Calls `send` at each heartbeat until it is cancelled. It does not keep the process alive. */
export function startHeartbeat(systemClock: Pick<SystemClock, 'setInterval'>, send: () => void): { cancel(): void } {
  const timer = systemClock.setInterval(send, HEARTBEAT_INTERVAL)
  timer.unref?.()
  return timer
}
