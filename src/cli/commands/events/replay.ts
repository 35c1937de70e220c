import { isUtf8 } from 'node:buffer'
import type { Client } from '../../../client/client.ts'
import type { DeliveryView } from '../../../client/control-types.ts'
import { ApiError } from '../../../client/errors.ts'
import { paginate } from '../../../client/paginate.ts'
import { countOf } from '../../../domain/count-text.ts'
import { MAX_EDITED_BODY } from '../../../domain/delivery.ts'
import type { Run } from '../../command.ts'
import { CliError, usageError } from '../../failure.ts'
import { readInput } from '../../input/read-input.ts'
import { noteSince } from '../../output/notes.ts'
import { startChanges } from '../../output/progress.ts'
import { createResultPrinter } from '../../output/row-printer.ts'
import { expandEvents } from '../../parsing/event-patterns.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import type { Session } from '../../session.ts'
import { DryRunComplete, isDryRunComplete } from '../../target/dry-run.ts'
import { resolveId } from '../../target/resolve-objects.ts'
import type { REPLAY_ARGUMENTS, REPLAY_FLAGS } from '../events.ts'
import { REPLAY_COLUMNS, reportFailures } from '../webhooks/deliveries/results.ts'

type Flags = FlagValues<typeof REPLAY_FLAGS>

/** Returns exit code 1 if an attempt failed. */
export const replay: Run<typeof REPLAY_ARGUMENTS, typeof REPLAY_FLAGS> = async ({ args, flags, session }) => {
  if (flags.imported) return await (await import('./replay-imported.ts')).replayImported({ args, flags, session })
  rejectImportedFlags(flags)
  const imported = args.ids.find((id) => id.startsWith('imp_'))
  if (imported !== undefined)
    throw usageError(`${imported} is an imported event.`, `psp events replay --imported ${imported}`)
  if (args.ids.length > 0 === (flags.since !== undefined)) {
    throw usageError('Give either event ids or --since.', 'psp events replay evt_…')
  }
  if (flags.body !== undefined && args.ids.length !== 1) {
    throw usageError('--body needs exactly one event.', 'psp events replay evt_… --body FILE')
  }
  const body = flags.body === undefined ? undefined : await readBody(flags.body, session)
  // The API responds to a replay only after the attempt, and only a server makes attempts.
  const { client } = await session.target('server')
  const ids =
    flags.since === undefined
      ? await Promise.all(args.ids.map((id) => resolveId(client.control.events.list, id)))
      : await idsSince(client, flags.since, flags)
  return await replayAll(ids, client, { ...flags, body }, session)
}

/** @throws CliError exit 2 */
async function readBody(file: string, session: Session): Promise<string> {
  const bytes = await readInput(file, session)
  const body = isUtf8(bytes) ? bytes.toString() : ''
  if (bytes.length === 0) throw usageError(`${file} is empty.`, 'Give a file with the edited body.')
  if (body === '') throw usageError(`${file} is not UTF-8 text.`, 'A webhook body is text, usually JSON.')
  if (body.length <= MAX_EDITED_BODY) return body
  throw usageError(`${file} is longer than ${MAX_EDITED_BODY} characters.`, 'Shorten it.')
}

/** @throws CliError exit 2 for a flag that only imported events have */
function rejectImportedFlags({ order_id, instant, as_recorded, speed, map }: Flags): void {
  const given = [
    order_id && '--order',
    instant && '--instant',
    as_recorded && '--as-recorded',
    speed && '--speed',
    map.length > 0 && '--map',
  ].find((flag) => typeof flag === 'string')
  if (given !== undefined) throw usageError(`${given} needs --imported.`, `Add --imported, or omit ${given}.`)
}

/** Each result is printed as it arrives, so that a later error or signal cannot lose it. */
async function replayAll(ids: readonly string[], client: Client, flags: Flags, session: Session): Promise<number> {
  const { out, signals } = session
  const progress = await startChanges(session, 'events', ids.length)
  const results = createResultPrinter(out, REPLAY_COLUMNS, progress)
  const deliveries: DeliveryView[] = []
  let skipped = 0
  try {
    for (const [at, id] of ids.entries()) {
      if (signals.ended.aborted) break
      const response = await client.control.events
        .replay(id, { url: flags.to, same_timestamp: flags.same_timestamp || undefined, body: flags.body })
        .catch((error: unknown) => handleReplayError(error, id, flags))
      if (signals.ended.aborted) break
      if (response === 'no receiver') skipped++
      else if (response !== 'planned') {
        deliveries.push(...response.items)
        await results.print(response, response.items)
      }
      progress.update(at + 1)
    }
  } finally {
    progress.stop()
  }
  results.finish()
  return await reportReplay({ deliveries, skipped, count: ids.length }, client, flags, session)
}

interface ReplayTotals {
  readonly deliveries: readonly DeliveryView[]
  /** Events without a receiver. */
  readonly skipped: number
  readonly count: number
}

async function reportReplay(
  { deliveries, skipped, count }: ReplayTotals,
  client: Client,
  { since }: Flags,
  session: Session,
): Promise<number> {
  const { out, dryRun } = session
  if (skipped > 0 && skipped === count)
    throw new CliError(
      'refused',
      `No endpoint subscribes to ${count === 1 ? 'the event' : `any of the ${count} events`}.`,
      noReceiverHint(count),
      'not_allowed',
    )
  const skippedText = `${skipped} of ${countOf(count, 'event')} ${skipped === 1 ? 'has' : 'have'} no receiver.`
  if (dryRun !== undefined && count > 0) {
    if (skipped > 0) dryRun.remarks.push(skippedText)
    throw new DryRunComplete('replays')
  }
  if (skipped > 0) out.warn(`${skippedText} --to sends an event without a receiver to a URL.`)
  if (count === 0) out.note('No such events.')
  if (count === 0 && since !== undefined) await noteSince(client, out)
  return reportFailures(
    deliveries.filter(({ status }) => status !== 'delivered'),
    deliveries.length,
    out,
  )
}

/** @param count number of events */
function noReceiverHint(count: number): string {
  const events = count === 1 ? 'it' : 'them'
  return `Send ${events} to a URL with --to, or add an endpoint: \`psp webhooks endpoints create URL\`.`
}

/**
 * In a dry run, lets the loop continue with the next event. With `--since`, events without a receiver are skipped,
 * because the user did not choose each of them.
 * @throws any other error, with a hint if no endpoint subscribes to the event
 */
function handleReplayError(error: unknown, id: string, { since }: Flags): 'planned' | 'no receiver' {
  if (isDryRunComplete(error)) return 'planned'
  if (!(error instanceof ApiError && error.code === 'not_allowed')) throw error
  if (since !== undefined) return 'no receiver'
  throw new CliError('refused', `No endpoint of its shop subscribes to the event ${id}.`, noReceiverHint(1), error.code)
}

/** Returns the ids of the selected events, oldest first. */
async function idsSince(client: Client, since: string, flags: Flags): Promise<string[]> {
  const names = new Set<string>(expandEvents(flags.event))
  const events = await paginate(client.control.events.list, { since })
  return events
    .filter(({ event }) => names.has(event))
    .map(({ id }) => id)
    .reverse()
}
