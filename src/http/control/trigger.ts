// Makes an event happen by the same operations a shop and a buyer would use.
import * as z from 'zod'
import { refuse } from '../../domain/errors.ts'
import { WEBHOOK_EVENTS, type WebhookEventName } from '../../domain/events.ts'
import { PAYMENT_METHODS } from '../../domain/payment.ts'
import type { Plan } from '../../domain/simulator-plan.ts'
import type { Engine } from '../../engine/engine.ts'
import { changed, count, created, oneOf, route, text } from './route.ts'
import { given } from './shops.ts'

const set = z.object({
  amount: count(1, Number.MAX_SAFE_INTEGER).default(10_000),
  currency: text('an ISO 4217 code').default('RUB'),
  method: oneOf(...PAYMENT_METHODS).default('sbp'),
  order_id: text('a text').optional(),
  customer_id: text('a text').optional(),
  description: text('a text').optional(),
  webhook_url: text('a url').optional(),
  metadata: z.record(z.string(), z.string(), { error: 'an object of strings' }).default({}),
  phone: text('a phone such as +79161234567').default('+79161234567'),
  bank_id: text('twelve digits').default('100000000111'),
  full_name: text('a name').optional(),
  failure_code: text('a failure code').optional(),
  refund_amount: count(1, Number.MAX_SAFE_INTEGER).optional(),
})
type Wishes = z.output<typeof set>

export const trigger = [
  route({
    method: 'POST',
    path: '/trigger',
    summary: 'Makes an event happen by real operations, and answers the ids it made',
    body: z.object({
      event: z.enum(WEBHOOK_EVENTS, { error: `one of ${WEBHOOK_EVENTS.join(', ')}` }),
      shop_id: text('the id of a shop').optional(),
      set: set.prefault({}),
    }),
    refuses: ['bad_request', 'not_found'],
    run({ services, world, body }) {
      const shop_id = body.shop_id ?? [...world.rows('shops')][0]?.id ?? ''
      if (world.get('shops', shop_id) === undefined)
        throw refuse('not_found', `There is no shop ${shop_id.slice(0, 64)}.`)
      const ids = body.event.startsWith('payout.')
        ? makePayoutEvent(services.engine, shop_id, body.event, body.set)
        : makePaymentEvent(services.engine, shop_id, body.event, body.set)
      const events = world.find('events', 'by_object', ids.payment_id ?? ids.payout_id ?? '')
      return changed(services, created({ event: body.event, ...ids, event_ids: events.map(({ id }) => id) }))
    },
  }),
]

interface Made {
  readonly payment_id?: string
  readonly refund_id?: string
  readonly payout_id?: string
}

const WAIT: Plan = { outcome: 'requires_action' }

function makePaymentEvent(engine: Engine, shop_id: string, event: WebhookEventName, wishes: Wishes): Made {
  const { phone, bank_id, full_name, failure_code, refund_amount, ...input } = wishes
  const caller = { shop_id, mode: 'test' } as const
  const { object } = engine.execute('create_payment', { caller, input: given(input), plan: WAIT })
  const payment_id = object.id
  switch (event) {
    case 'payment.cancelled':
      engine.execute('cancel_payment', { caller, payment_id })
      return { payment_id }
    case 'payment.expired':
      engine.execute('act_on_payment', { payment_id, act: { action: 'expire' } })
      return { payment_id }
    case 'payment.failed':
      engine.execute('act_on_payment', {
        payment_id,
        act: { action: 'decline', ...(failure_code === undefined ? {} : { failure_code }) },
      })
      return { payment_id }
    default:
      engine.execute('act_on_payment', { payment_id, act: { action: 'pay' } })
  }
  if (event !== 'payment.refunded') return { payment_id }
  const refund = engine.execute('refund_payment', {
    caller,
    payment_id,
    ...(refund_amount === undefined ? {} : { amount: refund_amount }),
  })
  return { payment_id, refund_id: refund.object.id }
}

function makePayoutEvent(engine: Engine, shop_id: string, event: WebhookEventName, wishes: Wishes): Made {
  const { amount, currency, phone, bank_id, full_name, failure_code } = wishes
  const input = { amount, currency, phone, bank_id, ...(full_name === undefined ? {} : { full_name }) }
  const caller = { shop_id, mode: 'test' } as const
  const { object } = engine.execute('create_payout', { caller, input, plan: { outcome: 'pending' } })
  engine.execute('settle_payout', {
    payout_id: object.id,
    ...(event === 'payout.succeeded'
      ? { status: 'succeeded' as const }
      : { status: 'failed' as const, ...(failure_code === undefined ? {} : { failure_code }) }),
  })
  return { payout_id: object.id }
}
