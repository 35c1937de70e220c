// The schemas of stored rows. They reject unknown fields, because a misspelt field would be ignored silently.
import * as z from 'zod'
import { DELIVERY_STATUSES } from '../domain/delivery.ts'
import { WEBHOOK_EVENTS } from '../domain/events.ts'
import { isHeaderValue } from '../domain/header-text.ts'
import { IMPORTED_EVENT_ID, IMPORTED_SIGNATURES } from '../domain/imported-event.ts'
import { allowListEntryIssue } from '../domain/ip-allow-list.ts'
import { isJsonObject } from '../domain/json-values.ts'
import { PAYMENT_STEPS } from '../domain/payment.ts'
import { PAYMENT_METHODS } from '../domain/payment-methods.ts'
import { PAYMENT_STATUSES } from '../domain/payment-states.ts'
import { PAYOUT_METHODS, PAYOUT_STATUSES } from '../domain/payout.ts'
import { REFUND_STATUSES } from '../domain/refund.ts'
import { formatPlan, type Plan, parsePlan } from '../domain/simulator-plan.ts'
import { attempt } from './attempt-schema.ts'
import { deliveryUrlIssue } from './row-consistency.ts'
import {
  bankId,
  currency,
  httpUrl,
  id,
  name,
  nonEmpty,
  oneLine,
  phone,
  plainText,
  returnUrl,
  secret,
  shortText,
  time,
} from './row-formats.ts'
import { FAULT_ROW, RULE_ROW } from './rule-schemas.ts'
import { ROW_TIMERS, type TableName } from './tables.ts'

const text = z.string()
const money = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
const count = z.int().min(0)
const mode = z.enum(['test', 'live'])
const event = z.enum(WEBHOOK_EVENTS)
const texts = z.array(text)
const owned = { id, merchant_id: id, shop_id: id }

const plan = z
  .strictObject({
    outcome: text,
    code: text.exactOptional(),
    delay: z.int().min(0).exactOptional(),
    refunds: z.enum(['failed', 'pending']).exactOptional(),
    decided_by: text,
  })
  .refine(isPlan, { error: 'not a plan' })

/** Checks entries one by one, because a record schema ignores `__proto__`. */
const metadata = z.unknown().refine(isObjectOfStrings, { error: 'not an object of strings' })

