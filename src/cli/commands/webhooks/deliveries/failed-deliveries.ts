import type { DeliveryView } from '../../../../client/control-types.ts'
import { CliError } from '../../../failure.ts'

/** Maximum deliveries in a hint. */
const NAMED = 10

/** Creates the `--json` error for failed deliveries. @param all number of deliveries of the command */
export function notTaken(failed: readonly DeliveryView[], all: number): CliError {
  const named = failed.slice(0, NAMED).map(({ id, attempts }) => {
    const last = attempts.at(-1)
    const why = last?.error ?? (last?.status == null ? undefined : `HTTP ${last.status}`)
    return why === undefined ? id : `${id} (${why})`
  })
  const more = failed.length > NAMED ? ` and ${failed.length - NAMED} more` : ''
  return new CliError(
    'failed',
    countText(failed.length, all),
    `\`psp webhooks deliveries get ID\` shows the response to ${named.join(', ')}${more}.`,
    'delivery_failed',
  )
}

/** Returns how many failed, and what to do about the first. */
export function notTakenText(failed: readonly [DeliveryView, ...DeliveryView[]], all: number): string {
  const [{ id, attempts, url }] = failed
  const next =
    attempts.length === 0
      ? `No listener is running for ${url}. Start \`psp listen\`, or give a URL: \`psp events replay EVENT --to URL\`.`
      : `\`psp webhooks deliveries get ${id}\` shows the response.`
  return `${countText(failed.length, all)} ${next}`
}

function countText(failed: number, all: number): string {
  return `${failed} of ${all} failed.`
}
