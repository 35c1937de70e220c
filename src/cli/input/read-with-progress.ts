// Reads a large file with a progress bar.
import { type Progress, startCount, startProgress } from '../output/progress.ts'
import type { Session } from '../session.ts'
import { openInput } from './read-input.ts'

const MIB = 1024 * 1024

export interface ShownInput {
  readonly pieces: AsyncIterable<Uint8Array>
  /** The caller stops it. */
  readonly progress: Pick<Progress, 'stop'>
}

/** @throws CliError (2) if the file cannot be opened */
export async function openWithProgress(file: string, session: Session): Promise<ShownInput> {
  const { size, pieces } = openInput(file, session)
  const what = `MiB of ${file === '-' ? 'stdin' : file}`
  const progress =
    size === undefined ? await startCount(session, what) : await startProgress(session, what, Math.ceil(size / MIB))
  return { pieces: counted(pieces, progress), progress }
}

/** Yields the pieces, and shows the number of MiB. */
export async function* counted(
  pieces: AsyncIterable<Uint8Array>,
  progress: Pick<Progress, 'update'>,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  let shown = 0
  for await (const piece of pieces) {
    bytes += piece.length
    const done = Math.floor(bytes / MIB)
    // The bar computes the remaining time from its last updates, so each must be a step forward.
    if (done > shown) progress.update(done)
    shown = done
    yield piece
  }
}
