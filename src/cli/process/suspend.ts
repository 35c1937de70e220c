// Suspends this process, as Ctrl-Z does for a program that does not read the terminal itself.
import type { SystemClock } from '../../system-clock/system-clock.ts'

/** The signal may be delivered this many ms after it was sent. */
const DELIVERY_TIME = 50

/**
 * Suspends the whole process group, because the shell waits for a parent such as `npx`. Resolves after the shell has continued
 * the group. If no shell controls the group, the system ignores the signal, and the promise resolves after DELIVERY_TIME.
 */
export async function suspendProcess(systemClock: Pick<SystemClock, 'setTimeout'>): Promise<void> {
  process.kill(0, 'SIGTSTP')
  await new Promise<void>((resolve) => systemClock.setTimeout(resolve, DELIVERY_TIME))
}
