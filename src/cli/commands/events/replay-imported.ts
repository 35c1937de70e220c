// `psp events replay --imported`: this process sends the events, not the server. It signs them with the receiver's
// secret in the sandbox, not with that of the recording.

import { createSend } from '../../../audit/send.ts'
import type { ImportedEventView } from '../../../client/history-types.ts'
import { createNodeFetch } from '../../../client/node-fetch.ts'
import { paginate } from '../../../client/paginate.ts'
import { closestName } from '../../../domain/closest-name.ts'
import { countOf } from '../../../domain/count-text.ts'
import { isSuccess } from '../../../domain/http-response.ts'
import { describeSignature } from '../../../domain/imported-event.ts'
import { signatureHeader, webhookHeaders } from '../../../domain/signatures.ts'
import { formatDuration } from '../../../domain/time.ts'
import { formatElapsed } from '../../../domain/time-text.ts'
import { type FieldMap, fieldsOf, isField, mapFields, parseFieldMap } from '../../../recordings/field-map.ts'
import { RecordingError } from '../../../recordings/recording-error.ts'
import { type ReplayItem, type ReplayPace, replayDuration, replayEvents } from '../../../recordings/replay-events.ts'
import { sanitizeLine } from '../../../terminal/sanitize.ts'
import type { Call } from '../../command.ts'
import { CliError, EXIT_CODES, usageError } from '../../failure.ts'
import { readText } from '../../input/read-input.ts'
import { startChanges } from '../../output/progress.ts'
import { type Column, idColumn, printTable } from '../../output/table.ts'
import { expandEvents } from '../../parsing/event-patterns.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import type { Session } from '../../session.ts'
import { importedOrderId, resolveIdAmong } from '../../target/resolve-objects.ts'
import { readSignatureFacts } from '../../target/signature-facts.ts'
import { auditSecrets } from '../audit/secrets.ts'
import type { REPLAY_ARGUMENTS, REPLAY_FLAGS } from '../events.ts'
import { responseColumn } from '../webhooks/deliveries/results.ts'

type Flags = FlagValues<typeof REPLAY_FLAGS>

interface SendResult {
  readonly id: string
  readonly event_id: string
  readonly event: string
  readonly url: string
  readonly status: number | null
  readonly ms: number
  readonly error: string | null
}

/** Returns exit code 1 if a receiver did not accept an event. */
export async function replayImported({ args, flags, session }: Call<typeof REPLAY_ARGUMENTS, typeof REPLAY_FLAGS>) {
  rejectUnsupportedFlags(flags)
  const maps = await Promise.all(flags.map.map(([field, file]) => readMap(field, file, session)))
  const items = await selectItems(args.ids, flags, session)
  requireFields(flags.map, items)
  const { mapped, unmapped } = applyMaps(items, maps)
  const receivers = await receiversOf(flags, session)
  const { out } = session
  const pace = paceOf(flags)
  const planned = mapped.length * receivers.length
  if (session.dryRun !== undefined) return printDryRun(mapped, receivers, session)
  if (pace !== 'instant' && !out.json)
    out.note(
      out.notePaint.dim(
        `Sending ${countOf(planned, 'event')} over ${formatDuration(Math.round(replayDuration(mapped, pace)))}.`,
      ),
    )
  const masked = items.filter(({ signature }) => signature === 'valid_when_recorded').length
  if (masked > 0 && !out.json)
    out.note(
      out.notePaint.dim(
        `The recorded signature of ${countOf(masked, 'event')} was ${describeSignature('valid_when_recorded')}. Each gets a new signature.`,
      ),
    )
  const sent = await sendAll(mapped, receivers, pace, session)
  if (!out.json) await report(sent, session)
  if (unmapped.length > 0)
    out.warn(
      `${countOf(unmapped.length, 'value of a mapped field is', 'values of mapped fields are')} in no map, such as ${sanitizeLine(unmapped[0] ?? '')}.`,
    )
  const failed = sent.filter(({ status }) => status === null || !isSuccess(status))
  if (failed.length === 0) return EXIT_CODES.done
  out.warn(
    `${failed.length} of ${countOf(sent.length, 'event')} ${failed.length === 1 ? 'was' : 'were'} not accepted. ${failed[0]?.error ?? ''}`.trim(),
  )
  return EXIT_CODES.failed
}

