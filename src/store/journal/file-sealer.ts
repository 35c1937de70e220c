import type { StoreUnavailableError } from '../errors.ts'
import type { Ownership } from '../folder/ownership.ts'
import type { WriteAvailability } from '../write-availability.ts'
import type { Journal } from './journal.ts'
import type { PendingCommits } from './pending-commits.ts'

/** Ends a journal file and begins the next one. */
export interface FileSealer {
  /** See `CommitWriter.seal`. */
  seal(): Promise<{ readonly bytes: number; readonly maxSeq: number }>
  /**
   * Makes the next line the first one of its file.
   * @throws StoreUnavailableError
   */
  startFile(): void
}

interface FileSealerOptions {
  readonly journal: Journal
  readonly ownership: Pick<Ownership, 'assertNotLost'>
  readonly pending: PendingCommits
  readonly availability: Pick<WriteAvailability, 'assertAvailable'>
  /** Returns the number of the last journal line. */
  seq(): number
  write(): void
  rollBack(error: unknown): StoreUnavailableError
}

export function createFileSealer({
  journal,
  ownership,
  pending,
  availability,
  seq,
  write,
  rollBack,
}: FileSealerOptions): FileSealer {
  function rotate() {
    const sealed = { bytes: journal.size, maxSeq: seq() }
    journal.rotate(sealed.maxSeq + 1)
    pending.confirm()
    return sealed
  }

  return {
    async seal() {
      write()
      availability.assertAvailable()
      try {
        ownership.assertNotLost()
        // This sync may take long, so it does not block the event loop. The second sync, in `rotate`, blocks but is short.
        await journal.datasync()
        // Lines that were added during the sync are in the sealed file too.
        write()
        availability.assertAvailable()
        return rotate()
      } catch (error) {
        availability.assertAvailable()
        throw rollBack(error)
      }
    },
    startFile() {
      write()
      availability.assertAvailable()
      if (journal.size === 0) return
      try {
        ownership.assertNotLost()
        rotate()
      } catch (error) {
        throw rollBack(error)
      }
    },
  }
}
