import type { DeliveryView } from '../../../../client/control-wire.ts'
import type { NoArguments, Run } from '../../../command.ts'
import { printPage } from '../../../pages.ts'
import type { Column } from '../../../table.ts'
import type { LIST_FLAGS } from './flags.ts'

const COLUMNS: readonly Column<DeliveryView>[] = [
  { title: 'delivery', cell: ({ id }) => id },
  { title: 'event', cell: ({ event }) => event },
  { title: 'url', cell: ({ url }) => url },
  { title: 'status', cell: ({ status }) => status },
  { title: 'attempts', cell: ({ attempts }) => attempts.length, right: true },
  { title: 'last', cell: ({ attempts }) => attempts.at(-1)?.error ?? attempts.at(-1)?.status },
]

export const run: Run<NoArguments, typeof LIST_FLAGS> = async ({ flags, session }) => {
  const { client } = await session.target()
  const page = await client.control.deliveries.list(flags)
  return await printPage(session.out, page, COLUMNS, 'No deliveries. Nobody listens, or nothing happened yet.', flags)
}
