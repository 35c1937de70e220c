// Rules and faults: the simulator's standing orders.
import * as z from 'zod'
import { FAULT_TARGETS, type FaultTarget } from '../../domain/faults.ts'
import { rfc3339 } from '../../domain/time.ts'
import { PAGE_QUERY, page } from './page.ts'
import { changed, count, created, gone, ok, oneOf, route, text } from './route.ts'
import { given } from './shops.ts'

const fields = {
  match: z
    .record(z.string(), z.union([z.string(), z.number()]), { error: 'an object of fields and values' })
    .optional(),
  times: count(1, 1_000_000_000).optional(),
  every: count(1, 1_000_000_000).optional(),
}

const plan = text('a plan such as failed:insufficient_funds')
const targets = Object.keys(FAULT_TARGETS) as [FaultTarget, ...FaultTarget[]]
const chance = 'a number from 0 to 1'

const show = <R extends { created_at: number }>(row: R) => ({ ...row, created_at: rfc3339(row.created_at) })

export const orders = [
  route({
    method: 'GET',
    path: '/rules',
    summary: 'The rules, newest first: the order in which they are asked',
    query: z.object(PAGE_QUERY),
    run: ({ world, query }) => ok(page(world.rows('rules', 'newest'), query, () => true, show)),
  }),
  route({
    method: 'POST',
    path: '/rules',
    summary: 'A rule that chooses outcomes',
    body: z.object({ ...fields, plan: z.union([plan, z.array(plan)], { error: 'a plan or a list of plans' }) }),
    refuses: ['bad_request'],
    run: ({ services, body }) => changed(services, created(show(services.engine.execute('add_rule', given(body))))),
  }),
  route({
    method: 'DELETE',
    path: '/rules',
    summary: 'Removes all rules',
    run({ services }) {
      services.engine.execute('remove_rules', {})
      return changed(services, gone)
    },
  }),
  route({
    method: 'DELETE',
    path: '/rules/:id',
    summary: 'Removes a rule',
    refuses: ['not_found'],
    run({ services, param }) {
      services.engine.execute('remove_rules', { id: param('id') })
      return changed(services, gone)
    },
  }),
  route({
    method: 'GET',
    path: '/faults',
    summary: 'The faults, newest first',
    query: z.object(PAGE_QUERY),
    run: ({ world, query }) => ok(page(world.rows('faults', 'newest'), query, () => true, show)),
  }),
  route({
    method: 'POST',
    path: '/faults',
    summary: 'A fault of the transport, counted',
    body: z.object({
      ...fields,
      target: oneOf(...targets),
      fault: text('a fault such as latency:2s'),
      probability: z.number({ error: chance }).min(0, chance).max(1, chance).optional(),
    }),
    refuses: ['bad_request'],
    run: ({ services, body }) => changed(services, created(show(services.engine.execute('add_fault', given(body))))),
  }),
  route({
    method: 'DELETE',
    path: '/faults',
    summary: 'Removes all faults; what they held goes on',
    run({ services }) {
      services.engine.execute('remove_faults', {})
      return changed(services, gone)
    },
  }),
  route({
    method: 'DELETE',
    path: '/faults/:id',
    summary: 'Removes a fault; what it held goes on',
    refuses: ['not_found'],
    run({ services, param }) {
      services.engine.execute('remove_faults', { id: param('id') })
      return changed(services, gone)
    },
  }),
]
