// The JSON schema of a seed file, made from the schemas that check it.
import * as z from 'zod'
import { PART_SCHEMAS } from '../../src/http/control/document.ts'
import { faultBody } from '../../src/http/control/faults.ts'
import { ruleBody } from '../../src/http/control/rules.ts'
import { seedDocument } from '../../src/http/control/seed.ts'
import { settingsChange } from '../../src/http/control/settings-schemas.ts'
import { shopBody } from '../../src/http/control/shops.ts'
import { createPaymentBody } from '../../src/http/public/create-payment.ts'
import { createPayoutBody } from '../../src/http/public/create-payout.ts'
import type { Schema } from './schema-tables.ts'

const outcome = z.string().optional().meta({ description: 'The plan: `failed:insufficient_funds@30s`.' })

/** The lists in a seed, each with its description and the schema of its items. */
export const SEED_PARTS = {
  shops: { about: 'Shops, each with its merchant, key, secrets and endpoints.', item: shopBody },
  rules: { about: 'Rules for outcomes. The first rule has priority.', item: ruleBody },
  faults: { about: 'Faults of the transport. The first fault has priority.', item: faultBody },
  payments: {
    about: 'Payments of the first shop of the seed, or of the default shop.',
    item: createPaymentBody.schema.extend({ outcome }),
  },
  payouts: { about: 'Payouts of the same shop.', item: createPayoutBody.schema.extend({ outcome }) },
} as const

export function seedSchema(): Schema & { readonly properties: Readonly<Record<string, Schema>> } {
  const parts = Object.entries(SEED_PARTS).map(([name, { about, item }]) => [
    name,
    { type: 'array', description: about, items: jsonOf(item) },
  ])
  const known = {
    $schema: { type: 'string' },
    settings: { ...jsonOf(settingsChange), description: 'Settings by name.' },
    ...Object.fromEntries(parts),
  } as Record<string, Schema>
  return {
    ...{ $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Seed of psp serve --seed' },
    type: 'object',
    additionalProperties: false,
    // The program defines the order and the names. A new part has no schema here until it is added.
    properties: Object.fromEntries(Object.keys(seedDocument.shape).map((name) => [name, known[name] as Schema])),
  }
}

function jsonOf(schema: z.ZodType): Schema {
  const { $schema, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return { ...(withoutReferences(json) as Schema), additionalProperties: false }
}

/** Inserts the schemas that exist only in the document of the control API. */
function withoutReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutReferences)
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...rest } = node as { readonly $ref?: string }
  const name = $ref?.replace('#/components/schemas/', '') as keyof typeof PART_SCHEMAS | undefined
  if (name === undefined)
    return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withoutReferences(value)]))
  const { $schema, ...part } = z.toJSONSchema(PART_SCHEMAS[name], { io: 'input', unrepresentable: 'any' })
  return { ...part, ...rest }
}
