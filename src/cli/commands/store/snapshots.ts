import { dateAndTime } from '../../../terminal/clock-text.ts'
import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { printPage } from '../../pages.ts'

export const run: Run<NoArguments, NoFlags> = async ({ session }) => {
  const { client } = await session.target()
  return await printPage(session.out, await client.control.store.snapshots(), COLUMNS, 'No snapshots.')
}

const COLUMNS = [
  { title: 'snapshot', cell: ({ name }: { name: string }) => name },
  { title: 'taken (UTC)', cell: ({ taken_at }: { taken_at?: string }) => dateAndTime(taken_at ?? '') },
]
