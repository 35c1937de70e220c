import * as z from 'zod'
import type { Tables } from '../../engine/tables.ts'
import type { World } from '../../engine/world.ts'
import { mode, paymentMethod, paymentStatus, payoutMethod, payoutStatus, refundStatus } from '../value-schemas.ts'
import { fieldsEqual, idPrefix, matchesFilters, PAGE_QUERY, type PageQuery, tablePage } from './pagination.ts'
import { showPaymentInList, showPayoutInList, showRefundInList } from './present.ts'
import { type ControlCall, route } from './route.ts'

const objectQuery = {
  ...PAGE_QUERY,
  shop_id: z.string().optional().meta({ description: 'Objects of this shop.' }),
  order_id: z.string().optional().meta({ description: 'Objects of this order. The whole id must match.' }),
}
const id = idPrefix(/^[0-9a-f-]{1,36}$/)
const keyMode = mode.optional().meta({ description: 'The mode (test or live) of the API key that created the object.' })
const STATUS = { description: 'The status.' }
const METHOD = { description: 'The payment method.' }

type ObjectTable = 'payments' | 'payouts'
type ObjectQuery = PageQuery & { readonly id?: string | undefined; readonly [filter: string]: unknown }

/** Lists the rows of a table. If `id` is a whole id, only this row is read, without a scan. */
function listObjects<T extends ObjectTable>(
  call: ControlCall<unknown, ObjectQuery>,
  table: T,
  show: (world: World, row: Tables[T]) => object,
) {
  const { limit, cursor, ...filters } = call.query as PageQuery & { readonly [filter: string]: string | undefined }
  const row = call.world.get(table, filters['id'] ?? '')
  return tablePage(
    call,
    table,
    { limit, cursor },
    matchesFilters(filters),
    (each) => show(call.world, each),
    row && [row],
  )
}

export const objectRoutes = [
  route({
    name: 'listPayments',
    method: 'GET',
    path: '/payments',
    summary: 'List payments',
    description: 'Returns the payments of all shops, the newest first.',
    query: z.strictObject({
      ...objectQuery,
      id,
      mode: keyMode,
      status: paymentStatus.optional().meta(STATUS),
      method: paymentMethod.optional().meta(METHOD),
    }),
    responses: { 200: 'PaymentPage' },
    run: (call) => listObjects(call, 'payments', showPaymentInList),
  }),
  route({
    name: 'listPayouts',
    method: 'GET',
    path: '/payouts',
    summary: 'List payouts',
    description: 'Returns the payouts of all shops, the newest first. Payouts have no `order_id`.',
    query: z.strictObject({
      ...objectQuery,
      id,
      mode: keyMode,
      status: payoutStatus.optional().meta(STATUS),
      method: payoutMethod.optional().meta(METHOD),
    }),
    responses: { 200: 'PayoutPage' },
    run: (call) => listObjects(call, 'payouts', showPayoutInList),
  }),
  route({
    name: 'listRefunds',
    method: 'GET',
    path: '/refunds',
    summary: 'List refunds',
    description: 'Returns the refunds of all shops, the newest first. `order_id` and `method` refer to the payment.',
    query: z.strictObject({
      ...objectQuery,
      payment_id: z.string().optional().meta({ description: 'Refunds of this payment.' }),
      status: refundStatus.optional().meta(STATUS),
      method: paymentMethod.optional().meta(METHOD),
    }),
    responses: { 200: 'RefundPage' },
    async run(call) {
      const { limit, cursor, order_id, method, ...filters } = call.query
      const [isWanted, isPaymentWanted] = [fieldsEqual(filters), fieldsEqual({ order_id, method })]
      return tablePage(
        call,
        'refunds',
        { limit, cursor },
        (row) => isWanted(row) && isPaymentWanted(call.world.get('payments', row.payment_id) ?? {}),
        (row) => showRefundInList(call.world, row),
        filters.payment_id === undefined
          ? undefined
          : call.world.find('refunds', 'by_payment', filters.payment_id).toReversed(),
      )
    },
  }),
]
