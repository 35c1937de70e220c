import type { EventView } from '../../../client/control-types.ts'
import type { ImportedEventView } from '../../../client/history-types.ts'
import { paginate } from '../../../client/paginate.ts'
import { describeSignature, IMPORTED_EVENT_ID } from '../../../domain/imported-event.ts'
import { formatUtc } from '../../../domain/time-text.ts'
import { stringifyForTerminal } from '../../../terminal/sanitize.ts'
import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { usageError } from '../../failure.ts'
import { objectText } from '../../output/lines.ts'
import { noteSince } from '../../output/notes.ts'
import { printDetails } from '../../output/result.ts'
import { type Column, idColumn, printPage, timeColumn } from '../../output/table.ts'
import { expandEvents } from '../../parsing/event-patterns.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import type { Session } from '../../session.ts'
import { resultSubcommand } from '../../subcommand.ts'
import { importedOrderId, resolveFilters, resolveId, resolveIdAmong } from '../../target/resolve-objects.ts'
import type { EVENT_ID, LIST_FLAGS } from '../events.ts'

export const get: Run<typeof EVENT_ID, NoFlags> = async (call) =>
  await (call.args.id.startsWith('imp_') ? getImported : getOwn)(call)

const getImported: Run<typeof EVENT_ID, NoFlags> = resultSubcommand(
  async ({ control: { importedEvents } }, { args }) => {
    const ids = IMPORTED_EVENT_ID.test(args.id) ? [] : (await paginate(importedEvents.list)).map(({ id }) => id)
    return importedEvents.get(await resolveIdAmong(ids, args.id))
  },
  (out, event) => {
    printDetails(out, [
      ['event', event.event_id, out.paint.bold],
      ['import', event.id],
      ['name', event.event],
      ['object', event.object_id],
      ['received', formatUtc(event.received_at)],
      ['from', event.source],
      ['signature', describeSignature(event.signature, event.cause)],
    ])
    out.line(stringifyForTerminal(JSON.parse(event.body), 2))
  },
)

const getOwn: Run<typeof EVENT_ID, NoFlags> = resultSubcommand(
  async ({ control: { events } }, { args }) => events.get(await resolveId(events.list, args.id)),
  (out, event) => {
    printDetails(out, [
      ['event', event.id, out.paint.bold],
      ['name', event.event],
      ['object', event.object_id],
      ['created', formatUtc(event.created_at)],
    ])
    out.line(stringifyForTerminal(event.data, 2))
  },
)

const COLUMNS: readonly Column<EventView>[] = [
  idColumn('event', ({ id }) => id),
  { title: 'name', cell: ({ event }) => event },
  idColumn('object', ({ object_id }) => object_id),
  timeColumn('created', ({ created_at }) => created_at),
  { title: 'about', cell: ({ event, data }) => objectText(event, data).join('  '), minWidth: 12 },
]

const IMPORTED_COLUMNS: readonly Column<ImportedEventView>[] = [
  idColumn('event', ({ event_id }) => event_id),
  { title: 'name', cell: ({ event }) => event },
  idColumn('object', ({ object_id }) => object_id ?? ''),
  timeColumn('received', ({ received_at }) => received_at),
  { title: 'signature', cell: ({ signature, cause }) => cause ?? signature },
  { title: 'from', cell: ({ source }) => source, minWidth: 12 },
  idColumn('import', ({ id }) => id),
]

async function listImported(flags: FlagValues<typeof LIST_FLAGS>, session: Session): Promise<number> {
  const { imported: _, event, since, shop_id, ...query } = flags
  const wrong = [event && '--event', since && '--since', shop_id && '--shop'].find((flag) => flag !== undefined)
  if (wrong !== undefined)
    throw usageError(`${wrong} cannot be used with --imported.`, 'Select by --object or --order.')
  const { client } = await session.target()
  const { importedEvents } = client.control
  const { object_id } = query
  const objects = object_id === undefined ? [] : (await paginate(importedEvents.list)).map((row) => row.object_id ?? '')
  const page = await importedEvents.list({
    ...query,
    order_id: await importedOrderId(query.order_id, client, session),
    ...(object_id === undefined ? {} : { object_id: await resolveIdAmong(objects, object_id) }),
  })
  return await printPage(session.out, page, IMPORTED_COLUMNS, 'No events were imported.', query)
}

export const list: Run<NoArguments, typeof LIST_FLAGS> = async ({ flags, session }) => {
  if (flags.imported) return await listImported(flags, session)
  if (flags.order_id !== undefined) throw usageError('--order needs --imported.', 'Select by --object.')
  if (flags.event !== undefined) expandEvents([flags.event])
  const { client } = await session.target()
  const { imported: _, order_id: __, ...query } = flags
  const page = await client.control.events.list(await resolveFilters(client, query))
  const code = await printPage(session.out, page, COLUMNS, 'No events yet.', query)
  if (page.items.length === 0 && flags.since !== undefined) await noteSince(client, session.out)
  return code
}
