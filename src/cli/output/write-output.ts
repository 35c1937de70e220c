// Writes the output file of a command; `-` is stdout.
import { CliError } from '../failure.ts'
import { fileReason } from '../input/file-reason.ts'
import { resolvePath } from '../input/resolve-path.ts'
import type { Session } from '../session.ts'
import { type FileContent, type WriteOptions, writeFile } from './write-file.ts'

/** @returns the absolute path; `undefined` for stdout */
export async function writeOutput(file: string, text: string, session: Session): Promise<string | undefined> {
  if (file === '-') {
    session.out.text(text)
    return undefined
  }
  const path = resolvePath(session.host, file)
  await writeNamed(file, path, text, { signal: session.signals.ended })
  return path
}

/** @param file the name that the user gave. @throws CliError with the reason */
export async function writeNamed(
  file: string,
  path: string,
  content: FileContent,
  options: WriteOptions,
): Promise<void> {
  try {
    await writeFile(path, content, options)
  } catch (error) {
    if (options.signal?.aborted === true) throw options.signal.reason
    throw notWritten(file, error)
  }
}

export function notWritten(file: string, error: unknown): CliError {
  return new CliError('failed', `${file} cannot be written: ${fileReason(error)}.`, 'Name another file.')
}
