import type { DeliveryView } from '../../../../client/control-wire.ts'
import { CliError } from '../../../failure.ts'

/** Deliveries named in a hint. */
const NAMED = 10

/** With `--json`: what was not taken, in place of the answers. @param all deliveries of the command */
export function notTaken(failed: readonly DeliveryView[], all: number): CliError {
  const named = failed.slice(0, NAMED).map(({ id, attempts }) => {
    const last = attempts.at(-1)
    const why = last?.error ?? (last?.status == null ? undefined : `HTTP ${last.status}`)
    return why === undefined ? id : `${id} (${why})`
  })
  const more = failed.length > NAMED ? ` and ${failed.length - NAMED} more` : ''
  return new CliError(
    'failed',
    `${failed.length} of ${all} were not taken.`,
    `\`psp webhooks deliveries get ID\` shows the answer of ${named.join(', ')}${more}.`,
    'not_taken',
  )
}
