// The results of replays and retries: their columns, and how many of them failed.
import type { DeliveryView } from '../../../../client/control-types.ts'
import { formatElapsed } from '../../../../domain/time-text.ts'
import { truncateChars } from '../../../../terminal/sanitize.ts'
import { CliError, EXIT_CODES } from '../../../failure.ts'
import type { Output } from '../../../output/output.ts'
import { type Column, idColumn } from '../../../output/table.ts'

export function tookText(delivery: DeliveryView | undefined): string | undefined {
  const last = delivery?.attempts.at(-1)
  return last === undefined ? undefined : formatElapsed(last.ms)
}

/** Returns the result of the last attempt as plain text. */
export function responseText({ attempts }: DeliveryView): string | number {
  const last = attempts.at(-1)
  if (last === undefined) return 'not attempted'
  const { status, error } = last
  if (typeof status !== 'number') return error ?? 'no response'
  return status < 300 && typeof error === 'string' ? `${status}, ${error}` : status
}

/** Maximum characters of a response in a narrow terminal. */
const SHORT_RESPONSE = 32

/** In a narrow terminal, a long error would hide the columns after it. */
export function responseColumn<Row>(response: (row: Row) => string | number): Column<Row> {
  const short = { cell: (row: Row) => truncateChars(String(response(row)), SHORT_RESPONSE) }
  return { title: 'response', cell: response, short, minWidth: 12 }
}

export const REPLAY_COLUMNS: readonly Column<DeliveryView>[] = [
  idColumn('event', ({ event_id }) => event_id),
  { title: 'name', cell: ({ event }) => event, usual: 'payment.succeeded' },
  responseColumn(responseText),
  { title: 'took', cell: tookText, right: true, usual: '999 ms' },
  { title: 'url', cell: ({ url }) => url, minWidth: 20 },
]

const MAX_NAMED = 10

/**
 * Creates the `--json` error for failed deliveries.
 * @param all number of deliveries of the command
 */
export function deliveryError(failed: readonly DeliveryView[], all: number): CliError {
  const idTexts = failed.slice(0, MAX_NAMED).map(({ id, attempts }) => {
    const last = attempts.at(-1)
    const why = last?.error ?? (last?.status == null ? undefined : `HTTP ${last.status}`)
    return why === undefined ? id : `${id} (${why})`
  })
  const more = failed.length > MAX_NAMED ? ` and ${failed.length - MAX_NAMED} more` : ''
  return new CliError(
    'failed',
    countText(failed.length, all),
    `\`psp webhooks deliveries get ID\` shows the response to ${idTexts.join(', ')}${more}.`,
    'delivery_failed',
  )
}

function failureText(failed: readonly [DeliveryView, ...DeliveryView[]], all: number): string {
  const [{ id, attempts, url }] = failed
  const next =
    attempts.length === 0
      ? `No listener is running for ${url}, or a fault delays the webhook. Start \`psp listen\`, give a URL (\`psp events replay EVENT --to URL\`), or look at \`psp faults list\`.`
      : `\`psp webhooks deliveries get ${id}\` shows the response.`
  return `${countText(failed.length, all)} ${next}`
}

/** Reports the failed deliveries, and returns the exit code. With `--json` the failure is the error of the command. */
export function reportFailures(failed: readonly DeliveryView[], all: number, out: Output): number {
  const [first, ...more] = failed
  if (first === undefined) return EXIT_CODES.done
  if (out.json) throw deliveryError(failed, all)
  out.warn(failureText([first, ...more], all))
  return EXIT_CODES.failed
}

function countText(failed: number, all: number): string {
  return `${failed} of ${all} failed.`
}
