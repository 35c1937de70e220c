import type { Client } from '../../../client/client.ts'
import { formatMoney } from '../../../domain/currency.ts'
import type { PublicRefund } from '../../../domain/refund.ts'
import type { Run } from '../../command.ts'
import { paintStatus } from '../../output/colour.ts'
import { printDetails } from '../../output/result.ts'
import { type AwaitedObject, chooseIdempotencyKey, waitForFinalStatus } from '../../target/final-status.ts'
import { resolveId } from '../../target/resolve-objects.ts'
import type { PAYMENT_ID, REFUND_FLAGS } from '../payments.ts'

export const refundPayment: Run<typeof PAYMENT_ID, typeof REFUND_FLAGS> = async ({ args, flags, session }) => {
  const { out } = session
  const { client } = await session.target()
  const id = await resolveId(client.control.lists.payments, args.id)
  let refund = await client.payments.refund(
    id,
    { amount: flags.amount, reason: flags.reason },
    { idempotencyKey: chooseIdempotencyKey(flags.idempotency_key, session), outcome: flags.outcome },
  )
  if (flags.wait) {
    refund = { ...refund, ...(await waitForFinalStatus(client, awaitedRefund(client, refund), session)) }
  }
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

/** Reads a refund from its payment, because refunds have no path. */
function awaitedRefund(client: Client, created: PublicRefund): AwaitedObject<PublicRefund> {
  return {
    kind: 'refund',
    created,
    isFinal: ({ status }) => status !== 'pending',
    async get() {
      const { refunds } = await client.payments.get(created.payment_id)
      return refunds.find(({ id }) => id === created.id) ?? created
    },
    showCommand: `psp payments get ${created.payment_id}`,
  }
}
