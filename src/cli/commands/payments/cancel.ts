import type { NoFlags, Run } from '../../command.ts'
import { resolveId } from '../../parsing/resolve-id.ts'
import type { PAYMENT_ID } from './arguments.ts'

export const run: Run<typeof PAYMENT_ID, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target()
  const id = await resolveId(client.control.lists.payments, args.id)
  const reply = await client.payments.cancel(id)
  if (session.out.json) session.out.document(reply)
  else session.out.line(`payment ${id} cancelled`)
  return 0
}
