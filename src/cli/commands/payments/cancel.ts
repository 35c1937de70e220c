import type { NoFlags, Run } from '../../command.ts'
import type { PAYMENT_ID } from './arguments.ts'

export const run: Run<typeof PAYMENT_ID, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target()
  const reply = await client.payments.cancel(args.id)
  if (session.out.json) session.out.document(reply)
  else session.out.line(`payment ${args.id} cancelled`)
  return 0
}
