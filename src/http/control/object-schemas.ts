// What the control API shows of the things of a sandbox, as schemas: each field says what it is, and in which unit.

import * as z from 'zod'
import { PAYMENT_TIMERS, ROW_TIMERS, TABLE_NAMES } from '../../engine/tables.ts'
import * as values from '../named-values.ts'

/** A schema with one sentence on it. */
export const told = <S extends z.ZodType>(schema: S, description: string): S => schema.meta({ description })

const idOf = (what: string) => told(z.string(), `Id of ${what}.`)
const text = (description: string) => told(z.string(), description)
const time = (description: string) => z.string().meta({ format: 'date-time', description: `${description} RFC 3339.` })
const noTime = (description: string) =>
  z
    .string()
    .nullable()
    .meta({ format: 'date-time', description: `${description} RFC 3339.` })
const mode = told(values.mode, 'That of the key.')
const signature = told(values.signatureVersion, 'Version of the signature that its webhooks carry.')
const event = told(values.eventName, 'Name of the event.')
const events = told(z.array(values.eventName), 'Names of the events it gets; empty: all of them.')
const MADE = 'When it was made, on the sandbox clock.'

export const fields = { idOf, text, time, noTime, mode, signature, event, events, MADE }

export const shop = z.strictObject({
  id: idOf('the shop'),
  merchant_id: idOf('the merchant it belongs to'),
  name: text('Its name, as the payment page shows it.'),
  live_enabled: told(z.boolean(), 'True where live keys of its merchant work.'),
  require_signature: told(z.boolean(), 'True where its requests must be signed.'),
  ip_allow_list: told(z.array(z.string()), 'Addresses and CIDR ranges that may call; empty: all of them.'),
  rate_limit: told(z.int().nullable(), 'Requests per second; null: the setting rate_limit.'),
  payout_route: told(z.boolean(), 'False: payouts are refused with route_not_configured.'),
  created_at: time(MADE),
})

export const key = z.strictObject({
  id: idOf('the key, which is not the key itself'),
  shop_id: idOf('the shop it calls for'),
  mode: told(values.mode, 'Test reaches the simulator, live the simulated acquiring bank.'),
  hint: text('The public part: `sk_test_abc123`.'),
  created_at: time(MADE),
  revoked_at: noTime('Since when it is refused; null: it works.'),
})

export const endpoint = z.strictObject({
  id: idOf('the endpoint'),
  shop_id: idOf('the shop whose events it gets'),
  url: text('Where its webhooks are sent.'),
  events,
  signature,
  active: told(z.boolean(), 'False: it gets no new events.'),
  created_at: time(MADE),
})
export const endpointWithSecret = endpoint.extend({
  secret: told(z.string().optional(), 'Signs its webhooks; absent: the webhook_secret of the shop does.'),
})

export const webhookEvent = z.strictObject({
  id: idOf('the event'),
  event,
  created_at: time('When it happened, on the sandbox clock.'),
  shop_id: idOf('the shop it belongs to'),
  object_id: text('Id of the payment (of a refund too) or payout.'),
  data: told(z.looseObject({}), 'The payment or payout as it was then, as in the webhook.'),
})

export const message = z.strictObject({
  headers: told(z.record(z.string(), z.string()), 'Names in lower case.'),
  body: told(z.string().optional(), 'The bytes as text.'),
  body_b64: told(z.string().optional(), 'Instead of `body` where the bytes are not UTF-8: base64.'),
  truncated: told(z.literal(true).optional(), 'There only where the end of the body was not kept.'),
  note: told(z.string().optional(), 'Present only if the body could not be decoded: why it is shown as received.'),
})

export const copy = z.strictObject({
  copy: told(z.int(), 'From 2: the first is the attempt itself.'),
  sent_at: time('When it left, on the wall clock.'),
  ms: told(z.number(), 'How long the receiver took to answer, in ms.'),
  status: told(z.int().nullable(), 'HTTP status of the answer; null: there was none.'),
  error: told(z.string().nullable(), 'Why it would not have counted.'),
  response: told(message.nullable(), 'What came back; null: nothing.'),
})

export const attempt = z.strictObject({
  number: told(z.int(), 'From 1.'),
  at: time('When it was due, on the sandbox clock.'),
  sent_at: time('When it left, on the wall clock.'),
  ms: told(z.number(), 'How long the receiver took to answer, in ms.'),
  status: told(z.int().nullable(), 'HTTP status of the answer; null: there was none.'),
  error: told(z.string().nullable(), 'Why there was no answer, or why it does not count.'),
  fault: told(z.string().optional(), 'The faults that were applied, as they are written.'),
  fault_ids: told(z.array(z.string()).optional(), 'Their ids.'),
  request: told(message, 'What was sent.'),
  response: told(message.nullable(), 'What came back; null: nothing.'),
  copies: told(z.array(copy).optional(), 'With the fault `duplicate`: the same bytes again. The first answer counts.'),
})

