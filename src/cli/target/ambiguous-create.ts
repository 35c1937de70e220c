// What a command says whose create went out, and whose answer was lost. Apart from own-key.ts: every command loads this.
import { ConnectionError } from '../../client/errors.ts'
import { CliError } from '../failure.ts'

/** The same error; where an answer to a create was lost, with how the command is asked again. */
export function withRetry(error: unknown): unknown {
  const key = lostKey(error)
  if (key === undefined) return error
  return lost(error, `It may have been made. Run the same command again with ${flag(key)}`)
}

/** Of several at once, each of which may have been made: the first that was lost, with the keys of all; else the first. */
export function withRetries([first, ...more]: readonly unknown[]): unknown {
  const failures = [first, ...more]
  const keys = failures.map(lostKey).filter((key) => key !== undefined)
  if (keys.length === 0) return first
  const error = failures.find((each) => lostKey(each) !== undefined)
  const made = keys.length === 1 ? 'One payment' : `${keys.length} payments`
  const each = keys.length === 1 ? 'once more with' : 'once for each of'
  return lost(
    error,
    `${made} may have been made beside those counted. Run the same command ${each} ${keys.map(flag).join(', ')} in place of --count`,
  )
}

/** The key of a create that went out and whose answer was lost. */
function lostKey(error: unknown): string | undefined {
  return error instanceof ConnectionError && error.sent ? error.idempotencyKey : undefined
}

const flag = (key: string) => `\`--idempotency-key ${key}\``

function lost(error: unknown, how: string): CliError {
  return new CliError(
    'unreachable',
    error instanceof Error ? error.message : String(error),
    `${how}: the server answers with what it made, and makes no second one.`,
  )
}