/** @throws CliError exit 2 */
function rejectUnsupportedFlags(flags: Flags): void {
  const wrong = [
    flags.since && '--since',
    flags.same_timestamp && '--same-timestamp',
    flags.body !== undefined && '--body',
  ].find(Boolean)
  if (wrong)
    throw usageError(`${wrong} cannot be used with --imported.`, 'Select imported events by --order or --event.')
  const paces = [flags.instant && '--instant', flags.as_recorded && '--as-recorded', flags.speed && '--speed'].filter(
    Boolean,
  )
  if (paces.length > 1) throw usageError(`${paces.join(' and ')} cannot be used together.`, 'Omit one of them.')
}

function paceOf({ speed, as_recorded }: Flags): ReplayPace {
  return speed ?? (as_recorded ? 1 : 'instant')
}

/** @throws CliError exit 2 that names the flag and the file */
async function readMap(field: string, file: string, session: Session): Promise<FieldMap> {
  try {
    return parseFieldMap(field, await readText(file, session), file)
  } catch (error) {
    if (error instanceof CliError || error instanceof RecordingError)
      throw usageError(`--map ${field}=${file}: ${error.message}`, error.hint)
    throw error
  }
}

/** @throws CliError exit 2 if a map changes a field that no event has */
function requireFields(maps: Flags['map'], events: readonly ImportedEventView[]): void {
  if (maps.length === 0 || events.length === 0) return
  const paths = fieldsOf(events.map(({ body }) => body))
  const wrong = maps.find(([field]) => !isField(field, paths))
  if (wrong === undefined) return
  const [field, file] = wrong
  const near = closestName(field, [...paths, ...paths.map((path) => path.slice(path.lastIndexOf('.') + 1))])
  throw usageError(
    `--map ${field}=${file}: no imported event has a value in this field.`,
    near === undefined ? `The events have the fields ${paths.join(', ')}.` : `Did you mean ${near}?`,
  )
}

async function selectItems(given: readonly string[], flags: Flags, session: Session): Promise<ImportedEventView[]> {
  const { client } = await session.target('read')
  const order_id = await importedOrderId(flags.order_id, client, session)
  const all = await paginate(client.control.importedEvents.list, order_id === undefined ? {} : { order_id })
  if (all.length === 0) {
    const about = order_id === undefined ? '' : ` of the order ${order_id}`
    throw new CliError(
      'not_found',
      `There are no imported events${about}.`,
      'Import a recording: psp events import FILE',
    )
  }
  const known = all.flatMap(({ id, event_id }) => [id, event_id])
  const ids = await Promise.all(given.map((id) => resolveIdAmong(known, id)))
  const missing = ids.find((id) => !known.includes(id))
  if (missing !== undefined) throw new CliError('not_found', `There is no imported event ${missing}.`, LIST_HINT)
  const names = flags.event.length === 0 ? undefined : new Set<string>(expandEvents(flags.event))
  return all
    .filter(({ id, event_id }) => ids.length === 0 || ids.includes(id) || ids.includes(event_id))
    .filter(({ event }) => names === undefined || names.has(event))
    .reverse()
}

const LIST_HINT = '`psp events list --imported` shows them.'

function applyMaps(events: readonly ImportedEventView[], maps: readonly FieldMap[]) {
  const unmapped = new Set<string>()
  const mapped = events.map(({ id, event_id, event, object_id, received_at, body }): ReplayItem => {
    const result = mapFields(body, maps)
    for (const value of result.unmapped) unmapped.add(value)
    return { id, event_id, event, orderingKey: object_id ?? event_id, at: Date.parse(received_at), body: result.body }
  })
  return { mapped, unmapped: [...unmapped] }
}

