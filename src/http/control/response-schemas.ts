// The responses of the control API as schemas by name. Tests validate each response with them. The server loads them
// only to create the OpenAPI document.

import * as z from 'zod'
import { TABLE_NAMES } from '../../engine/tables.ts'
import { SETTING_NAMES } from '../../settings.ts'
import * as objects from '../openapi/objects.ts'
import * as deliverySchemas from './delivery-schemas.ts'
import * as controlSchemas from './object-schemas.ts'
import { settings } from './settings-schemas.ts'
import { controlMessage, listedMessages, listenerMessage, streamedMessage } from './stream-schemas.ts'

const { clockMode, clockTime, described } = controlSchemas
const { idOf, text, time, nullableTime, mode, signature, event, events, CREATED_AT } = controlSchemas.fields
const clockFields = {
  mode: clockMode,
  now: clockTime,
  speed: described(z.number(), 'Seconds of the sandbox clock in one second of the system clock.'),
  next_due: nullableTime('When the next step is due. null: no step is scheduled.'),
}
const planned = {
  plan: text('The plan of the simulator.'),
  decided_by: text(controlSchemas.PLAN_SOURCE),
}

const ORIGIN =
  'The source of the value: `default`, `settings` if the value is stored (by PATCH, a seed, an import or a restore), or the flag, variable or file of this run.'

const listedPayment = objects.payment.extend({
  description: described(z.string().optional(), 'The purpose of the payment from the request.'),
  mode,
  ...planned,
})
const listedPayout = objects.payout.extend({ mode, ...planned })
const listedRefund = objects.refund.extend({ shop_id: idOf('the shop'), ...planned })

const page = <S extends z.ZodType>(item: S) =>
  z.strictObject({
    items: described(z.array(item), 'The items, at most `limit`.'),
    next_cursor: described(z.string().nullable(), 'The `cursor` of the next page. null: this is the last page.'),
  })

const optionalIds = (what: string) => described(z.array(z.string()).optional(), `Ids of ${what}.`)
const optionalId = (what: string) => described(z.string().optional(), `Id of the ${what}.`)

const COUNTED = Object.fromEntries(
  TABLE_NAMES.map((name) => [name, described(z.int(), `The number of rows in ${name}.`)]),
)

const wouldReplace = described(
  z.strictObject(COUNTED).optional(),
  'In a dry run: the number of rows in the current state, by table.',
)

