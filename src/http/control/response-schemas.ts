// What the routes of the control API answer, as schemas by name. The documents show them, the tests hold every answer
// against them; a running server reads none.

import * as z from 'zod'
import { TABLE_NAMES } from '../../engine/tables.ts'
import { SETTING_NAMES } from '../../settings.ts'
import * as values from '../named-values.ts'
import * as objects from '../openapi/objects.ts'
import * as own from './object-schemas.ts'
import { settings } from './settings-schemas.ts'
import { controlMessage, listenerMessage } from './stream-schemas.ts'

const { described } = own
const { idOf, text, time, noTime, mode, signature, event, events, MADE } = own.fields
const clockMode = described(values.clockMode, 'How the sandbox clock goes.')
const NOW = 'Time of the sandbox clock.'
const clockFields = {
  mode: clockMode,
  now: time(NOW),
  speed: described(z.number(), 'Seconds of the sandbox clock in one of the wall clock.'),
  next_due: noTime('When the next step is due; null: none waits.'),
}
const planned = {
  plan: text('What the simulator does with it.'),
  decided_by: text('A rule, header, metadata, card, magic value, act or default.'),
}

const ORIGIN =
  '`default`; `settings`: stored, by PATCH, a seed, an import or a restore; else the flag, variable or file of this run.'

const listedPayment = objects.payment.extend({
  description: described(z.string().optional(), 'What it is for, as the shop said.'),
  mode,
  ...planned,
})
const listedPayout = objects.payout.extend({ mode, ...planned })
const listedRefund = objects.refund.extend({ shop_id: idOf('the shop it belongs to'), ...planned })

const page = <S extends z.ZodType>(item: S) =>
  z.strictObject({
    items: described(z.array(item), 'At most as many as `limit` says.'),
    next_cursor: described(z.string().nullable(), 'Gives the next page as `cursor`; null: this is the last one.'),
  })

const ids = (what: string) => described(z.array(z.string()).optional(), `Ids of ${what} it made.`)
const madeId = (what: string) => described(z.string().optional(), `Id of the ${what}.`)

const COUNTED = Object.fromEntries(TABLE_NAMES.map((name) => [name, described(z.int(), `How many rows ${name} has.`)]))

const wouldReplace = described(z.strictObject(COUNTED).optional(), 'In a dry run: rows of the present state, by table.')

