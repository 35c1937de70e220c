// What the control API shows of the things of a sandbox, as schemas: each field says what it is, and in which unit.

import * as z from 'zod'
import { PAYMENT_TIMERS, ROW_TIMERS, TABLE_NAMES } from '../../engine/tables.ts'
import * as values from '../named-values.ts'

/** A schema with one sentence on it. */
export const described = <S extends z.ZodType>(schema: S, description: string): S => schema.meta({ description })

const idOf = (what: string) => described(z.string(), `Id of ${what}.`)
const text = (description: string) => described(z.string(), description)
const time = (description: string) => z.string().meta({ format: 'date-time', description: `${description} RFC 3339.` })
const noTime = (description: string) =>
  z
    .string()
    .nullable()
    .meta({ format: 'date-time', description: `${description} RFC 3339.` })
const mode = described(values.mode, 'That of the key.')
const signature = described(values.signatureVersion, 'Version of the signature that its webhooks carry.')
const event = described(values.eventName, 'Name of the event.')
const events = described(z.array(values.eventName), 'Names of the events it gets; empty: all of them.')
const MADE = 'When it was made, on the sandbox clock.'

export const fields = { idOf, text, time, noTime, mode, signature, event, events, MADE }

export const shop = z.strictObject({
  id: idOf('the shop'),
  merchant_id: idOf('the merchant it belongs to'),
  name: text('Its name, as the payment page shows it.'),
  live_enabled: described(z.boolean(), 'True where live keys of its merchant work.'),
  require_signature: described(z.boolean(), 'True where its requests must be signed.'),
  ip_allow_list: described(z.array(z.string()), 'Addresses and CIDR ranges that may call; empty: all of them.'),
  rate_limit: described(z.int().nullable(), 'Requests per second; null: the setting rate_limit.'),
  payout_route: described(z.boolean(), 'False: payouts are refused with route_not_configured.'),
  created_at: time(MADE),
})

export const key = z.strictObject({
  id: idOf('the key, which is not the key itself'),
  shop_id: idOf('the shop it calls for'),
  mode: described(values.mode, 'Test reaches the simulator, live the simulated acquiring bank.'),
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
  active: described(z.boolean(), 'False: it gets no new events.'),
  created_at: time(MADE),
})
export const endpointWithSecret = endpoint.extend({
  secret: described(z.string().optional(), 'Signs its webhooks; absent: the webhook_secret of the shop does.'),
})

export const webhookEvent = z.strictObject({
  id: idOf('the event'),
  event,
  created_at: time('When it happened, on the sandbox clock.'),
  shop_id: idOf('the shop it belongs to'),
  object_id: text('Id of the payment (of a refund too) or payout.'),
  data: described(z.looseObject({}), 'The payment or payout as it was then, as in the webhook.'),
})

export const message = z.strictObject({
  headers: described(z.record(z.string(), z.string()), 'Names in lower case.'),
  body: described(z.string().optional(), 'The bytes as text.'),
  body_b64: described(z.string().optional(), 'Instead of `body` where the bytes are not UTF-8: base64.'),
  truncated: described(z.literal(true).optional(), 'There only where the end of the body was not kept.'),
  note: described(z.string().optional(), 'Present only if the body could not be decoded: why it is shown as received.'),
})

export const copy = z.strictObject({
  copy: described(z.int(), 'From 2: the first is the attempt itself.'),
  sent_at: time('When it left, on the wall clock.'),
  ms: described(z.number(), 'How long the receiver took to answer, in ms.'),
  status: described(z.int().nullable(), 'HTTP status of the answer; null: there was none.'),
  error: described(z.string().nullable(), 'Why it would not have counted.'),
  response: described(message.nullable(), 'What came back; null: nothing.'),
})

export const attempt = z.strictObject({
  number: described(z.int(), 'From 1.'),
  at: time('When it was due, on the sandbox clock.'),
  sent_at: time('When it left, on the wall clock.'),
  ms: described(z.number(), 'How long the receiver took to answer, in ms.'),
  status: described(z.int().nullable(), 'HTTP status of the answer; null: there was none.'),
  error: described(z.string().nullable(), 'Why there was no answer, or why it does not count.'),
  fault: described(z.string().optional(), 'The faults that were applied, as they are written.'),
  fault_ids: described(z.array(z.string()).optional(), 'Their ids.'),
  request: described(message, 'What was sent.'),
  response: described(message.nullable(), 'What came back; null: nothing.'),
  copies: described(
    z.array(copy).optional(),
    'With the fault `duplicate`: the same bytes again. The first answer counts.',
  ),
})