interface Receiver {
  readonly url: string
  readonly secret: string
}

/** Returns the receiver of `--to`, or all active endpoints. */
async function receiversOf({ to }: Flags, session: Session): Promise<readonly Receiver[]> {
  // Fails if the token may not read secrets. Without the secrets, all signatures would be invalid.
  const { client } = await session.target('read')
  await client.control.store.export(['endpoints'])
  if (to !== undefined) return [{ url: to, secret: (await auditSecrets(undefined, to, session)).secret }]
  const { endpoints } = await readSignatureFacts(session, undefined)
  const reachable = endpoints.filter(({ isListener }) => !isListener)
  if (reachable.length > 0) return reachable
  throw usageError(
    'There is no endpoint to send to.',
    'Name your handler: psp events replay --imported --to localhost:3000/hooks',
  )
}

function printDryRun(items: readonly ReplayItem[], receivers: readonly Receiver[], { out }: Session): number {
  const remarks = receivers.map(({ url }) => `Would send ${countOf(items.length, 'event')} to ${url}.`)
  if (out.json) out.document({ dry_run: true, remarks })
  else for (const remark of remarks) out.line(remark)
  return EXIT_CODES.done
}

/** The service's deadline for a response, in ms (spec 6.1). */
const TIMEOUT = 15_000

async function sendAll(
  items: readonly ReplayItem[],
  receivers: readonly Receiver[],
  pace: ReplayPace,
  session: Session,
): Promise<readonly SendResult[]> {
  const { out, host, signals } = session
  const { systemClock } = host
  const { fetch, close } = createNodeFetch()
  const progress = await startChanges(session, 'events', items.length * receivers.length)
  const sent: SendResult[] = []
  const senders = receivers.map(({ url, secret }) => {
    const send = createSend({ url, fetch, timeout: TIMEOUT, pause: 0, headers: [], systemClock })
    return async ({ id, event_id, event, body }: ReplayItem) => {
      const timestamp = Math.floor(systemClock.now() / 1000)
      const headers = webhookHeaders(event_id, timestamp, signatureHeader({ body, secret, timestamp }))
      const { status = null, ms, error = null } = await send({ headers, body: Buffer.from(body) })
      const result = { id, event_id, event, url, status, ms, error }
      sent.push(result)
      if (out.json) out.document(result)
      progress.update(sent.length)
    }
  })
  try {
    await replayEvents(items, {
      pace,
      systemClock,
      signal: signals.ended,
      send: async (item) => void (await Promise.all(senders.map((send) => send(item)))),
    })
    return sent
  } finally {
    progress.stop()
    close()
  }
}

/** A longer list is summarized. */
const MAX_ROWS = 20

const COLUMNS: readonly Column<SendResult>[] = [
  idColumn('event', ({ event_id }) => event_id),
  { title: 'name', cell: ({ event }) => event },
  responseColumn(({ status, error }) => status ?? error ?? ''),
  { title: 'took', cell: ({ ms }) => formatElapsed(ms), right: true },
  { title: 'url', cell: ({ url }) => url, minWidth: 20 },
]

async function report(sent: readonly SendResult[], { out }: Session): Promise<void> {
  if (sent.length <= MAX_ROWS) return await printTable(out, COLUMNS, sent, '')
  const counts = new Map<string, number>()
  for (const { status, error } of sent) {
    const result = status === null ? (error ?? 'no response') : String(status)
    counts.set(result, (counts.get(result) ?? 0) + 1)
  }
  out.line(`${countOf(sent.length, 'event')} sent`)
  for (const [result, count] of counts) out.line(`${String(count).padStart(8)}  ${sanitizeLine(result)}`)
}