export const deliveryStatus = told(values.deliveryStatus, 'What became of it; exhausted: its last attempt failed, too.')
export const nextAttempt = noTime('When it is tried next, on the sandbox clock; null: no more.')

export const delivery = z.strictObject({
  id: idOf('the delivery'),
  event_id: idOf('the event it carries'),
  event,
  object_id: text('Id of the payment (of a refund too) or payout.'),
  shop_id: idOf('the shop it belongs to'),
  endpoint_id: told(z.string().nullable(), 'null: a `webhook_url`, or the url of a replay.'),
  url: text('Where it goes.'),
  status: deliveryStatus,
  created_at: time(MADE),
  next_attempt_at: nextAttempt,
  attempts: told(z.array(attempt), 'Each attempt so far, the first one first.'),
})

const counted = {
  id: idOf('it'),
  created_at: time(MADE),
  match: told(z.record(z.string(), values.matchValue), 'What it asks of a request; empty: nothing.'),
  times: told(z.int().optional(), 'How often it may still apply; absent: without end.'),
  every: told(z.int().optional(), 'It applies to each match of this number: 3 is each third one.'),
  matched: told(z.int(), 'How often it matched so far.'),
  applied: told(z.int(), 'How often it applied so far.'),
}
export const rule = z.strictObject({
  ...counted,
  plan: told(values.rulePlan, 'What happens, or a list of that, one after another.'),
})
export const fault = z.strictObject({
  ...counted,
  target: told(
    values.faultTarget,
    'What breaks: an answer of the API, a webhook, the stream, or the way back to the shop.',
  ),
  fault: text('What goes wrong, as it is written: `latency:2s`.'),
  probability: told(z.number().optional(), 'From 0 to 1, drawn for each match; absent: always.'),
})

export const loggedBody = z.strictObject({
  body: told(z.string().nullable(), 'Secrets are masked; null: none, or not kept.'),
})

export const request = z.strictObject({
  id: told(z.int(), 'Its number, which begins anew with each start of the server.'),
  at: time('When it came, on the wall clock.'),
  sandbox_at: time('When it came, on the clock of the sandbox.'),
  method: text('HTTP method.'),
  path: text('Path with its query; secrets are masked.'),
  status: told(z.int(), 'HTTP status of the answer.'),
  code: told(z.string().nullable(), 'Code of the error; null: there was none.'),
  message: told(z.string().optional(), 'Of the error object.'),
  ms: told(z.number(), 'How long the answer took, in ms.'),
  shop_id: told(z.string().nullable(), 'The shop that called; null: it is not known.'),
  mode: told(values.mode.optional(), 'That of the key.'),
  key_hint: told(z.string().optional(), 'The public part of the key.'),
  idempotency_key: told(z.string().optional(), 'As it was sent.'),
  object_id: told(z.string().optional(), 'What it made or asked for.'),
  decided_by: told(
    z.string().nullable(),
    'A rule, header, metadata, magic value or default; null: nothing was planned.',
  ),
  faults: told(z.array(z.string()).optional(), 'The faults that were applied, as they are written.'),
  fault_ids: told(z.array(z.string()).optional(), 'Their ids.'),
  warnings: told(z.array(z.string()), 'What was taken, and may not have been meant.'),
  request: told(loggedBody, 'What came.'),
  response: told(loggedBody, 'What was answered.'),
})

export const snapshot = z.strictObject({
  name: text('As it was given.'),
  taken_at: time('When it was taken, on the wall clock.'),
})

export const dueStep = z.strictObject({
  due: time('When it is due.'),
  step: told(z.enum([...PAYMENT_TIMERS, ...ROW_TIMERS]), 'What happens; `deliver` is a webhook attempt.'),
  object_id: idOf('the payment, refund, payout or delivery'),
})

export const row = z.looseObject({ id: idOf('the row') })
export const stateTables = z.strictObject(
  Object.fromEntries(
    TABLE_NAMES.map((name) => [
      name,
      z
        .array(row)
        .optional()
        .meta({ description: `The rows of ${name}.` }),
    ]),
  ),
)

export const eventStreamCounts = z.strictObject({
  connections: told(z.int(), 'Open now.'),
  sent: told(z.int(), 'Messages since the start.'),
  dropped: told(z.int(), 'Messages that readers were too slow for, see the setting stream_queue.'),
})
