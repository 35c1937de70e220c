import type { NoArguments, Run } from '../../command.ts'
import { printPage } from '../../output/pages.ts'
import { PAYMENT_COLUMNS } from '../../output/payment-view.ts'
import { keyScope } from '../../parsing/key-scope.ts'
import type { LIST_FLAGS } from './flags.ts'

export const run: Run<NoArguments, typeof LIST_FLAGS> = async ({ flags, session }) => {
  const { client } = await session.target()
  const scope = await keyScope(client, session, flags.shop_id)
  const page = await client.control.lists.payments({ ...flags, ...scope })
  const nothing = 'No payments. Create one: psp payments create --amount 100'
  return await printPage(session.out, page, PAYMENT_COLUMNS, nothing, flags)
}
