// A file that a command was asked to write; `-` is stdout.
import { writeFile } from 'node:fs/promises'
import { CliError } from '../failure.ts'
import { fileReason } from '../input/file-reason.ts'
import { namedPath } from '../input/named-path.ts'
import type { Session } from '../session.ts'

/** @returns the whole path; `undefined` where it went to stdout */
export async function writeOutput(file: string, text: string, { host, out }: Session): Promise<string | undefined> {
  if (file === '-') {
    out.text(text)
    return undefined
  }
  const path = namedPath(host, file)
  try {
    await writeFile(path, text)
  } catch (error) {
    throw notWritten(file, error)
  }
  return path
}

export function notWritten(file: string, error: unknown): CliError {
  return new CliError('failed', `${file} cannot be written: ${fileReason(error)}.`, 'Name another file.')
}
