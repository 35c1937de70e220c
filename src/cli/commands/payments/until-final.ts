import type { Client } from '../../../client/client.ts'
import { ApiError, UnexpectedReply } from '../../../client/errors.ts'
import { follow } from '../../../client/follow.ts'
import type { PublicPayment } from '../../../domain/payment.ts'
import { isFinalPayment } from '../../../domain/payment-states.ts'
import type { Session } from '../../session.ts'

const FIRST_PAUSE = 50
const LONGEST_PAUSE = 1000

/** Hears of the end where there is a control stream, so that the request log stays readable; asks for it elsewhere. */
export async function untilFinal(client: Client, payment: PublicPayment, session: Session): Promise<PublicPayment> {
  if (isOver(payment)) return payment
  try {
    return await heard(client, payment, session)
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof UnexpectedReply)) throw error
    return await asked(client, payment, session)
  }
}

function isOver({ status }: PublicPayment): boolean {
  return isFinalPayment(status) || status === 'succeeded'
}

async function heard(client: Client, payment: PublicPayment, { host, signals }: Session): Promise<PublicPayment> {
  const controller = new AbortController()
  const end = () => controller.abort()
  signals.ended.addEventListener('abort', end, { once: true })
  let latest = payment
  let looking: Promise<void> | undefined
  const take = (seen: PublicPayment) => {
    if (seen.id !== payment.id || isOver(latest)) return
    latest = seen
    if (isOver(latest)) end()
  }
  const messages = follow({
    connect: (lastEventId, signal) => client.control.stream({ lastEventId, signal }),
    timers: host.wall,
    signal: controller.signal,
    // What happened before the stream was there.
    onState: ({ state }) => {
      if (state === 'open') looking ??= client.payments.get(payment.id).then(take)
    },
  })
  for await (const { event, data } of messages) {
    if (event === 'payment') take((JSON.parse(data) as { payment: PublicPayment }).payment)
    else if (event === 'gap' || event === 'reset') take(await client.payments.get(payment.id))
  }
  await looking
  return latest
}

/** Less and less often: a real service has nothing else to offer to everybody. */
async function asked(client: Client, payment: PublicPayment, session: Session): Promise<PublicPayment> {
  const { host, signals } = session
  let latest = payment
  let pause = FIRST_PAUSE
  while (!isOver(latest) && !signals.ended.aborted) {
    await new Promise<void>((done) => void host.wall.setTimeout(done, pause))
    pause = Math.min(pause * 1.5, LONGEST_PAUSE)
    latest = await client.payments.get(payment.id)
  }
  return latest
}
