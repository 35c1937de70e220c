// What a command says whose create went out, and whose answer was lost. Apart from own-key.ts: every command loads this.
import { Unreachable } from '../../client/errors.ts'
import { CliError } from '../failure.ts'

/** The same error; where an answer to a create was lost, with how the command is asked again. */
export function withRetry(error: unknown, { many = false }: { readonly many?: boolean } = {}): unknown {
  if (!(error instanceof Unreachable && error.sent && error.idempotencyKey !== undefined)) return error
  const flag = `\`--idempotency-key ${error.idempotencyKey}\``
  const again = many ? `once more with ${flag} in place of --count` : `again with ${flag}`
  return new CliError(
    'unreachable',
    error.message,
    `It may have been made. Run the same command ${again}: the server answers with what it made, and makes no second one.`,
  )
}
