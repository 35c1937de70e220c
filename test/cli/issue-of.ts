import { CliError } from '../../src/cli/failure.ts'

/** Returns the error of a call, as message and hint, or `undefined` if it succeeds. */
export function issueOf(call: () => unknown): readonly [message: string, hint: string | undefined] | undefined {
  try {
    call()
  } catch (error) {
    if (error instanceof CliError) return [error.message, error.hint]
    throw error
  }
  return undefined
}
