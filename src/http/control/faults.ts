// Faults: what goes wrong with the transport, counted.
import * as z from 'zod'
import { FAULT_TARGETS, type FaultTarget } from '../../domain/faults.ts'
import { given, oneOf, text } from './fields.ts'
import { PAGE_QUERY, tablePage } from './page.ts'
import { showCounted } from './present.ts'
import { created, gone, ok, route } from './route.ts'
import { countedFields } from './rules.ts'

const TARGETS = Object.keys(FAULT_TARGETS) as [FaultTarget, ...FaultTarget[]]
const CHANCE = 'a number from 0 to 1'

export const faultBody = z.strictObject({
  target: oneOf(...TARGETS).meta({ description: 'What goes wrong.' }),
  fault: text('a fault such as latency:2s').meta({ description: 'How, with its value: `latency:2s`, `duplicate:2`.' }),
  ...countedFields,
  probability: z
    .number({ error: CHANCE })
    .min(0, CHANCE)
    .max(1, CHANCE)
    .optional()
    .meta({ description: 'Of each match, from the seeded generator; absent: certain.' }),
})

export const faults = [
  route({
    method: 'GET',
    path: '/faults',
    summary: 'The faults, newest first',
    query: z.strictObject(PAGE_QUERY),
    answers: { 200: 'FaultPage' },
    refuses: ['bad_request'],
    run: async (call) => ok(await tablePage(call, 'faults', call.query, () => true, showCounted)),
  }),
  route({
    method: 'POST',
    path: '/faults',
    summary: 'A fault of the API, of webhooks, of the event stream or of the redirect',
    body: faultBody,
    answers: { 201: 'Fault' },
    refuses: ['bad_request'],
    run: ({ services, body }) => created(showCounted(services.engine.execute('add_fault', given(body)))),
  }),
  route({
    method: 'DELETE',
    path: '/faults',
    summary: 'Removes all faults; what they held goes on',
    answers: { 204: 'nothing' },
    run({ services }) {
      services.engine.execute('remove_faults', {})
      return gone
    },
  }),
  route({
    method: 'DELETE',
    path: '/faults/:id',
    summary: 'Removes a fault; what it held goes on',
    answers: { 204: 'nothing' },
    refuses: ['not_found'],
    run({ services, param }) {
      services.engine.execute('remove_faults', { id: param('id') })
      return gone
    },
  }),
]
