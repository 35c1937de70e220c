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
  begin(): void
}

interface Writing {
  readonly journal: Journal
  readonly ownership: Pick<Ownership, 'assertNotLost'>
  readonly unsafe: PendingCommits
  readonly refusals: Pick<WriteAvailability, 'assertAvailable'>
  /** Number of the last line. */
  seq(): number
  write(): void
  takeBack(error: unknown): StoreUnavailableError
}

export function createFileSealer({ journal, ownership, unsafe, refusals, seq, write, takeBack }: Writing): FileSealer {
  function rotate() {
    const sealed = { bytes: journal.size, upTo: seq() }
    journal.rotate(sealed.upTo + 1)
    unsafe.safe()
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
    begin() {
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
