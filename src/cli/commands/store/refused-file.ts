// Rewrites the error of a rejected import to name the file and line.
import { ApiError } from '../../../client/errors.ts'

/** The server names the place in the state that it received, which is the place in the file. */
const PLACE = /^(?:body: )?(.*) \(line (\d+)(?:, column (\d+))?\)\. Nothing was changed\.$/s

/** Returns other errors unchanged. */
export function withLineNumber(error: unknown, file: string): unknown {
  if (!(error instanceof ApiError) || error.status !== 400) return error
  const [, why, line, column] = PLACE.exec(error.message) ?? []
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  const what = why === undefined ? error.message.replace(/^body: /, '') : `${why}. Nothing was changed.`
  const hint = 'Correct the file, or create another with `psp store export FILE`.'
  return new ApiError(error.status, error.code, `${place}: ${what}`, error.retryAfter, hint)
}
