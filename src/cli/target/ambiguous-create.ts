// Explains how to retry a create whose response was lost. Separate from idempotency-key.ts because every command loads this.
import { ConnectionError } from '../../client/errors.ts'
import { CliError } from '../failure.ts'

/** Returns the error. If the response to a create was lost, the hint says how to run the command again. */
export function withRetry(error: unknown): unknown {
  const key = ambiguousKey(error)
  if (key === undefined) return error
  return retryError(error, `It may have been created. Run the same command again with ${flag(key)}`)
}

/** Returns one error for several failed creates. The hint lists the keys of all creates whose response was lost. */
export function withRetries([first, ...more]: readonly unknown[]): unknown {
  const failures = [first, ...more]
  const keys = failures.map(ambiguousKey).filter((key) => key !== undefined)
  if (keys.length === 0) return first
  const error = failures.find((each) => ambiguousKey(each) !== undefined)
  const made = keys.length === 1 ? 'One payment' : `${keys.length} payments`
  const each = keys.length === 1 ? 'again with' : 'once for each of'
  return retryError(
    error,
    `${made} may have been created in addition to those counted. Run the same command ${each} ${keys.map(flag).join(', ')} in place of --count`,
  )
}

/** Returns the key of a create that was sent and got no response. */
function ambiguousKey(error: unknown): string | undefined {
  return error instanceof ConnectionError && error.sent ? error.idempotencyKey : undefined
}

const flag = (key: string) => `\`--idempotency-key ${key}\``

function retryError(error: unknown, how: string): CliError {
  return new CliError(
    'unreachable',
    error instanceof Error ? error.message : String(error),
    `${how}: the server returns the object it created, and creates no second one.`,
  )
}
