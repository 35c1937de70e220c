// Request bodies that the OpenAPI document describes in more detail than the schemas with which the server validates.
import * as z from 'zod'
import { WEBHOOK_EVENTS } from '../../domain/events.ts'
import { EXPORT_FORMAT } from '../../store/import/envelopes.ts'
import type { Schemas } from '../openapi/schema-json.ts'
import { createPaymentBody } from '../public/create-payment.ts'
import { createPayoutBody } from '../public/create-payout.ts'
import { refundPaymentBody } from '../public/refund-payment.ts'
import * as values from '../value-schemas.ts'
import { ACTIONS, PAYOUT_CODES_NOTE } from './actions.ts'
import { CLOCK_MODES } from './clock.ts'
import * as controlSchemas from './object-schemas.ts'
import { settingsChange } from './settings-schemas.ts'

const failureCode = (about = '') =>
  values.failureCode.optional().meta({ description: `Why the bank declines. Default: do_not_honor.${about}` })
const shop_id = z.string().meta({ format: 'uuid', description: 'The shop. Default: the oldest one.' }).optional()

const paymentFields = z
  .strictObject({
    ...createPaymentBody.schema.partial().shape,
    failure_code: failureCode(` ${PAYOUT_CODES_NOTE}`),
    refund_amount: refundPaymentBody.schema.shape['amount'],
    reason: refundPaymentBody.schema.shape['reason'],
    shop_id,
  })
  .meta({ patternProperties: { '^metadata\\..': { type: 'string' } } })
const payoutFields = z.strictObject({
  ...createPayoutBody.schema.partial().shape,
  failure_code: failureCode(),
  shop_id,
})

const named = (kind: 'payment' | 'payout') =>
  z.enum(WEBHOOK_EVENTS.filter((name) => name.startsWith(`${kind}.`))).meta({ description: 'The event to trigger.' })

const triggerPaymentEvent = z.strictObject({
  event: named('payment'),
  set: paymentFields.optional().meta({ description: 'Fields of the create request and of the refund.' }),
  shop_id,
})
const triggerPayoutEvent = z.strictObject({
  event: named('payout'),
  set: payoutFields.optional().meta({ description: 'Fields of the create request.' }),
  shop_id,
})

const scenarioStep = z.looseObject({ do: z.string().meta({ description: 'The name of an operation.' }) })
const scenario = z.looseObject({
  name: z.string().min(1).meta({ description: 'The name of the scenario.' }),
  steps: z.array(scenarioStep).min(1).meta({ description: 'The operations, in order.' }),
})
const triggerScenario = z.strictObject({
  scenario: z
    .union([z.string().regex(/^[a-z]+(-[a-z]+)*$/), scenario])
    .meta({ description: 'The name of a scenario that is shipped with psp, or a whole scenario.' }),
})

/** The bodies by the name of the route. */
export const DOCUMENTED_BODIES: Schemas = {
  changeSettings: settingsChange,
  trigger: z.union([triggerPaymentEvent, triggerPayoutEvent, triggerScenario]),
  importState: z.strictObject({
    format: z.literal(EXPORT_FORMAT).meta({ description: 'The format of this document.' }),
    version: z.string().optional().meta({ description: 'The version of psp that made the export.' }),
    exported_at: z.string().optional().meta({ format: 'date-time', description: 'The time of the export.' }),
    tables: controlSchemas.stateTables.meta({ description: 'The rows of each table, in the format of the export.' }),
  }),
}

/** The schemas inside bodies that have a name in the document. */
export const BODY_PARTS: Schemas = {
  ...ACTIONS,
  ...CLOCK_MODES,
  PaymentEventFields: paymentFields,
  PayoutEventFields: payoutFields,
  TriggerPaymentEvent: triggerPaymentEvent,
  TriggerPayoutEvent: triggerPayoutEvent,
  TriggerScenario: triggerScenario,
  Scenario: scenario,
  ScenarioStep: scenarioStep,
}
