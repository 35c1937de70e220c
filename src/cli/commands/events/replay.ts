import { isUtf8 } from 'node:buffer'
import type { Client } from '../../../client/client.ts'
import type { DeliveryView } from '../../../client/control-types.ts'
import { ApiError } from '../../../client/errors.ts'
import { paginate } from '../../../client/paginate.ts'
import { MAX_EDITED_BODY } from '../../../domain/delivery.ts'
import type { Run } from '../../command.ts'
import { CliError, EXIT_CODES, usageError } from '../../failure.ts'
import { readInput } from '../../input/read-input.ts'
import { noteSince } from '../../output/notes.ts'
import { startChanges } from '../../output/progress.ts'
import { printTable } from '../../output/table.ts'
import { expandEvents } from '../../parsing/event-patterns.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import type { Session } from '../../session.ts'
import { DryRunComplete, isDryRunComplete } from '../../target/dry-run.ts'
import { resolveId } from '../../target/resolve-objects.ts'
import type { REPLAY_ARGUMENTS, REPLAY_FLAGS } from '../events.ts'
import { deliveryError, failureText, REPLAY_COLUMNS } from '../webhooks/deliveries/subcommands.ts'

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

async function replayAll(ids: readonly string[], client: Client, flags: Flags, session: Session): Promise<number> {
  const { out, signals } = session
  const progress = await startChanges(session, 'events', ids.length)
  const deliveries: DeliveryView[] = []
  const responses: unknown[] = []
  let done = 0
  for (const id of ids) {
    if (signals.ended.aborted) break
    const response = await client.control.events
      .replay(id, { url: flags.to, same_timestamp: flags.same_timestamp || undefined, body: flags.body })
      .catch((error: unknown) => continueDryRun(error, id))
    if (response === undefined) continue
    responses.push(response)
    deliveries.push(...response.items)
    progress.update(++done)
  }
  progress.stop()
  if (session.dryRun !== undefined && ids.length > 0) throw new DryRunComplete('replays')
  const [failed, ...more] = deliveries.filter(({ status }) => status !== 'delivered')
  // With --json, stdout stays empty after a failure.
  if (out.json && failed !== undefined) throw deliveryError([failed, ...more], deliveries.length)
  if (out.json) for (const response of responses) out.document(response)
  if (!out.json && deliveries.length > 0) await printTable(out, REPLAY_COLUMNS, deliveries, '')
  if (ids.length === 0) out.note('No such events.')
  if (ids.length === 0 && flags.since !== undefined) await noteSince(client, out)
  if (failed === undefined) return EXIT_CODES.done
  out.warn(failureText([failed, ...more], deliveries.length))
  return EXIT_CODES.failed
}

/**
 * In a dry run, lets the loop continue with the next event. All requests are printed at the end.
 * @throws any other error, with a hint if no endpoint subscribes to the event
 */
function continueDryRun(error: unknown, id: string): undefined {
  if (isDryRunComplete(error)) return
  if (!(error instanceof ApiError && error.code === 'not_allowed')) throw error
  const hint = 'Send it to a URL with --to, or add an endpoint: `psp webhooks endpoints create URL`.'
  throw new CliError('refused', `No endpoint of its shop subscribes to the event ${id}.`, hint, error.code)
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
