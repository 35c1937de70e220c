import type { NoArguments, Run } from '../../command.ts'
import { PAYMENT_COLUMNS } from '../../payment-view.ts'
import { printTable } from '../../table.ts'
import type { LIST_FLAGS } from './flags.ts'

export const run: Run<NoArguments, typeof LIST_FLAGS> = async ({ flags, session }) => {
  const { out } = session
  const { client } = await session.target()
  const page = await client.control.lists.payments(flags)
  if (out.json) {
    out.document(page)
    return 0
  }
  await printTable(out, PAYMENT_COLUMNS, page.items, 'No payments. Make one: psp payments create --amount 100')
  if (page.next_cursor !== null) out.note(out.notePaint.dim(`There are more: --cursor ${page.next_cursor}`))
  return 0
}
