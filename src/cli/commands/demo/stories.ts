// The stories of the demo, in order. Each one leaves no pending step on the clock.

import type { Client } from '../../../client/client.ts'
import type { AttemptView, DeliveryView } from '../../../client/control-types.ts'
import { formatMoney } from '../../../domain/currency.ts'
import { defaultAttemptOffsets } from '../../../domain/retry-schedule.ts'
import { parseInstant } from '../../../domain/time.ts'
import { formatTimeOfDay } from '../../../domain/time-text.ts'
import { paintHttp } from '../../output/colour.ts'
import type { Output } from '../../output/output.ts'
import type { Merchant } from './merchant.ts'

export interface Story {
  readonly title: string
  readonly play: (stage: Stage) => Promise<void>
}

export const STORIES: readonly Story[] = [
  { title: 'A payment succeeds and is partly refunded', play: succeedAndRefund },
  { title: 'A payment fails', play: fail },
  { title: 'A buyer walks away: twenty minutes pass, and the payment expires', play: expire },
  { title: 'The merchant is down, and the webhook is retried until it is delivered', play: retry },
]

async function succeedAndRefund(stage: Stage): Promise<void> {
  const { client } = stage
  const id = await create(stage, { amount: 150_000, order_id: 'demo-1' })
  await client.control.clock.advance({ by: '10s' })
  const payment = await client.payments.get(id)
  stage.tell(payment.captured_at ?? payment.created_at, 'bank', `approves, rrn ${payment.rrn}`)
  stage.check(payment.status === 'succeeded', 'the payment succeeded')
  await stage.webhook(id, 'payment.succeeded')

  const refund = await client.payments.refund(id, { amount: 50_000, reason: 'one of three items came back' })
  stage.tell(refund.created_at, 'shop', `refunds ${formatMoney(refund.amount, 'RUB')}: ${refund.reason}`)
  await client.control.clock.advance({ by: '1s' })
  const after = await client.payments.get(id)
  stage.check(after.amount_refunded === 50_000 && after.status === 'succeeded', 'a part is refunded')
  await stage.webhook(id, 'payment.refunded')
}

async function fail(stage: Stage): Promise<void> {
  const id = await create(stage, { amount: 99_900, order_id: 'demo-2' }, 'failed:insufficient_funds')
  await stage.client.control.clock.advance({ by: '10s' })
  const payment = await stage.client.payments.get(id)
  const code = payment.metadata['failure_code']
  stage.tell(payment.finalized_at ?? payment.created_at, 'bank', `declines: ${code}`)
  stage.check(payment.status === 'failed' && code === 'insufficient_funds', 'the payment failed')
  await stage.webhook(id, 'payment.failed')
}

async function expire(stage: Stage): Promise<void> {
  const id = await create(stage, { amount: 45_000, order_id: 'demo-3' }, 'pending')
  const { now } = await stage.client.control.clock.advance({ by: '5s' })
  const open = await stage.client.payments.get(id)
  stage.tell(now, 'bank', `waits for the buyer: ${open.status}`)
  stage.check(open.status === 'processing', 'the bank session is open')
  stage.tell(now, 'clock', 'is moved ahead by twenty minutes')
  await stage.client.control.clock.advance({ by: '20m' })
  const payment = await stage.client.payments.get(id)
  stage.check(payment.status === 'expired', 'the payment expired')
  await stage.webhook(id, 'payment.expired')
}

/** Number of failures before the merchant recovers. */
const STUMBLES = 3

async function retry(stage: Stage): Promise<void> {
  stage.merchant.stumble(STUMBLES)
  const id = await create(stage, { amount: 12_300, order_id: 'demo-4' })
  const { now } = await stage.client.control.clock.advance({ until: 'idle' })
  const delivery = await stage.webhook(id, 'payment.succeeded')
  stage.tell(now, 'clock', 'is idle')
  const times = (delivery?.attempts ?? []).map(({ at }) => parseInstant(at) ?? Number.NaN)
  const offsets = times.map((time) => time - (times[0] ?? 0))
  const expected = defaultAttemptOffsets().slice(0, STUMBLES + 1)
  stage.check(String(offsets) === String(expected), `attempts at ${expected.map((ms) => `${ms / 1000} s`).join(', ')}`)
}

async function create(
  { client, tell, check }: Stage,
  order: { amount: number; order_id: string },
  outcome?: string,
): Promise<string> {
  const { payment } = await client.payments.create({ ...order, method: 'sbp' }, { outcome })
  tell(
    payment.created_at,
    'shop',
    `creates a payment of ${formatMoney(payment.amount, payment.currency)}, order ${order.order_id}`,
  )
  check(payment.status === 'pending', 'a new payment is pending')
  return payment.id
}

export type Actor = 'shop' | 'bank' | 'clock' | 'webhook'

/** The context of a story: a client, a merchant, and functions that print and check what happens. */
export interface Stage {
  readonly client: Client
  readonly merchant: Merchant
  title(text: string): void
  /** Prints a step. `at` is on the clock of the sandbox. */
  tell(at: string, who: Actor, text: string): void
  /** Counts a fact, and prints it if it is false. */
  check(fact: boolean, what: string): void
  /** Prints every attempt for an event of `objectId`, checks that the merchant verified it, and returns the delivery. */
  webhook(objectId: string, event: string): Promise<DeliveryView | undefined>
  readonly checks: { readonly seen: number; readonly missed: readonly string[] }
}

export function createStage(out: Output, client: Client, merchant: Merchant): Stage {
  const { paint } = out
  const missed: string[] = []
  let seen = 0

  function tell(at: string, who: Actor, text: string): void {
    if (out.json) out.document({ type: 'step', at, who, text })
    else out.line(`  ${paint.dim(formatTimeOfDay(at))}  ${paint.name(who.padEnd(7))}  ${text}`)
  }

  function check(fact: boolean, what: string): void {
    if (fact) {
      seen++
      return
    }
    missed.push(what)
    if (out.json) out.document({ type: 'missed', what })
    else out.line(`  ${paint.bad('missed')}  ${what}`)
  }

  return {
    client,
    merchant,
    title(text) {
      if (out.json) out.document({ type: 'story', title: text })
      else out.line(`\n${paint.bold(text)}`)
    },
    tell,
    check,
    async webhook(objectId, event) {
      const { items } = await client.control.deliveries.list({ object_id: objectId })
      const delivery = items.find((one) => one.event === event)
      const mine = merchant.received.filter((one) => one.event === event && one.data.id === objectId)
      for (const [at, attempt] of (delivery?.attempts ?? []).entries()) {
        const proof = mine[at]?.verified === true ? 'signature verified' : 'signature NOT verified'
        tell(attempt.at, 'webhook', `${event}  ${answerOf(attempt)}  ${paint.dim(proof)}`)
      }
      check(delivery?.status === 'delivered', `${event} is delivered`)
      check(mine.length > 0 && mine.every(({ verified }) => verified), `the merchant verified every ${event}`)
      check(new Set(mine.map(({ id }) => id)).size === 1, `every attempt of ${event} has the same id`)
      return delivery
    },
    get checks() {
      return { seen, missed }
    },
  }

  function answerOf({ status, error }: AttemptView): string {
    return typeof status === 'number' ? paintHttp(paint, status) : paint.bad(error ?? 'no response')
  }
}
