// What the routes of the control API answer, as schemas by name. The documents show them, the tests hold every answer
// against them; a running server reads none.
import * as z from 'zod'
import { DELIVERY_STATUSES } from '../../domain/delivery.ts'
import { WEBHOOK_EVENTS } from '../../domain/events.ts'
import { FAULT_TARGETS, type FaultTarget } from '../../domain/faults.ts'
import { TABLE_NAMES } from '../../engine/tables.ts'
import { SETTING_NAMES, SETTINGS } from '../../settings.ts'
import * as objects from '../openapi/objects.ts'

const id = z.string()
const time = z.string().meta({ format: 'date-time' })
const mode = z.enum(['test', 'live'])
const clockMode = z.enum(['real', 'frozen', 'scaled'])
const event = z.enum(WEBHOOK_EVENTS)
const planned = {
  plan: z.string().meta({ description: 'What the simulator does with it.' }),
  decided_by: z.string().meta({ description: 'A rule, header, metadata, card, magic value, act or default.' }),
}

const shop = z.strictObject({
  id,
  merchant_id: id,
  name: z.string(),
  live_enabled: z.boolean(),
  require_signature: z.boolean(),
  ip_allow_list: z.array(z.string()),
  rate_limit: z.int().nullable().meta({ description: 'Requests per second; null: the setting rate_limit.' }),
  payout_route: z.boolean(),
  created_at: time,
})

const key = z.strictObject({
  id,
  shop_id: id,
  mode,
  hint: z.string().meta({ description: 'The public part: `sk_test_abc123`.' }),
  created_at: time,
  revoked_at: time.nullable(),
})

const endpoint = z.strictObject({
  id,
  shop_id: id,
  url: z.string(),
  events: z.array(event),
  signature: z.enum(['v1', 'v2']),
  active: z.boolean(),
  created_at: time,
})
const endpointWithSecret = endpoint.extend({ secret: z.string().optional() })

const webhookEvent = z.strictObject({
  id,
  event,
  created_at: time,
  shop_id: id,
  object_id: id.meta({ description: 'The payment (of a refund too) or payout.' }),
  data: z.looseObject({}),
})

const message = {
  headers: z.record(z.string(), z.string()).meta({ description: 'Names in lower case.' }),
  body: z.string().optional(),
  body_b64: z.string().optional().meta({ description: 'Instead of `body` where the bytes are not UTF-8.' }),
  truncated: z.literal(true).optional(),
}

