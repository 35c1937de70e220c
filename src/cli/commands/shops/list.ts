import type { ShopView } from '../../../client/control-types.ts'
import type { NoArguments, Run } from '../../command.ts'
import { printPage } from '../../output/pages.ts'
import type { Column } from '../../output/table.ts'
import type { LIST_FLAGS } from './flags.ts'

const yes = (value: boolean | undefined) => (value === true ? 'yes' : '')

const COLUMNS: readonly Column<ShopView>[] = [
  { title: 'shop', cell: ({ id }) => id },
  { title: 'name', cell: ({ name }) => name },
  { title: 'merchant', cell: ({ merchant_id }) => merchant_id },
  { title: 'live', cell: ({ live_enabled }) => yes(live_enabled) },
  { title: 'signed', cell: ({ require_signature }) => yes(require_signature) },
  { title: 'payouts', cell: ({ payout_route }) => yes(payout_route) },
]

export const run: Run<NoArguments, typeof LIST_FLAGS> = async ({ flags, session }) => {
  const { client } = await session.target()
  return await printPage(session.out, await client.control.shops.list(flags), COLUMNS, 'No shops.')
}
