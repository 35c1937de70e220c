// Faults: injected failures of the transport. `times` and `every` limit how often a fault applies.
import * as z from 'zod'
import { FAULT_FIELDS, type FaultTarget } from '../../domain/faults.ts'
import { FAULT_VALUES } from '../../domain/match-fields.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { faultPattern } from '../../domain/text-patterns.ts'
import { faultTarget } from '../value-schemas.ts'
import { text } from './fields.ts'
import { fieldList, isOfShop, matchKeywords, matchSchema, shopFilter } from './match-schema.ts'
import { PAGE_QUERY, tablePage } from './pagination.ts'
import { showRuleOrFault } from './present.ts'
import { created, noContent, route } from './route.ts'
import { limitFields } from './rules.ts'

const TARGETS = Object.keys(FAULT_FIELDS) as FaultTarget[]
const CHANCE = 'a number from 0 to 1'

export const faultBody = z
  .strictObject({
    target: faultTarget.meta({ description: 'What the fault affects.' }),
    fault: text('a fault such as latency:2s').meta({
      description: 'The fault with its value: `latency:2s`, `duplicate:2`.',
    }),
    match: matchSchema(
      `Fields that the request or message must have. In a string value, \`*\` matches any text. ${TARGETS.map((target) => `For ${target}: ${fieldList(FAULT_FIELDS[target])}`).join('. ')}.`,
    ),
    ...limitFields,
    probability: z
      .number({ error: CHANCE })
      .min(0, CHANCE)
      .max(1, CHANCE)
      .optional()
      .meta({ description: 'The probability that the fault applies to a match. Absent: 1.' }),
  })
  .meta(conditionsByTarget())

/** Describes the faults and fields of each target. The engine checks them, with messages that suggest names. */
function conditionsByTarget() {
  return TARGETS.reduceRight<Record<string, unknown>>((rest, target) => {
    const properties = {
      fault: { pattern: faultPattern(target) },
      match: matchKeywords(FAULT_FIELDS[target], FAULT_VALUES[target]),
    }
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
    return { if: { properties: { target: { const: target } } }, then: { properties }, else: rest }
  }, {})
}

export const faultRoutes = [
  route({
    name: 'listFaults',
    method: 'GET',
    path: '/faults',
    summary: 'List faults',
    description: 'Returns the faults, the newest first.',
    query: z.strictObject({ ...PAGE_QUERY, shop_id: shopFilter }),
    responses: { 200: 'FaultPage' },
    run: (call) => tablePage(call, 'faults', call.query, isOfShop(call.query.shop_id), showRuleOrFault),
  }),
  route({
    name: 'createFault',
    method: 'POST',
    path: '/faults',
    summary: 'Create a fault',
    description: 'Makes the API, webhooks, the event stream or the redirect fail.',
    body: faultBody,
    responses: { 201: 'Fault' },
    links: { deleteFault: '/id' },
    run: ({ services, body }) => created(showRuleOrFault(services.engine.execute('add_fault', omitUndefined(body)))),
  }),
  route({
    name: 'deleteFaults',
    method: 'DELETE',
    path: '/faults',
    summary: 'Delete all faults',
    description: 'Removes all faults, or the faults of a shop, and releases the requests and webhooks that they delay.',
    query: z.strictObject({ shop_id: shopFilter }),
    responses: { 204: 'nothing' },
    run({ services, query }) {
      services.engine.execute('remove_faults', omitUndefined(query))
      return noContent
    },
  }),
  route({
    name: 'deleteFault',
    method: 'DELETE',
    path: '/faults/:id',
    summary: 'Delete a fault',
    description: 'Removes a fault, and releases the requests and webhooks that it delays.',
    responses: { 204: 'nothing' },
    run({ services, param }) {
      services.engine.execute('remove_faults', { id: param('id') })
      return noContent
    },
  }),
]
