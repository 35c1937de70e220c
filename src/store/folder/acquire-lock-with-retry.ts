import { StoreLocked } from '../errors.ts'
import type { FileSystemPort } from './file-system.ts'
import { SILENT_FOR } from './liveness.ts'
import { type Lock, takeLock } from './lock.ts'

export interface PatientOptions {
  readonly wall: { now(): number; setTimeout?(fn: () => void, ms: number): unknown }
  readonly place?: string
  notice(text: string): void
}

/** ms between two looks. */
const PAUSE = 250

/**
 * Takes the lock. Where its holder is in another container or on another machine, its number tells nothing: the lock is
 * watched until it is written again, which the living do, or was silent for long enough. So a container that was killed
 * and starts again gets its folder back by itself.
 * @throws StoreLocked
 */
export async function takeLockPatiently(port: FileSystemPort, folder: string, options: PatientOptions): Promise<Lock> {
  const { wall, place } = options
  let first: StoreLocked | undefined
  for (let waited = 0; ; waited += PAUSE) {
    const silent = waited > SILENT_FOR ? first?.beat : undefined
    try {
      return takeLock(port, folder, wall.now(), { place, silent })
    } catch (error) {
      if (!(error instanceof StoreLocked) || error.beat === undefined || wall.setTimeout === undefined) throw error
      if (first === undefined) options.notice(`${error.message} Looking for ${SILENT_FOR / 1000} s whether it lives.`)
      else if (error.beat !== first.beat) throw error
      first ??= error
    }
    await new Promise<void>((done) => void wall.setTimeout?.(done, PAUSE))
  }
}
