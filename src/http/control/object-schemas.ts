// The objects of the control API as schemas. Each field has a description with its unit.

import * as z from 'zod'
import { PLAN_SOURCES } from '../../domain/simulator-plan.ts'
import { PAYMENT_TIMERS, ROW_TIMERS, TABLE_NAMES } from '../../engine/tables.ts'
import * as values from '../value-schemas.ts'

export const described = <S extends z.ZodType>(schema: S, description: string): S => schema.meta({ description })

const idOf = (what: string) => described(z.string(), `Id of ${what}.`)
const text = (description: string) => described(z.string(), description)
const time = (description: string) => z.string().meta({ format: 'date-time', description })
const nullableTime = (description: string) => z.string().nullable().meta({ format: 'date-time', description })
const mode = described(values.mode, 'The mode of the key.')
const signature = described(values.signatureVersion, 'The version of the webhook signatures.')
const event = described(values.eventName, 'The name of the event.')
const events = described(z.array(values.eventName), 'The names of the events to receive. Empty: all events.')
export const PLAN_SOURCE = `The source of the plan: ${PLAN_SOURCES}.`
const CREATED_AT = 'The time of creation, on the sandbox clock.'

export const fields = { idOf, text, time, nullableTime, mode, signature, event, events, CREATED_AT }

export const shop = z.strictObject({
  id: idOf('the shop'),
  merchant_id: idOf('the merchant that owns the shop'),
  name: text('The name that the payment page shows.'),
  live_enabled: described(z.boolean(), 'True: live keys of the merchant are accepted.'),
  require_signature: described(z.boolean(), 'True: requests of the shop must be signed.'),
  ip_allow_list: described(
    z.array(z.string()),
    'Addresses and CIDR ranges from which requests are accepted. Empty: all.',
  ),
  rate_limit: described(z.int().nullable(), 'Requests per second. null: the setting `rate_limit`.'),
  payout_route: described(z.boolean(), 'False: payouts are rejected with `route_not_configured`.'),
  created_at: time(CREATED_AT),
})

export const key = z.strictObject({
  id: idOf('the key, which is not the key itself'),
  shop_id: idOf('the shop that the key belongs to'),
  mode: described(values.mode, '`test` uses the simulator, `live` the simulated acquiring bank.'),
  hint: text('The public part: `sk_test_abc123`.'),
  created_at: time(CREATED_AT),
  revoked_at: nullableTime('When the key was revoked. null: the key is valid.'),
})

export const endpoint = z.strictObject({
  id: idOf('the endpoint'),
  shop_id: idOf('the shop whose events the endpoint receives'),
  url: text('The URL to which webhooks are sent.'),
  events,
  signature,
  active: described(z.boolean(), 'False: the endpoint receives no new events.'),
  created_at: time(CREATED_AT),
})
export const endpointWithSecret = endpoint.extend({
  secret: described(
    z.string().optional(),
    'The secret that signs the webhooks. Absent: the `webhook_secret` of the shop signs them.',
  ),
})

export const webhookEvent = z.strictObject({
  id: idOf('the event'),
  event,
  created_at: time('The time of the event, on the sandbox clock.'),
  shop_id: idOf('the shop'),
  object_id: text('Id of the payment or payout. For a refund: the id of the refunded payment.'),
  data: described(z.looseObject({}), 'The payment or payout at the time of the event, as in the webhook.'),
})

export const importedEvent = z.strictObject({
  id: idOf('the imported event'),
  event_id: text('The id of the event, from the body.'),
  event: text('The name of the event, from the body.'),
  object_id: described(z.string().nullable(), 'Id of the payment or payout. null: the body has none.'),
  order_id: described(z.string().nullable(), 'Id of the order. null: the body has none.'),
  imported_at: time('The time of the import, on the sandbox clock.'),
  received_at: time('The time in the recording.'),
  source: text('The file, and the line or entry in it.'),
  signature: described(
    values.importedSignature,
    'The result of the signature check at the import. `unchecked`: no secret was known. `missing`: there was no header. `valid_when_recorded`: it was valid, but the body has been masked since.',
  ),
  cause: described(
    z.string().nullable(),
    'Why the signature is invalid, as `psp verify` names it. `body_masked`: the signature is unchecked, because the recording has a masked body.',
  ),
  body: text('The bytes of the webhook, with masked values.'),
})

export const importResult = z.strictObject({
  imported: described(z.int(), 'The number of new events.'),
  known: described(z.int(), 'The number of events that were imported before.'),
  total: described(z.int(), 'The number of imported events in the sandbox.'),
})

