import type { Client } from '../../../client/client.ts'
import { ApiError, UnexpectedReply, Unreachable } from '../../../client/errors.ts'
import { follow } from '../../../client/follow.ts'
import type { PublicPayment } from '../../../domain/payment.ts'
import { isFinalPayment } from '../../../domain/payment-states.ts'
import { CliError } from '../../failure.ts'
import { toldOnce } from '../../process/server-lost.ts'
import type { Session } from '../../session.ts'

const FIRST_PAUSE = 50
const LONGEST_PAUSE = 1000
/** ms in which a server that went away may come back. */
const PATIENCE = 10_000

/** Hears of the end where there is a control stream, so that the request log stays readable; asks for it elsewhere. */
export async function untilFinal(client: Client, payment: PublicPayment, session: Session): Promise<PublicPayment> {
  if (isOver(payment)) return payment
  try {
    return await heard(client, payment, session)
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof UnexpectedReply)) throw unseen(payment, error)
  }
  try {
    return await asked(client, payment, session)
  } catch (error) {
    throw unseen(payment, error)
  }
}

/** The payment is there, whatever became of the server. */
function unseen({ id }: PublicPayment, error: unknown): unknown {
  if (!(error instanceof Unreachable)) return error
  const message = `payment ${id} was created, and its end was not seen: ${error.message}`
  return new CliError('unreachable', message, `\`psp payments get ${id}\` shows it once the server is back.`)
}

function isOver({ status }: PublicPayment): boolean {
  return isFinalPayment(status) || status === 'succeeded'
}

async function heard(client: Client, payment: PublicPayment, session: Session): Promise<PublicPayment> {
  const { host, signals } = session
  const controller = new AbortController()
  const end = () => controller.abort()
  signals.ended.addEventListener('abort', end, { once: true })
  let latest = payment
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
    onOpen: async () => take(await client.payments.get(payment.id)),
    onState: toldOnce(session),
    patience: PATIENCE,
  })
  for await (const { event, data } of messages) {
    if (event === 'payment') take((JSON.parse(data) as { payment: PublicPayment }).payment)
    else if (event === 'gap' || event === 'reset') take(await client.payments.get(payment.id))
  }
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
