import type { EndpointView } from '../../../../client/control-types.ts'
import type { NoArguments, Run } from '../../../command.ts'
import { defaultShop } from '../../../config/default-shop.ts'
import { printPage } from '../../../output/pages.ts'
import type { Column } from '../../../output/table.ts'
import type { LIST_FLAGS } from './flags.ts'

const COLUMNS: readonly Column<EndpointView>[] = [
  { title: 'endpoint', cell: ({ id }) => id },
  { title: 'url', cell: ({ url }) => url },
  { title: 'events', cell: ({ events }) => (events.length === 0 ? 'all' : events.join(', ')) },
  { title: 'signature', cell: ({ signature }) => signature },
  { title: 'active', cell: ({ active }) => (active ? 'yes' : 'no') },
]

export const run: Run<NoArguments, typeof LIST_FLAGS> = async ({ flags, session }) => {
  const { shop, limit, cursor } = flags
  const { client } = await session.target()
  const page = await client.control.endpoints.list(shop ?? (await defaultShop(client)), { limit, cursor })
  return await printPage(session.out, page, COLUMNS, 'No endpoints. Add one: psp webhooks endpoints create URL')
}
