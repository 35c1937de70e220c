// Rules, which choose the outcomes of matching operations.
import * as z from 'zod'
import { RULE_FIELDS } from '../../domain/faults.ts'
import { RULE_VALUES } from '../../domain/match-fields.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { rulePlan } from '../value-schemas.ts'
import { count } from './fields.ts'
import { fieldList, isOfShop, matchKeywords, matchSchema, shopFilter } from './match-schema.ts'
import { PAGE_QUERY, tablePage } from './pagination.ts'
import { showRuleOrFault } from './present.ts'
import { created, noContent, route } from './route.ts'

/** Fields that rules and faults share. They limit how often a rule or a fault applies. */
export const limitFields = {
  times: count(1, 1_000_000_000)
    .optional()
    .meta({ description: 'How many times the rule or fault applies at most. Absent: no limit.' }),
  every: count(1, 1_000_000_000)
    .optional()
    .meta({ description: 'The rule or fault applies only to each n-th match: 3 means every third match.' }),
}

export const ruleBody = z.strictObject({
  match: matchSchema(
    `Fields that the operation must have. In a string value, \`*\` matches any text. Fields: ${fieldList(RULE_FIELDS)}.`,
    matchKeywords(RULE_FIELDS, RULE_VALUES),
  ),
  ...limitFields,
  plan: rulePlan.meta({
    description: 'The outcome. A list is a sequence with one plan for each use; the last plan is repeated.',
  }),
})

export const ruleRoutes = [
  route({
    name: 'listRules',
    method: 'GET',
    path: '/rules',
    summary: 'List rules',
    description: 'Returns the rules, the newest first. This is the order in which they are tried.',
    query: z.strictObject({ ...PAGE_QUERY, shop_id: shopFilter }),
    responses: { 200: 'RulePage' },
    run: (call) => tablePage(call, 'rules', call.query, isOfShop(call.query.shop_id), showRuleOrFault),
  }),
  route({
    name: 'createRule',
    method: 'POST',
    path: '/rules',
    summary: 'Create a rule',
    description:
      'Creates a rule that chooses outcomes. A list of plans is a sequence with one plan for each use; the last plan is repeated.',
    body: ruleBody,
    responses: { 201: 'Rule' },
    links: { deleteRule: '/id' },
    run: ({ services, body }) => created(showRuleOrFault(services.engine.execute('add_rule', omitUndefined(body)))),
  }),
  route({
    name: 'deleteRules',
    method: 'DELETE',
    path: '/rules',
    summary: 'Delete all rules',
    description: 'Removes all rules, or the rules of a shop.',
    query: z.strictObject({ shop_id: shopFilter }),
    responses: { 204: 'nothing' },
    run({ services, query }) {
      services.engine.execute('remove_rules', omitUndefined(query))
      return noContent
    },
  }),
  route({
    name: 'deleteRule',
    method: 'DELETE',
    path: '/rules/:id',
    summary: 'Delete a rule',
    description: 'Removes a rule.',
    responses: { 204: 'nothing' },
    run({ services, param }) {
      services.engine.execute('remove_rules', { id: param('id') })
      return noContent
    },
  }),
]
