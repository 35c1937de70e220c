// The priority of threads that work while the main thread serves requests.
import { setPriority } from 'node:os'
import { ignoreErrors } from './folder/file-system.ts'

/**
 * A nice value. A thread with it gets a tenth of a core if it competes with the main thread. With the value 19, a thread
 * gets almost no time on a busy machine, and an ended one releases its memory too late: the main thread waits for that.
 */
const LOW_PRIORITY = 10

/** Lowers the priority of this thread. On systems other than Linux it would be the priority of the whole process. */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') ignoreErrors(() => setPriority(0, LOW_PRIORITY))
}