const attempt = z.strictObject({
  number: z.int(),
  at: time.meta({ description: 'When it was due, on the sandbox clock.' }),
  sent_at: time.meta({ description: 'When it left, on the wall clock.' }),
  ms: z.number(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  fault: z.string().optional(),
  fault_ids: z.array(z.string()).optional(),
  request: z.strictObject(message),
  response: z.strictObject(message).nullable(),
})

const deliveryStatus = z.enum([...DELIVERY_STATUSES, 'sending'])

const delivery = z.strictObject({
  id,
  event_id: id,
  event,
  object_id: id,
  shop_id: id,
  endpoint_id: id.nullable().meta({ description: 'null: a `webhook_url`, or the url of a replay.' }),
  url: z.string(),
  status: deliveryStatus,
  created_at: time,
  next_attempt_at: time.nullable(),
  attempts: z.array(attempt),
})

const counted = {
  id,
  created_at: time,
  match: z.record(z.string(), z.union([z.string(), z.number()])),
  times: z.int().optional().meta({ description: 'How often it may still apply.' }),
  every: z.int().optional(),
  matched: z.int(),
  applied: z.int(),
}
const rule = z.strictObject({ ...counted, plan: z.union([z.string(), z.array(z.string())]) })
const fault = z.strictObject({
  ...counted,
  target: z.enum(Object.keys(FAULT_TARGETS) as [FaultTarget, ...FaultTarget[]]),
  fault: z.string(),
  probability: z.number().optional(),
})

const request = z.strictObject({
  id: z.int(),
  at: time,
  method: z.string(),
  path: z.string(),
  status: z.int(),
  code: z.string().nullable(),
  message: z.string().optional().meta({ description: 'Of the error object.' }),
  ms: z.number(),
  shop_id: id.nullable(),
  mode: mode.optional(),
  key_hint: z.string().optional(),
  idempotency_key: z.string().optional(),
  object_id: id.optional(),
  decided_by: z.string().nullable(),
  faults: z.array(z.string()).optional(),
  fault_ids: z.array(z.string()).optional(),
  warnings: z.array(z.string()),
  request: z.strictObject({ body: z.string().nullable() }),
  response: z.strictObject({ body: z.string().nullable() }),
})

const snapshot = z.strictObject({ name: z.string(), taken_at: time })

/** A setting as people write it: durations are text. */
const setting = (name: (typeof SETTING_NAMES)[number]) => {
  const { schema, about, default: fallback } = SETTINGS[name]
  return schema.meta({ description: `${about}; default ${JSON.stringify(fallback)}` })
}

/** What `PATCH /_psp/settings` takes; names are checked by it in words that name the near ones. */
export const settingsChange = z.strictObject(
  Object.fromEntries(SETTING_NAMES.map((name) => [name, z.union([setting(name), z.null()]).optional()])),
)

const page = <S extends z.ZodType>(item: S) =>
  z.strictObject({ items: z.array(item), next_cursor: z.string().nullable() })

export const ANSWERS = {
  Health: z.strictObject({
    status: z.literal('ok'),
    version: z.string(),
    api_version: z.string(),
    now: time,
    clock: clockMode,
    last_event_id: z
      .string()
      .meta({ description: 'The newest id of GET /_psp/stream: what is asked for from now on is at least as new.' }),
    pid: z.int().optional().meta({ description: 'Of the server, where only this machine reaches it.' }),
    data: z.string().nullable().optional().meta({ description: 'Its data folder; null: in memory only.' }),
  }),
  Settings: z.strictObject(Object.fromEntries(SETTING_NAMES.map((name) => [name, setting(name)]))),
  Done: z.strictObject({ status: z.literal('ok') }),
  Snapshot: snapshot,
  SnapshotPage: page(snapshot),
  State: z.strictObject({
    format: z.string(),
    version: z.string(),
    exported_at: time,
    partial: z.literal(true).optional().meta({ description: 'Chosen tables only; it cannot be imported.' }),
    tables: z.record(z.string(), z.array(z.looseObject({ id }))),
  }),
  Counts: z.strictObject(Object.fromEntries(TABLE_NAMES.map((name) => [name, z.int()]))),
  Clock: z.strictObject({ mode: clockMode, now: time, speed: z.number(), next_due: time.nullable() }),
  Advanced: z.strictObject({
    now: time,
    steps: z.int().meta({ description: 'Steps that ran, webhook attempts included.' }),
    deliveries: z.int().meta({ description: 'Webhook attempts among them.' }),
    never: z
      .int()
      .optional()
      .meta({ description: 'Only after an advance until idle: steps due after the last time the clock can show.' }),
  }),
  Shop: shop,
  ShopPage: page(shop),
  ShopCreated: z.strictObject({
    merchant_id: id,
    shop_id: id,
    api_key: z.string(),
    signing_secret: z.string(),
    webhook_secret: z.string(),
    endpoints: z.array(endpointWithSecret),
  }),
  SigningSecret: z.strictObject({ signing_secret: z.string() }),
  WebhookSecret: z.strictObject({ webhook_secret: z.string() }),
  Key: key,
  KeyPage: page(key),
  KeyCreated: z.strictObject({ id, api_key: z.string(), mode, created_at: time }),
  Endpoint: endpoint,
  EndpointPage: page(endpoint),
  EndpointWithSecret: endpointWithSecret,
  Payment: objects.payment,
  PaymentPage: page(objects.payment.extend({ description: z.string().optional(), mode, ...planned })),
  Payout: objects.payout,
  PayoutPage: page(objects.payout.extend({ mode, ...planned })),
  Refund: objects.refund,
  RefundPage: page(objects.refund.extend({ shop_id: id, ...planned })),
  Event: webhookEvent,
  EventPage: page(webhookEvent),
  Delivery: delivery,
  DeliveryPage: page(delivery),
  Deliveries: z.strictObject({ items: z.array(delivery) }),
  Triggered: z.looseObject({
    event: event.optional(),
    shop_id: id.optional(),
    payment_id: id.optional(),
    refund_id: id.optional(),
    payout_id: id.optional(),
    event_id: id.nullable().optional(),
    event_ids: z.array(id).optional(),
    delivery_ids: z.array(id).optional(),
    payment_ids: z.array(id).optional().meta({ description: 'Of a scenario; so are the next ones.' }),
    refund_ids: z.array(id).optional(),
    payout_ids: z.array(id).optional(),
  }),
  Rule: rule,
  RulePage: page(rule),
  Fault: fault,
  FaultPage: page(fault),
  RequestPage: page(request),
  Listener: z.strictObject({
    id,
    secret: z.string(),
    shop_id: id,
    url: z.string(),
    events: z.array(event),
    signature: z.enum(['v1', 'v2']),
    connected: z.boolean().meta({ description: 'Somebody else had its stream already.' }),
  }),
  ListenerVerdict: z.strictObject({ status: deliveryStatus, next_attempt_at: time.nullable() }),
  OpenApi: z.looseObject({ openapi: z.string() }),
}

export type AnswerName = keyof typeof ANSWERS