export const deliveryStatus = described(
  values.deliveryStatus,
  'What became of it; exhausted: its last attempt failed, too.',
)
export const nextAttempt = noTime('When it is tried next, on the sandbox clock; null: no more.')

export const delivery = z.strictObject({
  id: idOf('the delivery'),
  event_id: idOf('the event it carries'),
  event,
  object_id: text('Id of the payment (of a refund too) or payout.'),
  shop_id: idOf('the shop it belongs to'),
  endpoint_id: described(z.string().nullable(), 'null: a `webhook_url`, or the url of a replay.'),
  url: text('Where it goes.'),
  status: deliveryStatus,
  created_at: time(MADE),
  next_attempt_at: nextAttempt,
  attempts: described(z.array(attempt), 'Each attempt so far, the first one first.'),
})

const counted = {
  id: idOf('it'),
  created_at: time(MADE),
  match: described(z.record(z.string(), values.matchValue), 'What it asks of a request; empty: nothing.'),
  times: described(z.int().optional(), 'How often it may still apply; absent: without end.'),
  every: described(z.int().optional(), 'It applies to each match of this number: 3 is each third one.'),
  matched: described(z.int(), 'How often it matched so far.'),
  applied: described(z.int(), 'How often it applied so far.'),
}
export const rule = z.strictObject({
  ...counted,
  plan: described(values.rulePlan, 'What happens, or a list of that, one after another.'),
})
export const fault = z.strictObject({
  ...counted,
  target: described(
    values.faultTarget,
    'What breaks: an answer of the API, a webhook, the stream, or the way back to the shop.',
  ),
  fault: text('What goes wrong, as it is written: `latency:2s`.'),
  probability: described(z.number().optional(), 'From 0 to 1, drawn for each match; absent: always.'),
})

export const loggedBody = z.strictObject({
  body: described(z.string().nullable(), 'Secrets are masked; null: none, or not kept.'),
})

export const request = z.strictObject({
  id: described(z.int(), 'Its number, which begins anew with each start of the server.'),
  at: time('When it came, on the wall clock.'),
  sandbox_at: time('When it came, on the clock of the sandbox.'),
  method: text('HTTP method.'),
  path: text('Path with its query; secrets are masked.'),
  status: described(z.int(), 'HTTP status of the answer.'),
  code: described(z.string().nullable(), 'Code of the error; null: there was none.'),
  message: described(z.string().optional(), 'Of the error object.'),
  ms: described(z.number(), 'How long the answer took, in ms.'),
  shop_id: described(z.string().nullable(), 'The shop that called; null: it is not known.'),
  mode: described(values.mode.optional(), 'That of the key.'),
  key_hint: described(z.string().optional(), 'The public part of the key.'),
  idempotency_key: described(z.string().optional(), 'As it was sent.'),
  object_id: described(z.string().optional(), 'What it made or asked for.'),
  decided_by: described(
    z.string().nullable(),
    'A rule, header, metadata, magic value or default; null: nothing was planned.',
  ),
  faults: described(z.array(z.string()).optional(), 'The faults that were applied, as they are written.'),
  fault_ids: described(z.array(z.string()).optional(), 'Their ids.'),
  warnings: described(z.array(z.string()), 'What was taken, and may not have been meant.'),
  request: described(loggedBody, 'What came.'),
  response: described(loggedBody, 'What was answered.'),
})

export const snapshot = z.strictObject({
  name: text('As it was given.'),
  taken_at: time('When it was taken, on the wall clock.'),
})

export const dueStep = z.strictObject({
  due: time('When it is due.'),
  step: described(z.enum([...PAYMENT_TIMERS, ...ROW_TIMERS]), 'What happens; `deliver` is a webhook attempt.'),
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
  connections: described(z.int(), 'Open now.'),
  sent: described(z.int(), 'Messages since the start.'),
  dropped: described(z.int(), 'Messages that readers were too slow for, see the setting stream_queue.'),
})
