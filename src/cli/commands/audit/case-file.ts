import { FindingFileError, parseFinding } from '../../../explore/finding-file.ts'
import { usageError } from '../../failure.ts'
import { readText } from '../../input/read-input.ts'
import type { Session } from '../../session.ts'

const HINTS = {
  finding: 'Name a file that --explore --save wrote.',
  story: 'Name a file that `psp events export --scenario` wrote.',
} as const

/** A case has only a few steps. */
const MAX_BYTES = 16 * 1024 * 1024

/** @throws CliError exit 2 */
export async function readCase(
  file: string,
  kind: keyof typeof HINTS,
  session: Session,
): Promise<ReturnType<typeof parseFinding>> {
  const text = await readText(file, session, MAX_BYTES)
  try {
    return parseFinding(JSON.parse(text))
  } catch (error) {
    if (!(error instanceof FindingFileError || error instanceof SyntaxError)) throw error
    throw usageError(`${file} is not a ${kind}: ${error.message}`, HINTS[kind])
  }
}
