import { formatMoney } from '../../../domain/currency.ts'
import type { Run } from '../../command.ts'
import { printDetails } from '../../output/details.ts'
import { paintStatus } from '../../output/status-look.ts'
import { wholeId } from '../../parsing/whole-id.ts'
import { createKey } from '../../target/own-key.ts'
import type { PAYMENT_ID } from './arguments.ts'
import type { REFUND_FLAGS } from './flags.ts'

export const run: Run<typeof PAYMENT_ID, typeof REFUND_FLAGS> = async ({ args, flags, session }) => {
  const { out } = session
  const { client } = await session.target()
  const id = await wholeId(client.control.lists.payments, args.id)
  const refund = await client.payments.refund(
    id,
    { amount: flags.amount, reason: flags.reason },
    { idempotencyKey: createKey(flags.idempotency_key, session), outcome: flags.outcome },
  )
  if (out.json) {
    out.document(refund)
    return 0
  }
  const { currency } = await client.payments.get(id)
  printDetails(out, [
    ['refund', refund.id, out.paint.bold],
    ['status', refund.status, (text) => paintStatus(out.paint, text)],
    ['amount', formatMoney(refund.amount, currency)],
    ['payment', refund.payment_id],
    ['reason', refund.reason],
  ])
  return 0
}
