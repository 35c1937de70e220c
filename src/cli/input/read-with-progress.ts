import { RecordingError } from '../../recordings/recording-error.ts'
import { type Progress, startCount, startProgress } from '../output/progress.ts'
import type { Session } from '../session.ts'
import { type Input, openInput } from './read-input.ts'

const MIB = 1024 * 1024

export interface ShownInput extends Pick<Input, 'pieces' | 'isChanged'> {
  /** The caller stops the progress bar. */
  readonly progress: Pick<Progress, 'stop'>
}

/** @throws CliError (2) if the file cannot be opened */
export async function openWithProgress(file: string, session: Session): Promise<ShownInput> {
  const { size, pieces, isChanged } = openInput(file, session)
  const what = `MiB of ${file === '-' ? 'stdin' : file}`
  const progress =
    size === undefined ? await startCount(session, what) : await startProgress(session, what, Math.ceil(size / MIB))
  return { pieces: counted(pieces, progress), progress, isChanged }
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
    // The bar computes the remaining time from its last updates, so each update must increase the number.
    if (done > shown) progress.update(done)
    shown = done
    yield piece
  }
}

/** If a recording cannot be read and its file was changed, returns an error that names the change as the cause. */
export function explainFileChange(error: unknown, name: string, { isChanged }: Pick<Input, 'isChanged'>): unknown {
  if (!(error instanceof RecordingError) || !isChanged()) return error
  return new RecordingError(
    `${name} was changed while psp read it. ${error.message}`,
    'Wait until the program that writes the file has ended, or use a copy of the file.',
  )
}
