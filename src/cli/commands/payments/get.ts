import type { NoFlags, Run } from '../../command.ts'
import { decidedBy, documentPayment, printPayment } from '../../output/payment-view.ts'
import { resolveId } from '../../parsing/resolve-id.ts'
import type { PAYMENT_ID } from './arguments.ts'

export const run: Run<typeof PAYMENT_ID, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target()
  const id = await resolveId(client.control.lists.payments, args.id)
  const payment = await client.payments.get(id)
  if (session.out.json) documentPayment(session.out, payment)
  else printPayment(session.out, payment, { decidedBy: await decidedBy(client, id) })
  return 0
}
