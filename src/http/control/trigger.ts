// Triggers an event by running the operations of the shop, the buyer and the bank that cause it.
import * as z from 'zod'
import { refuse } from '../../domain/errors.ts'
import { WEBHOOK_EVENTS } from '../../domain/events.ts'
import { literalsWithin } from '../../domain/number-literals.ts'
import { PLANNED_ERRORS } from '../../domain/simulator-plan.ts'
import { requireRow } from '../../engine/require-row.ts'
import type { CancellableWork } from '../app-env.ts'
import type { Services } from '../services.ts'
import { anyObject } from '../value-schemas.ts'
import { text } from './fields.ts'
import { created, route } from './route.ts'
import { firstShopId } from './shops.ts'
import { makePaymentEvent, makePayoutEvent, type TriggeredIds } from './trigger-operations.ts'

const triggerBody = z.strictObject({
  event: z
    .enum(WEBHOOK_EVENTS, { error: `one of ${WEBHOOK_EVENTS.join(', ')}` })
    .optional()
    .meta({ description: 'The event to trigger. Either `event` or `scenario` is required.' }),
  set: anyObject('an object of fields, such as {"amount": 100}').optional().meta({
    type: 'object',
    description:
      'Fields of the create request, and `failure_code`. For `payment.refunded` also `refund_amount` and `reason`. `metadata.<key>` sets one pair of the metadata.',
  }),
  shop_id: text('the id of a shop').optional().meta({ description: 'The shop. Default: the oldest one.' }),
  scenario: z
    .unknown()
    .optional()
    .meta({ description: 'The name of a scenario that is shipped with psp, or a whole scenario.' }),
})

export const triggerRoutes = [
  route({
    name: 'trigger',
    method: 'POST',
    path: '/trigger',
    summary: 'Trigger an event or a scenario',
    description:
      'Triggers an event by running the operations that cause it, or runs a scenario. Returns the ids of the created objects.',
    body: triggerBody,
    largeBody: true,
    isLongChange: true,
    responses: { 201: 'TriggerResult' },
    links: {
      actOnPayment: '/payment_id',
      settleRefund: '/refund_id',
      settlePayout: '/payout_id',
      getEvent: '/event_id',
      replayEvent: '/event_id',
      retryDelivery: '/delivery_ids/0',
    },
    errors: [
      'not_allowed',
      'amount_exceeds_remainder',
      'route_not_configured',
      'method_not_supported',
      // A rule can make the operations fail.
      ...PLANNED_ERRORS,
    ],
    async run({ services, world, work, body, numbers }) {
      const { event, scenario, set = {} } = body
      if ((event === undefined) === (scenario === undefined)) {
        throw refuse('bad_request', 'body: give either event (with set) or scenario.')
      }
      if (event === undefined) return created(await triggerScenario(services, scenario, work))
      const { shop_id = body.shop_id ?? firstShopId(world), ...fields } = set
      const shop = requireRow(world, 'shops', String(shop_id))
      const ids = event.startsWith('payout.')
        ? makePayoutEvent(services.engine, shop.id, event, fields, literalsWithin(numbers, 'set'))
        : makePaymentEvent(services.engine, shop.id, event, fields, literalsWithin(numbers, 'set'))
      return created({ event, shop_id: shop.id, ...ids, ...eventIds(services, event, ids) })
    },
  }),
]

function eventIds({ engine: { world } }: Services, event: string, ids: TriggeredIds) {
  const made = world.find('events', 'by_object', ids.payment_id ?? ids.payout_id ?? '')
  const requested = made.findLast((row) => row.event === event)
  const deliveries = made.flatMap(({ id }) => world.find('deliveries', 'by_event', id))
  return {
    event_id: requested?.id ?? null,
    event_ids: made.map(({ id }) => id),
    delivery_ids: deliveries.map(({ id }) => id),
  }
}

/** Runs a scenario. Returns its report, with the ids of the events and deliveries. */
async function triggerScenario(services: Services, scenario: unknown, work: CancellableWork): Promise<unknown> {
  const { engine, runScenario } = services
  const { world } = engine
  if (runScenario === undefined) {
    throw refuse(
      'bad_request',
      'scenario: this sandbox cannot run scenarios. Run one against it with `psp trigger FILE`.',
    )
  }
  const result = await runScenario(scenario, work)
  const events = [...result.payment_ids, ...result.payout_ids].flatMap((id) => world.find('events', 'by_object', id))
  const deliveries = events.flatMap(({ id }) => world.find('deliveries', 'by_event', id))
  return { ...result, event_ids: events.map(({ id }) => id), delivery_ids: deliveries.map(({ id }) => id) }
}
