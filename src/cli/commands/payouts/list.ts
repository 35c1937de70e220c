import { formatMoney } from '../../../domain/currency.ts'
import type { PublicPayout } from '../../../domain/payout.ts'
import type { NoArguments, Run } from '../../command.ts'
import { idColumn, timeColumn } from '../../output/id-and-time-columns.ts'
import { printPage } from '../../output/pages.ts'
import type { Column } from '../../output/table.ts'
import { keyScope } from '../../parsing/key-scope.ts'
import type { LIST_FLAGS } from './flags.ts'

const COLUMNS: readonly Column<PublicPayout>[] = [
  idColumn('payout', ({ id }) => id),
  { title: 'status', cell: ({ status, fail_reason }) => (fail_reason === '' ? status : `${status} ${fail_reason}`) },
  { title: 'amount', cell: ({ amount, currency }) => formatMoney(amount, currency), right: true },
  { title: 'to', cell: ({ recipient }) => recipient.phone },
  { title: 'bank', cell: ({ recipient }) => recipient.bank_id },
  timeColumn('created', ({ created_at }) => created_at),
]

export const run: Run<NoArguments, typeof LIST_FLAGS> = async ({ flags, session }) => {
  const { client } = await session.target()
  const scope = await keyScope(client, session, flags.shop_id)
  const page = await client.control.lists.payouts({ ...flags, ...scope })
  return await printPage(session.out, page, COLUMNS, 'No payouts. Create one: psp payouts create', flags)
}
