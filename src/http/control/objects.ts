import * as z from 'zod'
import { PAYMENT_METHODS } from '../../domain/payment-methods.ts'
import { PAYMENT_STATUSES } from '../../domain/payment-states.ts'
import { PAYOUT_METHODS } from '../../domain/payout.ts'
import { PAYOUT_STATUSES } from '../../domain/payout-states.ts'
import { REFUND_STATUSES } from '../../domain/refund.ts'
import { oneOf } from './fields.ts'
import { beginningOf, byBeginning } from './id-filter.ts'
import { equal, PAGE_QUERY, tablePage } from './page.ts'
import { listedPayment, listedPayout, listedRefund } from './present.ts'
import { ok, route } from './route.ts'

const own = {
  ...PAGE_QUERY,
  shop_id: z.string().optional().meta({ description: 'Of this shop.' }),
  order_id: z.string().optional().meta({ description: 'Of this order, exactly.' }),
}
const id = beginningOf(/^[0-9a-f-]{1,36}$/)
const mode = oneOf('test', 'live').optional().meta({ description: 'That of the key.' })
const STATUS = { description: 'Where it stands.' }
const METHOD = { description: 'How it is paid.' }

export const objects = [
  route({
    method: 'GET',
    path: '/payments',
    summary: 'Payments of all shops, newest first',
    query: z.strictObject({
      ...own,
      id,
      mode,
      status: oneOf(...PAYMENT_STATUSES)
        .optional()
        .meta(STATUS),
      method: oneOf(...PAYMENT_METHODS)
        .optional()
        .meta(METHOD),
    }),
    answers: { 200: 'PaymentPage' },
    refuses: ['bad_request'],
    async run(call) {
      const { limit, cursor, ...filters } = call.query
      const wanted = byBeginning(filters)
      return ok(await tablePage(call, 'payments', { limit, cursor }, wanted, (row) => listedPayment(call.world, row)))
    },
  }),
  route({
    method: 'GET',
    path: '/payouts',
    summary: 'Payouts of all shops, newest first; they have no order_id',
    query: z.strictObject({
      ...own,
      id,
      mode,
      status: oneOf(...PAYOUT_STATUSES)
        .optional()
        .meta(STATUS),
      method: oneOf(...PAYOUT_METHODS)
        .optional()
        .meta(METHOD),
    }),
    answers: { 200: 'PayoutPage' },
    refuses: ['bad_request'],
    async run(call) {
      const { limit, cursor, ...filters } = call.query
      const wanted = byBeginning(filters)
      return ok(await tablePage(call, 'payouts', { limit, cursor }, wanted, (row) => listedPayout(call.world, row)))
    },
  }),
  route({
    method: 'GET',
    path: '/refunds',
    summary: 'Refunds of all shops, newest first; order_id and method are those of the payment',
    query: z.strictObject({
      ...own,
      payment_id: z.string().optional().meta({ description: 'Of this payment.' }),
      status: oneOf(...REFUND_STATUSES)
        .optional()
        .meta(STATUS),
      method: oneOf(...PAYMENT_METHODS)
        .optional()
        .meta(METHOD),
    }),
    answers: { 200: 'RefundPage' },
    refuses: ['bad_request'],
    async run(call) {
      const { limit, cursor, order_id, method, ...filters } = call.query
      const ofPayment = { order_id, method }
      return ok(
        await tablePage(
          call,
          'refunds',
          { limit, cursor },
          (row) => equal(row, filters) && equal(call.world.get('payments', row.payment_id) ?? {}, ofPayment),
          (row) => listedRefund(call.world, row),
        ),
      )
    },
  }),
]
