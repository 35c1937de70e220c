import type { EventView } from '../../../client/control-wire.ts'
import { dateAndTime } from '../../../terminal/clock-text.ts'
import type { NoArguments, Run } from '../../command.ts'
import { objectText } from '../../event-line.ts'
import { expandEvents } from '../../event-patterns.ts'
import { printPage } from '../../pages.ts'
import { noteSince } from '../../since-note.ts'
import type { Column } from '../../table.ts'
import type { LIST_FLAGS } from './flags.ts'

const COLUMNS: readonly Column<EventView>[] = [
  { title: 'event', cell: ({ id }) => id },
  { title: 'name', cell: ({ event }) => event },
  { title: 'object', cell: ({ object_id }) => object_id },
  { title: 'created (UTC)', cell: ({ created_at }) => dateAndTime(created_at) },
  { title: 'about', cell: ({ event, data }) => objectText(event, data).join('  ') },
]

export const run: Run<NoArguments, typeof LIST_FLAGS> = async ({ flags, session }) => {
  if (flags.event !== undefined) expandEvents([flags.event])
  const { client } = await session.target()
  const page = await client.control.events.list(flags)
  const code = await printPage(session.out, page, COLUMNS, 'No events yet.', flags)
  if (page.items.length === 0 && flags.since !== undefined) await noteSince(client, session.out)
  return code
}
