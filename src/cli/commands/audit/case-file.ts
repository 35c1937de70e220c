import { readFileSync } from 'node:fs'
import { FindingFileError, parseFinding } from '../../../explore/finding-file.ts'
import { usage } from '../../failure.ts'
import { fileReason, resolvePath } from '../../input/files.ts'
import type { Session } from '../../session.ts'

/** The kinds of files with a case, and the commands that write them. */
const HINTS = {
  finding: 'Name a file that --explore --save wrote.',
  story: 'Name a file that `psp events export --scenario` wrote.',
} as const

/**
 * Reads the case of a file.
 * @throws CliError exit 2
 */
export function readCase(file: string, kind: keyof typeof HINTS, { host }: Session): ReturnType<typeof parseFinding> {
  let text: string
  try {
    text = readFileSync(resolvePath(host, file), 'utf8')
  } catch (error) {
    throw usage(`${file} cannot be read: ${fileReason(error)}.`, HINTS[kind])
  }
  try {
    return parseFinding(JSON.parse(text))
  } catch (error) {
    if (!(error instanceof FindingFileError || error instanceof SyntaxError)) throw error
    throw usage(`${file} is not a ${kind}: ${error.message}`, HINTS[kind])
  }
}