export const TABLE_ROWS = {
  state: z.discriminatedUnion('id', [
    z.strictObject({ id: z.literal('settings'), values: z.custom(isJsonObject, { error: 'not an object' }) }),
    z.strictObject({
      id: z.literal('clock'),
      mode: z.enum(['real', 'frozen', 'scaled']),
      speed: z.number().positive().max(1_000_000),
      virtual: time,
      wall: time,
    }),
  ]),
  merchants: z.strictObject({
    id,
    name,
    created_at: time,
    live_enabled: z.boolean(),
    rate_limit: count.max(1_000_000).exactOptional(),
  }),
  shops: z.strictObject({
    id,
    merchant_id: id,
    name,
    created_at: time,
    signing_secret: secret('signing_secret'),
    webhook_secret: secret('webhook_secret'),
    require_signature: z.boolean(),
    ip_allow_list: z
      .array(text.refine((entry) => allowListEntryIssue(entry) === undefined, { error: 'not an address' }))
      .max(1000, 'expected a list of at most 1000 entries'),
    payout_route: z.boolean(),
    former_secrets: texts,
    former_signing_secrets: texts.exactOptional(),
  }),
  keys: z.strictObject({
    ...owned,
    mode,
    hash: text.regex(/^[0-9a-f]{64}$/),
    hint: text.regex(/^sk_(test|live)_[A-Za-z0-9]{6}$/, 'expected the public part of a key'),
    created_at: time,
    revoked_at: time.exactOptional(),
  }),
  endpoints: z
    .strictObject({
      ...owned,
      url: plainText,
      events: z.array(event),
      signature: z.enum(['v1', 'v2']),
      active: z.boolean(),
      created_at: time,
      secret: secret('webhook_secret').exactOptional(),
      former_secrets: texts,
      listener: z.literal(true).exactOptional(),
    })
    // A listener may have any URL, because this process does not send to it.
    .refine(({ url, listener }) => listener === true || httpUrl.safeParse(url).success, {
      path: ['url'],
      error: 'expected an absolute http or https URL without user name and password',
    }),
  payments: z.strictObject({
    ...owned,
    mode,
    order_id: nonEmpty,
    amount: money.min(1),
    amount_refunded: money,
    amount_usdt: z.number(),
    currency,
    method: z.enum(PAYMENT_METHODS),
    status: z.enum(PAYMENT_STATUSES),
    created_at: time,
    expires_at: time,
    metadata,
    plan,
    step: z.enum(PAYMENT_STEPS).optional(),
    step_at: time.optional(),
    seq: z.int().optional(),
    customer_id: nonEmpty.optional(),
    return_url: returnUrl.optional(),
    webhook_url: httpUrl.optional(),
    description: nonEmpty.optional(),
    processing_until: time.optional(),
    captured_at: time.optional(),
    finalized_at: time.optional(),
    rrn: text.optional(),
    bank_name: text.optional(),
    bank: text.optional(),
    bank_ref: text.optional(),
    customer_card_brand: text.optional(),
    customer_card_mask: text.optional(),
    customer_card_holder: text.optional(),
    customer_phone_mask: text.optional(),
    customer_payer_bank: text.optional(),
    page_opened_at: time.exactOptional(),
    session_by_act: z.literal(true).exactOptional(),
    awaits_buyer: z.literal(true).exactOptional(),
  }),
  refunds: z.strictObject({
    ...owned,
    payment_id: id,
    amount: money.min(1),
    reason: nonEmpty.exactOptional(),
    status: z.enum(REFUND_STATUSES),
    created_at: time,
    completed_at: time.exactOptional(),
    plan,
  }),
  payouts: z.strictObject({
    ...owned,
    mode,
    amount: money.min(1),
    currency,
    method: z.enum(PAYOUT_METHODS),
    status: z.enum(PAYOUT_STATUSES),
    fail_reason: text,
    recipient: z.strictObject({ phone, bank_id: bankId, full_name: oneLine.exactOptional() }),
    created_at: time,
    completed_at: time.exactOptional(),
    bank: text.exactOptional(),
    bank_ref: text.exactOptional(),
    plan,
  }),
  idempotency: z.strictObject({ id: text.min(1), fingerprint: shortText, object_id: id, expires_at: time }),
  events: z.strictObject({
    ...owned,
    id: id.refine(isHeaderValue, { error: 'expected only characters that an HTTP header can hold' }),
    event,
    created_at: time,
    object_id: id,
    body: text.refine(isEventBody, { error: 'not the JSON of an event' }),
  }),
  deliveries: z
    .strictObject({
      ...owned,
      event_id: id,
      event,
      object_id: id,
      endpoint_id: id.exactOptional(),
      url: plainText,
      status: z.enum(DELIVERY_STATUSES),
      created_at: time,
      next_attempt_at: time.exactOptional(),
      resume_at: time.exactOptional(),
      attempts: z.array(attempt),
      no_retries: z.literal(true).exactOptional(),
      in_backlog: z.literal(true).exactOptional(),
      timestamp: z.int().exactOptional(),
      replay: z.literal(true).exactOptional(),
      edited_body: nonEmpty.exactOptional(),
    })
    .superRefine((delivery, context) => {
      // The URL of a delivery to an endpoint is checked with the whole state, because the endpoint may be a listener.
      const why = deliveryUrlIssue(delivery, undefined)
      if (why !== undefined) context.addIssue({ code: 'custom', path: ['url'], message: why, input: delivery.url })
    }),
  timers: z.strictObject({ id: plainText, kind: z.enum(ROW_TIMERS), object_id: id, due: time, seq: z.int() }),
  rules: RULE_ROW,
  faults: FAULT_ROW,
  imported_events: z.strictObject({
    id: text.regex(IMPORTED_EVENT_ID),
    event_id: plainText,
    event: plainText,
    object_id: plainText.exactOptional(),
    order_id: nonEmpty.exactOptional(),
    created_at: time,
    received_at: time,
    source: nonEmpty,
    signature: z.enum(IMPORTED_SIGNATURES),
    cause: text.exactOptional(),
    body: text.refine(isEventBody, { error: 'not the JSON of an event' }),
  }),
} satisfies { readonly [T in TableName]: z.ZodType }

/** Rejects a plan that does not survive formatting and parsing, such as a stored `failed` without a code. */
function isPlan(plan: { readonly outcome: string; readonly code?: string }): boolean {
  const read = parsePlan(formatPlan(plan as Plan))
  return read !== undefined && ('code' in read ? read.code : undefined) === plan.code
}

function isObjectOfStrings(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).every((inner) => typeof inner === 'string')
}

function isEventBody(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'data' in body && typeof body.data === 'object'
  } catch {
    return false
  }
}