export const RESPONSES = {
  Health: controlSchemas.health,
  Settings: settings,
  SettingSources: z.strictObject(Object.fromEntries(SETTING_NAMES.map((name) => [name, text(ORIGIN)]))),
  Deleted: z.strictObject({
    status: described(z.literal('ok'), 'Always `ok`.'),
    would_replace: wouldReplace,
    would_apply_seed: described(z.boolean().optional(), 'In a dry run: whether the seed would be applied again.'),
  }),
  Restored: z.strictObject({
    status: described(z.literal('ok'), 'Always `ok`.'),
    removed_former_secrets: described(
      z.int().optional(),
      'The number of public development secrets that were removed from `former_secrets` and `former_signing_secrets`, because other machines can reach the server.',
    ),
    would_replace: wouldReplace,
    would_import: described(
      z.strictObject(COUNTED).optional(),
      'In a dry run: the number of rows in the new state, by table.',
    ),
  }),
  Snapshot: controlSchemas.snapshot,
  SnapshotPage: page(controlSchemas.snapshot),
  State: z.strictObject({
    format: text('The format of this document.'),
    version: text('The version of psp that made the export.'),
    exported_at: time('The time of the export, by the system clock.'),
    partial: described(
      z.literal(true).optional(),
      'True: the document has only the chosen tables, and cannot be imported.',
    ),
    tables: described(
      controlSchemas.stateTables,
      'The rows of each table as stored, with money in minor units and times in ms since 1970.',
    ),
  }),
  ObjectCounts: z.strictObject(COUNTED),
  Clock: z.strictObject(clockFields),
  IdleReport: z.strictObject({
    ...clockFields,
    idle: described(z.boolean(), 'False: the clock is frozen, and steps wait until it is advanced.'),
    waiting: described(z.int(), 'The number of waiting steps, without expiries.'),
    due: described(z.array(controlSchemas.dueStep), 'The first 20 waiting steps, in order.'),
    message: described(
      z.string().optional(),
      'Why the sandbox is not idle, and what to do. Present only if `idle` is false.',
    ),
  }),
  Schedule: z.strictObject({
    items: described(z.array(controlSchemas.dueStep), 'The next steps, in order.'),
    total: described(z.int(), 'The number of all scheduled steps.'),
  }),
  AdvanceResult: z.strictObject({
    now: clockTime,
    steps: described(z.int(), 'The number of steps that ran, webhook attempts included.'),
    deliveries: described(z.int(), 'The number of webhook attempts among the steps.'),
    never: described(
      z.int().optional(),
      'The number of steps that are due after the last time that the clock can show. Present only after an advance until idle.',
    ),
  }),
  Shop: controlSchemas.shop,
  ShopPage: page(controlSchemas.shop),
  CreatedShop: z.strictObject({
    merchant_id: idOf('the merchant'),
    shop_id: idOf('the shop'),
    api_key: text('The first key, a test key. It is shown only in this response.'),
    signing_secret: text('The secret that signs requests: `thm_…`.'),
    webhook_secret: text('The secret that signs webhooks to endpoints without a secret: `whs_…`.'),
    endpoints: described(z.array(controlSchemas.endpointWithSecret), 'The endpoints from the request.'),
  }),
  SigningSecret: z.strictObject({ signing_secret: text('The new secret. The old secret is invalid.') }),
  WebhookSecret: z.strictObject({
    webhook_secret: text('The new secret, which signs webhooks from the next attempt on.'),
  }),
  ApiKey: controlSchemas.key,
  ApiKeyPage: page(controlSchemas.key),
  CreatedKey: z.strictObject({
    id: idOf('the key, which is not the key itself'),
    api_key: text('The key. It is shown only in this response.'),
    mode,
    created_at: time(CREATED_AT),
  }),
  Endpoint: controlSchemas.endpoint,
  EndpointPage: page(controlSchemas.endpoint),
  EndpointWithSecret: controlSchemas.endpointWithSecret,
  Payment: objects.payment,
  ListedPayment: listedPayment,
  PaymentPage: page(listedPayment),
  Payout: objects.payout,
  ListedPayout: listedPayout,
  PayoutPage: page(listedPayout),
  Refund: objects.refund,
  ListedRefund: listedRefund,
  RefundPage: page(listedRefund),
  WebhookEvent: controlSchemas.webhookEvent,
  WebhookEventPage: page(controlSchemas.webhookEvent),
  WaitResult: z.strictObject({
    event: described(
      controlSchemas.webhookEvent.nullable(),
      'The event. null: the event or the first attempts of its webhooks did not happen in time.',
    ),
    message: described(
      z.string().nullable(),
      'Why `event` is null: the nearest other events or the missing attempts, and the state of the clock. null: `event` is present.',
    ),
  }),
  ImportedEvent: controlSchemas.importedEvent,
  ImportedEventPage: page(controlSchemas.importedEvent),
  ImportResult: controlSchemas.importResult,
  Delivery: deliverySchemas.delivery,
  DeliveryPage: page(z.union([deliverySchemas.delivery, deliverySchemas.listedDelivery])),
  Diagnosis: deliverySchemas.diagnosis,
  DeliveryList: z.strictObject({
    items: described(z.array(deliverySchemas.delivery), 'The deliveries, one for each receiver.'),
  }),
  TriggerResult: z.looseObject({
    event: event.optional(),
    shop_id: optionalId("event's shop"),
    payment_id: optionalId('created payment'),
    refund_id: optionalId('created refund'),
    payout_id: optionalId('created payout'),
    event_id: described(
      z.string().nullable().optional(),
      'Id of the requested event. null: the event has not happened yet.',
    ),
    event_ids: optionalIds('the created events'),
    delivery_ids: optionalIds('the created deliveries'),
    payment_ids: optionalIds('the payments that the scenario created'),
    refund_ids: optionalIds('the refunds that the scenario created'),
    payout_ids: optionalIds('the payouts that the scenario created'),
  }),
  Rule: controlSchemas.rule,
  RulePage: page(controlSchemas.rule),
  Fault: controlSchemas.fault,
  FaultPage: page(controlSchemas.fault),
  LoggedRequest: controlSchemas.request,
  LoggedRequestPage: page(controlSchemas.request),
  Listener: z.strictObject({
    id: idOf('the listener'),
    secret: text('The secret that signs the webhooks: the `webhook_secret` of the shop.'),
    shop_id: idOf('the shop whose events the listener receives'),
    url: text('The address to which the listener forwards, as the listener reported it.'),
    events,
    signature,
    connected: described(z.boolean(), 'True: the stream of the listener was already open on another connection.'),
  }),
  ListenerPage: page(deliverySchemas.listedListener),
  AttemptResult: z.strictObject({
    status: deliverySchemas.deliveryStatus,
    next_attempt_at: deliverySchemas.nextAttempt,
  }),
  ControlMessage: controlMessage,
  MessageList: z.strictObject({ items: listedMessages }),
  StreamedMessage: streamedMessage,
  ListenerMessage: listenerMessage,
  OpenApiDocument: z.looseObject({ openapi: text('The version of OpenAPI: 3.1.0.') }),
}

export type ResponseName = keyof typeof RESPONSES