const ruleOrFaultFields = {
  id: idOf('the rule or fault'),
  created_at: time(CREATED_AT),
  match: described(z.record(z.string(), values.matchValue), 'The fields that must match. Empty: everything matches.'),
  times: described(z.int().optional(), 'How many more times the rule or fault can apply. Absent: no limit.'),
  every: described(z.int().optional(), 'The rule or fault applies only to each n-th match: 3 means every third match.'),
  matched: described(z.int(), 'The number of matches so far.'),
  applied: described(z.int(), 'How many times the rule or fault has applied so far.'),
}
export const rule = z.strictObject({
  ...ruleOrFaultFields,
  plan: described(values.rulePlan, 'The outcome, or a sequence of outcomes, one for each time that the rule applies.'),
})
export const fault = z.strictObject({
  ...ruleOrFaultFields,
  target: described(
    values.faultTarget,
    'What the fault affects: the API, webhooks, the event stream, or the redirect to the shop.',
  ),
  fault: text('The fault with its value: `latency:2s`.'),
  probability: described(
    z.number().optional(),
    'The probability that the fault applies to a match, from 0 to 1. Absent: 1.',
  ),
})

export const loggedBody = z.strictObject({
  body: described(
    z.string().nullable(),
    'The body with secrets masked. null: there was no body, or it was not stored.',
  ),
})

export const request = z.strictObject({
  id: described(z.int(), 'The number of the request since the start of the server.'),
  at: time('When the request was received, by the system clock.'),
  sandbox_at: time('When the request was received, on the sandbox clock.'),
  method: text('The HTTP method.'),
  path: text('The path with its query. Secrets are masked.'),
  status: described(z.int(), 'HTTP status of the response.'),
  code: described(z.string().nullable(), 'The code of the error. null: there was no error.'),
  message: described(z.string().optional(), 'The message of the error.'),
  ms: described(z.number(), 'How long the response took, in ms.'),
  shop_id: described(z.string().nullable(), 'The shop of the API key. null: the key is unknown.'),
  mode: described(values.mode.optional(), 'The mode of the key.'),
  key_hint: described(z.string().optional(), 'The public part of the key.'),
  idempotency_key: described(z.string().optional(), 'The Idempotency-Key of the request.'),
  object_id: described(z.string().optional(), 'The id of the object that was created or requested.'),
  decided_by: described(z.string().nullable(), `${PLAN_SOURCE} null: there was no plan.`),
  faults: described(z.array(z.string()).optional(), 'The applied faults, such as `delay:5s`.'),
  fault_ids: described(z.array(z.string()).optional(), 'The ids of the applied faults.'),
  warnings: described(z.array(z.string()), 'Accepted input that is probably a mistake.'),
  request: described(loggedBody, 'The body of the request.'),
  response: described(loggedBody, 'The body of the response.'),
})

export const snapshot = z.strictObject({
  name: text('The name of the snapshot.'),
  taken_at: time('When the snapshot was taken, by the system clock.'),
})

export const dueStep = z.strictObject({
  due: time('When the step is due, on the sandbox clock.'),
  step: described(z.enum([...PAYMENT_TIMERS, ...ROW_TIMERS]), 'The kind of step. `deliver` is a webhook attempt.'),
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
  connections: described(z.int(), 'Open connections.'),
  sent: described(z.int(), 'Messages sent since the start.'),
  dropped: described(
    z.int(),
    'Messages that were dropped because a reader was too slow, see the setting `stream_queue`.',
  ),
})

export const clockMode = described(values.clockMode, 'The mode of the sandbox clock.')
export const clockTime = time('The time of the sandbox clock.')

export const health = z
  .strictObject({
    status: described(
      z.enum(['ok', 'failing']),
      '`ok`: the server is ready. `failing`: changes cannot be stored, and the HTTP status is 503.',
    ),
    store: described(
      z.enum(['ok', 'refuses_changes']),
      '`refuses_changes`: changes are rejected with 503, and reads still work.',
    ),
    reason: described(
      z.string().optional(),
      'Why the server is failing, and what to do. Present only if `status` is `failing`.',
    ),
    version: text('The version of psp.'),
    command: text('How psp was started, for commands to copy: `psp` or `npx psp`.'),
    api_version: text('The version of the public API, a date.'),
    now: clockTime,
    clock: clockMode,
    clock_ahead_ms: described(
      z.number().optional(),
      'How many ms the sandbox clock is ahead because the system clock was set back since the start.',
    ),
    last_event_id: text(
      'The id of the newest message of GET /_psp/stream. Later responses show this state or a newer one.',
    ),
    event_streams: described(eventStreamCounts, 'The counts of GET /v1/public/events.'),
    access: described(
      z.enum(['full', 'view']).optional(),
      '`view`: the caller sent the view token, which only permits reading.',
    ),
    pid: described(
      z.int().optional(),
      'The process id of the server. Present only if the server listens on a loopback host.',
    ),
    data: described(
      z.string().nullable().optional(),
      'The data directory of the server. null: the data is only in memory.',
    ),
  })
  // A caller without the token gets the status alone.
  .partial({
    store: true,
    version: true,
    command: true,
    api_version: true,
    now: true,
    clock: true,
    last_event_id: true,
    event_streams: true,
  })
