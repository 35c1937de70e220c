import type { Run } from '../../command.ts'
import { printDetails } from '../../details.ts'
import { paintStatus } from '../../status-look.ts'
import type { PAYMENT_ID } from './arguments.ts'
import type { REFUND_FLAGS } from './flags.ts'

export const run: Run<typeof PAYMENT_ID, typeof REFUND_FLAGS> = async ({ args, flags, session }) => {
  const { out } = session
  const { client } = await session.target()
  const refund = await client.payments.refund(
    args.id,
    { amount: flags.amount, reason: flags.reason },
    { idempotencyKey: flags.idempotency_key, outcome: flags.outcome },
  )
  if (out.json) {
    out.document(refund)
    return 0
  }
  printDetails(out, [
    ['refund', refund.id, out.paint.bold],
    ['status', refund.status, (text) => paintStatus(out.paint, text)],
    ['minor units', refund.amount],
    ['payment', refund.payment_id],
    ['reason', refund.reason],
  ])
  return 0
}
