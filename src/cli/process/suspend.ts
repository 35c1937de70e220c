// Suspends this process, as Ctrl-Z does for a program that does not read the terminal itself.
import type { SystemClock } from '../../system-clock/system-clock.ts'

/** The signal may be delivered this many ms after it was sent. */
const DELIVERY_TIME = 50

/**
 * Resolves after the shell continued the process group, or soon if no shell controls it, because the system then ignores the
 * signal. The whole group is suspended, because the shell waits for a parent such as `npx`.
 */
export async function suspendProcess(systemClock: Pick<SystemClock, 'setTimeout'>): Promise<void> {
  process.kill(0, 'SIGTSTP')
  await new Promise<void>((resolve) => systemClock.setTimeout(resolve, DELIVERY_TIME))
}
