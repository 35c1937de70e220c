import * as z from 'zod'
import type { Delivery } from '../../domain/delivery.ts'
import { refuse } from '../../domain/errors.ts'
import { requireRow } from '../../engine/require-row.ts'
import type { World } from '../../engine/world.ts'
import { deliveriesOf } from '../deliveries-of.ts'
import { LANGUAGES } from '../pages/messages.ts'
import * as values from '../value-schemas.ts'
import { diagnose } from './diagnosis.ts'
import { queryCount } from './fields.ts'
import { idPrefix, matchesFilters, PAGE_QUERY, tablePage } from './pagination.ts'
import { deliveryStatus, showDelivery, showDeliverySummary } from './present-delivery.ts'
import { ok, route } from './route.ts'

const filter = z.string().optional()

/** Returns the deliveries of an event or object by an index, the newest first, or `undefined` without such a filter. */
function candidatesOf(
  world: World,
  { event_id, object_id }: { readonly [filter: string]: string | undefined },
): readonly Delivery[] | undefined {
  if (event_id !== undefined) return world.find('deliveries', 'by_event', event_id).toReversed()
  if (object_id !== undefined) return deliveriesOf(world, object_id).toReversed()
  return undefined
}

export const deliveryRoutes = [
  route({
    name: 'listDeliveries',
    method: 'GET',
    path: '/deliveries',
    summary: 'List deliveries',
    description: 'Returns deliveries with every attempt, the newest first.',
    query: z.strictObject({
      ...PAGE_QUERY,
      event_id: filter.meta({ description: 'Deliveries of this event.' }),
      object_id: filter.meta({ description: 'Deliveries about this payment or payout.' }),
      shop_id: filter.meta({ description: 'Deliveries of this shop.' }),
      endpoint_id: filter.meta({ description: 'Deliveries to this endpoint or listener.' }),
      id: idPrefix(/^dlv_[0-9A-Za-z_-]{0,60}$/),
      fields: z.enum(['all', 'summary'], { error: 'all or summary' }).optional().meta({
        description: '`summary` returns only the last attempt, as `last_attempt`, without headers and bodies.',
      }),
      status: values.deliveryStatus
        .optional()
        .meta({ description: 'Deliveries with this status. `sending`: an attempt is in flight.' }),
    }),
    responses: { 200: 'DeliveryPage' },
    async run(call) {
      const { limit, cursor, status, fields, ...filters } = call.query
      const { services } = call
      const matchesRow = matchesFilters(filters)
      const wanted = (row: Delivery) =>
        matchesRow(row) && (status === undefined || deliveryStatus(services, row) === status)
      const show = fields === 'summary' ? showDeliverySummary : showDelivery
      return tablePage(
        call,
        'deliveries',
        { limit, cursor },
        wanted,
        (row) => show(services, row),
        candidatesOf(call.world, filters),
      )
    },
  }),
  route({
    name: 'getDelivery',
    method: 'GET',
    path: '/deliveries/:id',
    summary: 'Get a delivery',
    description: 'Returns a delivery with every attempt.',
    responses: { 200: 'Delivery' },
    run({ services, world, param }) {
      return ok(showDelivery(services, requireRow(world, 'deliveries', param('id'))))
    },
  }),
  route({
    name: 'diagnoseDelivery',
    method: 'GET',
    path: '/deliveries/:id/diagnosis',
    summary: 'Diagnose an attempt',
    description:
      'Verifies the signature of an attempt as it was sent, as `psp verify --explain` does, and names what the receiver may do wrong.',
    query: z.strictObject({
      attempt: queryCount(999_999)
        .optional()
        .meta({ description: 'The number of the attempt. Default: the last one.' }),
      lang: z
        .enum(LANGUAGES, { error: LANGUAGES.join(' or ') })
        .optional()
        .meta({ description: 'The language of `message` and `advice`. Default: `en`.' }),
    }),
    responses: { 200: 'Diagnosis' },
    errors: ['not_allowed'],
    async run({ world, param, query: { attempt: number, lang } }) {
      const delivery = requireRow(world, 'deliveries', param('id'))
      const { attempts } = delivery
      const last = attempts.at(-1)
      if (last === undefined) {
        throw refuse('not_allowed', 'This delivery has no attempt yet. Wait for it, or advance the clock.')
      }
      const attempt = number === undefined ? last : attempts.find((each) => each.number === number)
      if (attempt === undefined) {
        throw refuse('not_found', `This delivery has no attempt ${number}. The last one is ${last.number}.`)
      }
      const diagnosis = await diagnose(world, delivery, attempt)
      if (lang !== 'ru') return ok(diagnosis)
      const { inRussian } = await import('./russian-diagnosis.ts')
      return ok(inRussian(diagnosis))
    },
  }),
  route({
    name: 'retryDelivery',
    method: 'POST',
    path: '/deliveries/:id/retry',
    summary: 'Retry a delivery',
    description:
      'Makes another attempt now, and responds when the attempt is over. If the attempt fails, a retry that was already scheduled still runs at its time. A finished delivery gets no further attempt.',
    isLongChange: true,
    responses: { 200: 'Delivery' },
    errors: ['not_allowed'],
    async run({ services, param }) {
      const { id } = services.engine.execute('retry_delivery', { delivery_id: param('id') })
      return ok(showDelivery(services, await services.dispatcher.waitForAttempt(id)))
    },
  }),
]
