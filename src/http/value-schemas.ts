// Schemas of values that the public API and the control API share. `error` completes the sentence "expected …".

import * as z from 'zod'
import { DELIVERY_STATUSES } from '../domain/delivery.ts'
import { WEBHOOK_EVENTS } from '../domain/events.ts'
import { FAILURE_CODE_NAMES } from '../domain/failure-codes.ts'
import { FAULT_TARGETS, type FaultTarget } from '../domain/faults.ts'
import { HTTP_URL_PATTERN, hasUserInfo, isHttpUrl, WITHOUT_USER_INFO } from '../domain/http-url.ts'
import { IMPORTED_SIGNATURES } from '../domain/imported-event.ts'
import { PAGE_METHODS, PAYMENT_METHODS } from '../domain/payment-methods.ts'
import { PAYMENT_STATUSES } from '../domain/payment-states.ts'
import { PAYOUT_METHODS, PAYOUT_STATUSES } from '../domain/payout.ts'
import { REFUND_STATUSES } from '../domain/refund.ts'
import { PLAN_PATTERN } from '../domain/text-patterns.ts'
import { THREE_DS_STEPS, type ThreeDsStep } from '../domain/three-ds.ts'
import { stringEnum } from '../settings.ts'

/** A union of named object schemas. The value of `field` selects the variant. */
export const variants = <S extends z.ZodObject>(field: string, named: { readonly [name: string]: S }, error?: string) =>
  z.discriminatedUnion(field, Object.values(named) as [S, ...S[]], error)

export const mode = stringEnum('test', 'live')
export const paymentMethod = stringEnum(...PAYMENT_METHODS)
export const paymentStatus = stringEnum(...PAYMENT_STATUSES)
export const payoutMethod = stringEnum(...PAYOUT_METHODS)
export const payoutStatus = stringEnum(...PAYOUT_STATUSES)
export const plannedOutcome = stringEnum('succeeded', 'failed', 'requires_action', 'pending')
export const refundStatus = stringEnum(...REFUND_STATUSES)
export const threeDsStep = stringEnum(...(Object.keys(THREE_DS_STEPS) as [ThreeDsStep, ...ThreeDsStep[]]))
export const clockMode = stringEnum('real', 'frozen', 'scaled')
export const deliveryStatus = stringEnum(...DELIVERY_STATUSES, 'sending')
export const eventName = stringEnum(...WEBHOOK_EVENTS)
/** Accepts any string, because the engine rejects unknown codes with a message that suggests similar ones. */
export const failureCode = z.string({ error: 'a failure code' }).meta({ enum: [...FAILURE_CODE_NAMES] })
export const faultTarget = stringEnum(...(Object.keys(FAULT_TARGETS) as [FaultTarget, ...FaultTarget[]]))
/** The methods that a buyer can pick. */
export const pageMethod = stringEnum(...PAGE_METHODS)
export const importedSignature = stringEnum(...IMPORTED_SIGNATURES)
export const signatureVersion = stringEnum('v2', 'v1')

const URL_FORMAT = 'an absolute http or https URL'
export const httpUrl = z
  .string({ error: URL_FORMAT })
  .refine(isHttpUrl, URL_FORMAT)
  .refine((url) => !hasUserInfo(url), WITHOUT_USER_INFO)
  .meta({ pattern: HTTP_URL_PATTERN })

/**
 * An object with any field names, unchanged. A record schema would drop a field such as `__proto__`.
 * @param object completes the sentence "expected …" for the whole value
 * @param value completes it for the value of a field
 */
export const recordOf = <V>(object: string, value: string, isValue: (given: unknown) => given is V) =>
  z
    .custom<Readonly<Record<string, V>>>()
    .superRefine((fields: unknown, context) => {
      if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
        context.addIssue({ code: 'custom', message: object, input: fields })
        return
      }
      for (const [name, given] of Object.entries(fields)) {
        if (!isValue(given)) context.addIssue({ code: 'custom', message: value, path: [name], input: given })
      }
    })
    .meta({ type: 'object' })

/** An object with any fields and values, unchanged. */
export const anyObject = (object: string) => recordOf(object, 'a value', (_): _ is unknown => true)

export const matchValue = z.union([z.string(), z.number()])

const plan = z.string({ error: 'a plan such as failed:insufficient_funds' }).meta({ pattern: PLAN_PATTERN })
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
