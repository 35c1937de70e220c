import * as z from 'zod'
import { presentRefund } from '../../domain/refund.ts'
import { equal, PAGE_QUERY, page } from './page.ts'
import { showPayment, showPayout } from './present.ts'
import { ok, route } from './route.ts'

const filter = z.string().optional()
const FILTERS = { shop_id: filter, status: filter, order_id: filter, method: filter }
const query = z.object({ ...PAGE_QUERY, ...FILTERS })

export const objects = [
  route({
    method: 'GET',
    path: '/payments',
    summary: 'Payments of all shops, newest first',
    query,
    run({ world, query: { limit, cursor, ...filters } }) {
      const rows = world.rows('payments', 'newest')
      return ok(
        page(
          rows,
          { limit, cursor },
          (row) => equal(row, filters),
          (row) => showPayment(world, row),
        ),
      )
    },
  }),
  route({
    method: 'GET',
    path: '/payouts',
    summary: 'Payouts of all shops, newest first',
    query,
    run({ world, query: { limit, cursor, ...filters } }) {
      const rows = world.rows('payouts', 'newest')
      return ok(
        page(
          rows,
          { limit, cursor },
          (row) => equal(row, filters),
          (row) => showPayout(world, row),
        ),
      )
    },
  }),
  route({
    method: 'GET',
    path: '/refunds',
    summary: 'Refunds of all shops, newest first',
    query: query.extend({ payment_id: filter }),
    run({ world, query: { limit, cursor, order_id, method, ...filters } }) {
      const ofPayment = (id: string) => equal(world.get('payments', id) ?? {}, { order_id, method })
      return ok(
        page(
          world.rows('refunds', 'newest'),
          { limit, cursor },
          (row) => equal(row, filters) && ofPayment(row.payment_id),
          (row) => presentRefund(row, world.settings),
        ),
      )
    },
  }),
]
