// Schemas of enumerations and of plans. `error` completes the sentence "expected …".

import * as z from 'zod'
import { DELIVERY_STATUSES } from '../domain/delivery.ts'
import { WEBHOOK_EVENTS } from '../domain/events.ts'
import { FAILURE_CODE_NAMES } from '../domain/failure-codes.ts'
import { FAULT_TARGETS, type FaultTarget } from '../domain/faults.ts'
import { IMPORTED_SIGNATURES } from '../domain/imported-event.ts'
import { PAGE_METHODS, PAYMENT_METHODS } from '../domain/payment-methods.ts'
import { PAYMENT_STATUSES } from '../domain/payment-states.ts'
import { PAYOUT_METHODS, PAYOUT_STATUSES } from '../domain/payout.ts'
import { REFUND_STATUSES } from '../domain/refund.ts'
import { PLAN_PATTERN } from '../domain/text-patterns.ts'
import { THREE_DS_STEPS, type ThreeDsStep } from '../domain/three-ds.ts'

export const oneOf = <const T extends readonly [string, ...string[]]>(...names: T) =>
  z.enum(names, { error: names.length === 1 ? `${names[0]}` : `one of ${names.join(', ')}` })

export const mode = oneOf('test', 'live')
export const paymentMethod = oneOf(...PAYMENT_METHODS)
export const paymentStatus = oneOf(...PAYMENT_STATUSES)
export const payoutMethod = oneOf(...PAYOUT_METHODS)
export const payoutStatus = oneOf(...PAYOUT_STATUSES)
export const plannedOutcome = oneOf('succeeded', 'failed', 'requires_action', 'pending')
export const refundStatus = oneOf(...REFUND_STATUSES)
export const threeDsStep = oneOf(...(Object.keys(THREE_DS_STEPS) as [ThreeDsStep, ...ThreeDsStep[]]))
export const clockMode = oneOf('real', 'frozen', 'scaled')
export const deliveryStatus = oneOf(...DELIVERY_STATUSES, 'sending')
export const eventName = oneOf(...WEBHOOK_EVENTS)
/** The schema accepts any string, because the engine rejects unknown codes with a message that suggests similar ones. */
export const failureCode = z.string({ error: 'a failure code' }).meta({ enum: [...FAILURE_CODE_NAMES] })
export const faultTarget = oneOf(...(Object.keys(FAULT_TARGETS) as [FaultTarget, ...FaultTarget[]]))
/** The methods that a buyer can pick. */
export const pageMethod = oneOf(...PAGE_METHODS)
export const importedSignature = oneOf(...IMPORTED_SIGNATURES)
export const signatureVersion = oneOf('v2', 'v1')

/** A value in `match`. */
export const matchValue = z.union([z.string(), z.number()])

const plan = z.string({ error: 'a plan such as failed:insufficient_funds' }).meta({ pattern: PLAN_PATTERN })
/** The `plan` of a rule. */
export const rulePlan = z.union([plan, z.array(plan).min(1).max(1000)], {
  error: 'a plan such as failed:insufficient_funds, or a list of plans',
})

/** The schemas that both OpenAPI documents contain, by their names there. */
export const VALUE_SCHEMAS = {
  Mode: mode,
  PaymentMethod: paymentMethod,
  PaymentStatus: paymentStatus,
  PayoutMethod: payoutMethod,
  PayoutStatus: payoutStatus,
  RefundStatus: refundStatus,
}