export const RESPONSES = {
  Health: z
    .strictObject({
      status: described(z.enum(['ok', 'failing']), '`ok`: it lives, and is ready. `failing` comes with status 503.'),
      store: described(
        z.enum(['ok', 'refuses_changes']),
        'Whether changes are stored; else they get 503, and reading goes on.',
      ),
      reason: described(z.string().optional(), 'Of a failing one: why, and how to go on.'),
      version: text('Version of the program.'),
      api_version: text('Version label of the public API, a date.'),
      now: time(NOW),
      clock: clockMode,
      clock_ahead_ms: described(
        z.number().optional(),
        "By how much the sandbox's clock is ahead because the time of its machine was set back since the start.",
      ),
      last_event_id: text('The newest id of GET /_psp/stream: what is asked for from now on is at least as new.'),
      event_streams: described(own.eventStreamCounts, 'Of GET /v1/public/events.'),
      pid: described(z.int().optional(), 'Of the server, where only this machine reaches it.'),
      data: described(z.string().nullable().optional(), 'Its data folder; null: in memory only.'),
    })
    // A caller without the token gets the status alone.
    .partial({
      store: true,
      version: true,
      api_version: true,
      now: true,
      clock: true,
      last_event_id: true,
      event_streams: true,
    }),
  Settings: settings,
  SettingSources: z.strictObject(Object.fromEntries(SETTING_NAMES.map((name) => [name, text(ORIGIN)]))),
  Deleted: z.strictObject({ status: described(z.literal('ok'), 'It is done.'), would_replace: wouldReplace }),
  Restored: z.strictObject({
    status: described(z.literal('ok'), 'It is done.'),
    would_replace: wouldReplace,
    would_import: described(z.strictObject(COUNTED).optional(), 'In a dry run: rows of the new state, by table.'),
  }),
  Snapshot: own.snapshot,
  SnapshotPage: page(own.snapshot),
  State: z.strictObject({
    format: text('Names the form of this document.'),
    version: text('Version of the program that wrote it.'),
    exported_at: time('When it was written, on the wall clock.'),
    partial: described(z.literal(true).optional(), 'Chosen tables only; it cannot be imported.'),
    tables: described(
      own.stateTables,
      'The rows of each table as they are stored: money in minor units, times in ms since 1970.',
    ),
  }),
  ObjectCounts: z.strictObject(COUNTED),
  Clock: z.strictObject(clockFields),
  IdleReport: z.strictObject({
    ...clockFields,
    idle: described(z.boolean(), 'False: the clock is frozen, and steps wait until it is moved.'),
    waiting: described(z.int(), 'How many steps wait; expiries do not count.'),
    due: described(z.array(own.dueStep), 'The first 20 of them, in order.'),
    message: described(z.string().optional(), 'If it is not idle: why, and how to go on.'),
  }),
  AdvanceResult: z.strictObject({
    now: time(NOW),
    steps: described(z.int(), 'Steps that ran, webhook attempts included.'),
    deliveries: described(z.int(), 'Webhook attempts among them.'),
    never: described(
      z.int().optional(),
      'Only after an advance until idle: steps due after the last time the clock can show.',
    ),
  }),
  Shop: own.shop,
  ShopPage: page(own.shop),
  CreatedShop: z.strictObject({
    merchant_id: idOf('the merchant'),
    shop_id: idOf('the shop'),
    api_key: text('Its first key, a test key: shown this once.'),
    signing_secret: text('Signs its requests: `thm_…`.'),
    webhook_secret: text('Signs webhooks that no endpoint has a secret for: `whs_…`.'),
    endpoints: described(z.array(own.endpointWithSecret), 'Those that were asked for.'),
  }),
  SigningSecret: z.strictObject({ signing_secret: text('The new one; the former one is refused.') }),
  WebhookSecret: z.strictObject({ webhook_secret: text('The new one, which signs from the next attempt on.') }),
  ApiKey: own.key,
  ApiKeyPage: page(own.key),
  CreatedKey: z.strictObject({
    id: idOf('the key, which is not the key itself'),
    api_key: text('The key: shown this once.'),
    mode,
    created_at: time(MADE),
  }),
  Endpoint: own.endpoint,
  EndpointPage: page(own.endpoint),
  EndpointWithSecret: own.endpointWithSecret,
  Payment: objects.payment,
  ListedPayment: listedPayment,
  PaymentPage: page(listedPayment),
  Payout: objects.payout,
  ListedPayout: listedPayout,
  PayoutPage: page(listedPayout),
  Refund: objects.refund,
  ListedRefund: listedRefund,
  RefundPage: page(listedRefund),
  WebhookEvent: own.webhookEvent,
  WebhookEventPage: page(own.webhookEvent),
  Delivery: own.delivery,
  DeliveryPage: page(own.delivery),
  DeliveryList: z.strictObject({ items: described(z.array(own.delivery), 'One for each receiver.') }),
  TriggerResult: z.looseObject({
    event: event.optional(),
    shop_id: madeId('shop it happened in'),
    payment_id: madeId('payment it made'),
    refund_id: madeId('refund it made'),
    payout_id: madeId('payout it made'),
    event_id: described(
      z.string().nullable().optional(),
      'Id of the event that was asked for; null: it has not come yet.',
    ),
    event_ids: ids('all events'),
    delivery_ids: ids('the deliveries'),
    payment_ids: described(z.array(z.string()).optional(), 'Ids of the payments that a scenario made.'),
    refund_ids: described(z.array(z.string()).optional(), 'Ids of the refunds that a scenario made.'),
    payout_ids: described(z.array(z.string()).optional(), 'Ids of the payouts that a scenario made.'),
  }),
  Rule: own.rule,
  RulePage: page(own.rule),
  Fault: own.fault,
  FaultPage: page(own.fault),
  LoggedRequest: own.request,
  LoggedRequestPage: page(own.request),
  Listener: z.strictObject({
    id: idOf('the listener'),
    secret: text('Signs its webhooks: the webhook_secret of the shop.'),
    shop_id: idOf('the shop whose events it gets'),
    url: text('Where it says that it sends them on.'),
    events,
    signature,
    connected: described(z.boolean(), 'Somebody else had its stream already.'),
  }),
  AttemptResult: z.strictObject({ status: own.deliveryStatus, next_attempt_at: own.nextAttempt }),
  ControlMessage: controlMessage,
  ListenerMessage: listenerMessage,
  OpenApiDocument: z.looseObject({ openapi: text('Version of the form: 3.1.0.') }),
}

export type ResponseName = keyof typeof RESPONSES
