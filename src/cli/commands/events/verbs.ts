import type { EventView } from '../../../client/control-types.ts'
import { formatUtc } from '../../../domain/time-text.ts'
import { stringifyForTerminal } from '../../../terminal/sanitize.ts'
import { truncate } from '../../../terminal/text-width.ts'
import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { objectText } from '../../output/lines.ts'
import { noteSince } from '../../output/notes.ts'
import { printDetails } from '../../output/result.ts'
import { type Column, idColumn, printPage, timeColumn } from '../../output/table.ts'
import { expandEvents } from '../../parsing/event-patterns.ts'
import { resolveId } from '../../target/resolve-objects.ts'
import { resultVerb } from '../../verb.ts'
import type { EVENT_ID, LIST_FLAGS } from '../events.ts'

export const get: Run<typeof EVENT_ID, NoFlags> = resultVerb(
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
  {
    title: 'about',
    cell: ({ event, data }) => objectText(event, data).join('  '),
    short: { cell: ({ event, data }) => truncate(objectText(event, data)[0] ?? '', 24) },
    least: 12,
  },
]

export const list: Run<NoArguments, typeof LIST_FLAGS> = async ({ flags, session }) => {
  if (flags.event !== undefined) expandEvents([flags.event])
  const { client } = await session.target()
  const page = await client.control.events.list(flags)
  const code = await printPage(session.out, page, COLUMNS, 'No events yet.', flags)
  if (page.items.length === 0 && flags.since !== undefined) await noteSince(client, session.out)
  return code
}
