// The priority of threads that work while the main thread serves requests.
import { setPriority } from 'node:os'
import { ignoreErrors } from './folder/file-system.ts'

/**
 * A nice value. A thread with this value gets a tenth of a core if it competes with the main thread. With 19 it would
 * get almost no time on a busy machine. Even the release of its memory at its end would take long, and the main thread
 * waits for that.
 */
const LOW_PRIORITY = 10

/** Lowers the priority of this thread, only on Linux. Elsewhere the call would change the whole process. */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') ignoreErrors(() => setPriority(0, LOW_PRIORITY))
}
