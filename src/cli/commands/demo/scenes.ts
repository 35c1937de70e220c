// The scenes of the demo, in order. After each scene, no step is pending on the clock.

import type { Client } from '../../../client/client.ts'
import type { AttemptView, DeliveryView } from '../../../client/control-types.ts'
import { formatMoney } from '../../../domain/currency.ts'
import { defaultAttemptOffsets } from '../../../domain/retry-schedule.ts'
import { parseInstant } from '../../../domain/time.ts'
import { formatTimeOfDay } from '../../../domain/time-text.ts'
import { paintHttp } from '../../output/colour.ts'
import { wrapLine } from '../../output/lines.ts'
import type { Output } from '../../output/output.ts'
import type { Merchant } from './merchant.ts'

export interface DemoScene {
  readonly title: string
  readonly run: (context: DemoContext) => Promise<void>
}

export const DEMO_SCENES: readonly DemoScene[] = [
  { title: 'A payment succeeds and is partly refunded', run: succeedAndRefund },
  { title: 'A payment fails', run: fail },
  { title: 'A buyer walks away: twenty minutes pass, and the payment expires', run: expire },
  { title: 'The merchant is down, and the webhook is retried until it is delivered', run: retry },
]

async function succeedAndRefund(context: DemoContext): Promise<void> {
  const { client } = context
  const id = await create(context, { amount: 150_000, order_id: 'demo-1' })
  await client.control.clock.advance({ by: '10s' })
  const payment = await client.payments.get(id)
  context.printStep(payment.captured_at ?? payment.created_at, 'bank', `approves, rrn ${payment.rrn}`)
  context.check(payment.status === 'succeeded', 'the payment succeeded')
  await context.webhook(id, 'payment.succeeded')

  const refund = await client.payments.refund(id, { amount: 50_000, reason: 'one of three items came back' })
  context.printStep(refund.created_at, 'shop', `refunds ${formatMoney(refund.amount, 'RUB')}: ${refund.reason}`)
  await client.control.clock.advance({ by: '1s' })
  const after = await client.payments.get(id)
  context.check(after.amount_refunded === 50_000 && after.status === 'succeeded', 'a part is refunded')
  await context.webhook(id, 'payment.refunded')
}

async function fail(context: DemoContext): Promise<void> {
  const id = await create(context, { amount: 99_900, order_id: 'demo-2' }, 'failed:insufficient_funds')
  await context.client.control.clock.advance({ by: '10s' })
  const payment = await context.client.payments.get(id)
  const code = payment.metadata['failure_code']
  context.printStep(payment.finalized_at ?? payment.created_at, 'bank', `declines: ${code}`)
  context.check(payment.status === 'failed' && code === 'insufficient_funds', 'the payment failed')
  await context.webhook(id, 'payment.failed')
}

async function expire(context: DemoContext): Promise<void> {
  const id = await create(context, { amount: 45_000, order_id: 'demo-3' }, 'pending')
  const { now } = await context.client.control.clock.advance({ by: '5s' })
  const { status } = await context.client.payments.get(id)
  context.printStep(now, 'bank', `waits for the buyer: ${status}`)
  context.check(status === 'processing', 'the bank session is open')
  context.printStep(now, 'clock', 'is moved ahead by twenty minutes')
  await context.client.control.clock.advance({ by: '20m' })
  const payment = await context.client.payments.get(id)
  context.check(payment.status === 'expired', 'the payment expired')
  await context.webhook(id, 'payment.expired')
}

/** Number of failures before the merchant recovers. */
const FAILURES = 3

async function retry(context: DemoContext): Promise<void> {
  context.merchant.failNext(FAILURES)
  const id = await create(context, { amount: 12_300, order_id: 'demo-4' })
  const { now } = await context.client.control.clock.advance({ until: 'idle' })
  const delivery = await context.webhook(id, 'payment.succeeded')
  context.printStep(now, 'clock', 'is idle')
  const times = (delivery?.attempts ?? []).map(({ at }) => parseInstant(at) ?? Number.NaN)
  const offsets = times.map((time) => time - (times[0] ?? 0))
  const expected = defaultAttemptOffsets().slice(0, FAILURES + 1)
  context.check(
    String(offsets) === String(expected),
    `attempts at ${expected.map((ms) => `${ms / 1000} s`).join(', ')}`,
  )
}

async function create(
  { client, printStep, check }: DemoContext,
  order: { amount: number; order_id: string },
  outcome?: string,
): Promise<string> {
  const { payment } = await client.payments.create({ ...order, method: 'sbp' }, { outcome })
  printStep(
    payment.created_at,
    'shop',
    `creates a payment of ${formatMoney(payment.amount, payment.currency)}, order ${order.order_id}`,
  )
  check(payment.status === 'pending', 'a new payment is pending')
  return payment.id
}

/** The indent below the text of a step. */
const INDENT = ' '.repeat(25)

type Actor = 'shop' | 'bank' | 'clock' | 'webhook'

export interface DemoContext {
  readonly client: Client
  readonly merchant: Merchant
  printTitle(text: string): void
  /** Prints a step. `at` is the sandbox time. */
  printStep(at: string, who: Actor, text: string): void
  /** Counts a check that passed, and prints one that failed. `what` says what should be true. */
  check(holds: boolean, what: string): void
  /** Prints every attempt for an event of `objectId`, checks the merchant's verification, and returns the delivery. */
  webhook(objectId: string, event: string): Promise<DeliveryView | undefined>
  readonly checks: { readonly passed: number; readonly failed: readonly string[] }
}

export function createDemoContext(out: Output, client: Client, merchant: Merchant): DemoContext {
  const { paint } = out
  const failed: string[] = []
  let passed = 0

  function printStep(at: string, who: Actor, text: string): void {
    if (out.json) out.document({ type: 'step', at, who, text })
    else
      out.line(
        wrapLine(`  ${paint.dim(formatTimeOfDay(at))}  ${paint.name(who.padEnd(7))}  ${text}`, out.columns, INDENT),
      )
  }

  function check(holds: boolean, what: string): void {
    if (holds) {
      passed++
      return
    }
    failed.push(what)
    if (out.json) out.document({ type: 'failed', what })
    else out.line(`  ${paint.bad('not confirmed')}  ${what}`)
  }

  return {
    client,
    merchant,
    printTitle(text) {
      if (out.json) out.document({ type: 'scene', title: text })
      else out.line(`\n${wrapLine(paint.bold(text), out.columns, '')}`)
    },
    printStep,
    check,
    async webhook(objectId, event) {
      const { items } = await client.control.deliveries.list({ object_id: objectId })
      const delivery = items.find((one) => one.event === event)
      const mine = merchant.received.filter((one) => one.event === event && one.data.id === objectId)
      for (const [at, attempt] of (delivery?.attempts ?? []).entries()) {
        const proof = mine[at]?.verified === true ? 'signature verified' : 'signature NOT verified'
        printStep(attempt.at, 'webhook', `${event}  ${responseText(attempt)}  ${paint.dim(proof)}`)
      }
      check(delivery?.status === 'delivered', `${event} is delivered`)
      check(mine.length > 0 && mine.every(({ verified }) => verified), `the merchant verified every ${event}`)
      check(new Set(mine.map(({ id }) => id)).size === 1, `every attempt of ${event} has the same id`)
      return delivery
    },
    get checks() {
      return { passed, failed }
    },
  }

  function responseText({ status, error }: AttemptView): string {
    return typeof status === 'number' ? paintHttp(paint, status) : paint.bad(error ?? 'no response')
  }
}
