import type { Client } from '../../../client/client.ts'
import type { PublicPayment } from '../../../domain/payment.ts'
import { isFinalPayment } from '../../../domain/payment-states.ts'
import type { Session } from '../../session.ts'

const FIRST_PAUSE = 50
const LONGEST_PAUSE = 1000

/** Asks again and again, less and less often: a real service has nothing else to offer to everybody. */
export async function untilFinal(client: Client, payment: PublicPayment, session: Session): Promise<PublicPayment> {
  const { host, signals } = session
  let latest = payment
  let pause = FIRST_PAUSE
  while (!isFinalPayment(latest.status) && latest.status !== 'succeeded' && !signals.ended.aborted) {
    await new Promise<void>((done) => void host.wall.setTimeout(done, pause))
    pause = Math.min(pause * 1.5, LONGEST_PAUSE)
    latest = await client.payments.get(payment.id)
  }
  return latest
}
