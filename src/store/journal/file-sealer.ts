import type { StoreUnavailableError } from '../errors.ts'
import type { Ownership } from '../folder/ownership.ts'
import type { WriteAvailability } from '../write-availability.ts'
import type { Journal } from './journal.ts'
import type { PendingCommits } from './pending-commits.ts'

/** Ends a journal file and begins the next one. */
export interface FileSealer {
  /** See `CommitWriter.seal`. */
  seal(): Promise<{ readonly bytes: number; readonly upTo: number }>
  /** The next line is the first one of its file. @throws StoreUnavailableError */
  startFile(): void
}

interface FileSealerOptions {
  readonly journal: Journal
  readonly ownership: Pick<Ownership, 'assertNotLost'>
  readonly pending: PendingCommits
  readonly availability: Pick<WriteAvailability, 'assertAvailable'>
  /** Number of the last line. */
  seq(): number
  write(): void
  rollBack(error: unknown): StoreUnavailableError
}

export function createFileSealer({
  journal,
  ownership,
  pending: unsafe,
  availability: refusals,
  seq,
  write,
  rollBack: takeBack,
}: FileSealerOptions): FileSealer {
  function rotate() {
    const sealed = { bytes: journal.size, upTo: seq() }
    journal.rotate(sealed.upTo + 1)
    unsafe.confirm()
    return sealed
  }

  return {
    async seal() {
      write()
      refusals.assertAvailable()
      try {
        ownership.assertNotLost()
        // The long sync runs next to the event loop; the rest, in `rotate`, is short.
        await journal.datasync()
        // Lines that were added since are in the sealed file too.
        write()
        refusals.assertAvailable()
        return rotate()
      } catch (error) {
        refusals.assertAvailable()
        throw takeBack(error)
      }
    },
    startFile() {
      write()
      refusals.assertAvailable()
      if (journal.size === 0) return
      try {
        ownership.assertNotLost()
        rotate()
      } catch (error) {
        throw takeBack(error)
      }
    },
  }
}
