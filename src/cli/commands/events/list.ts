import type { EventView } from '../../../client/control-types.ts'
import { truncate } from '../../../terminal/text-width.ts'
import type { NoArguments, Run } from '../../command.ts'
import { objectText } from '../../output/event-line.ts'
import { idColumn, timeColumn } from '../../output/id-and-time-columns.ts'
import { printPage } from '../../output/pages.ts'
import type { Column } from '../../output/table.ts'
import { noteSince } from '../../output/uptime-note.ts'
import { expandEvents } from '../../parsing/event-patterns.ts'
import type { LIST_FLAGS } from './flags.ts'

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

export const run: Run<NoArguments, typeof LIST_FLAGS> = async ({ flags, session }) => {
  if (flags.event !== undefined) expandEvents([flags.event])
  const { client } = await session.target()
  const page = await client.control.events.list(flags)
  const code = await printPage(session.out, page, COLUMNS, 'No events yet.', flags)
  if (page.items.length === 0 && flags.since !== undefined) await noteSince(client, session.out)
  return code
}
