import { formatDateTime } from '../../../terminal/time-format.ts'
import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { noteClock } from '../../output/clock-note.ts'
import { printPage } from '../../output/pages.ts'

export const run: Run<NoArguments, NoFlags> = async ({ session }) => {
  const { client } = await session.target()
  const page = await client.control.store.snapshots()
  if (page.items.length > 0) await noteClock(client, session, 'machine')
  return await printPage(session.out, page, COLUMNS, 'No snapshots. Take one: psp store snapshot NAME')
}

const COLUMNS = [
  { title: 'snapshot', cell: ({ name }: { name: string }) => name },
  { title: 'taken (UTC)', cell: ({ taken_at }: { taken_at?: string }) => formatDateTime(taken_at ?? '') },
]
