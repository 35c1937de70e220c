import type { Run } from '../../command.ts'
import { printPayment } from '../../output/payment-view.ts'
import { resolveId } from '../../parsing/resolve-id.ts'
import type { PAYMENT_ID } from './arguments.ts'
import type { PAY_FLAGS } from './flags.ts'

export const run: Run<typeof PAYMENT_ID, typeof PAY_FLAGS> = async ({ args, flags, session }) => {
  const { client } = await session.target()
  const id = await resolveId(client.control.lists.payments, args.id)
  const payment = await client.control.act.payment(id, { action: 'pay', method: flags.method })
  if (session.out.json) session.out.document(payment)
  else printPayment(session.out, payment)
  return 0
}
