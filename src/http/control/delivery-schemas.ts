// Schemas of the deliveries, attempts, diagnoses and listeners in responses of the control API.
import * as z from 'zod'
import * as values from '../value-schemas.ts'
import { described, fields } from './object-schemas.ts'

const { idOf, text, time, nullableTime, event, events, signature, CREATED_AT } = fields

export const message = z.strictObject({
  headers: described(z.record(z.string(), z.string()), 'The headers, with names in lower case.'),
  body: described(z.string().optional(), 'The body as text.'),
  body_b64: described(z.string().optional(), 'The body in base64, instead of `body`, if it is not UTF-8.'),
  truncated: described(z.literal(true).optional(), 'True: the end of the body was not stored.'),
  note: described(z.string().optional(), 'Why the body is shown as received, if it could not be decoded.'),
})

export const copy = z.strictObject({
  copy: described(z.int(), 'The number of the copy, from 2, because the attempt itself is the first.'),
  sent_at: time('When the copy was sent, by the system clock.'),
  ms: described(z.number(), 'How long the receiver took to respond, in ms.'),
  status: described(z.int().nullable(), 'HTTP status of the response. null: there was no response.'),
  error: described(z.string().nullable(), 'Why the copy would count as failed. Only the result of the attempt counts.'),
  response: described(message.nullable(), 'The response. null: there was no response.'),
})

const attemptResult = {
  number: described(z.int(), 'The number of the attempt, from 1.'),
  at: time('When the attempt was due, on the sandbox clock.'),
  sent_at: time('When the attempt was sent, by the system clock.'),
  ms: described(z.number(), 'How long the receiver took to respond, in ms.'),
  status: described(z.int().nullable(), 'HTTP status of the response. null: there was no response.'),
  error: described(z.string().nullable(), 'Why there was no response, or why the response counts as a failure.'),
  manual: described(
    z.literal(true).optional(),
    'True: the attempt was started manually, in addition to the retry schedule.',
  ),
  fault: described(z.string().optional(), 'The applied faults, such as `delay:5s`.'),
  fault_ids: described(z.array(z.string()).optional(), 'The ids of the applied faults.'),
}

export const attempt = z.strictObject({
  ...attemptResult,
  request: described(message, 'The request that was sent.'),
  response: described(message.nullable(), 'The response. null: there was no response.'),
  copies: described(
    z.array(copy).optional(),
    'Further copies with the same bytes, sent by the fault `duplicate`. Only the response to the attempt itself counts.',
  ),
})
export const lastAttempt = z.strictObject(attemptResult)

export const deliveryStatus = described(
  values.deliveryStatus,
  'The status. `exhausted`: all attempts failed, and no further one is scheduled.',
)
export const edited = described(
  z.literal(true).optional(),
  'True: a replay sent an edited body instead of the body of the event.',
)
export const replay = described(z.literal(true).optional(), 'True: a replay of the event created it.')
export const nextAttempt = nullableTime(
  'When the next attempt is due, on the sandbox clock. null: no attempt is scheduled.',
)

const deliveryState = {
  id: idOf('the delivery'),
  event_id: idOf('the delivered event'),
  event,
  object_id: text('Id of the payment or payout. For a refund: the id of the refunded payment.'),
  shop_id: idOf('the shop'),
  endpoint_id: described(
    z.string().nullable(),
    'Id of the endpoint. null for a `webhook_url` and for the URL of a replay.',
  ),
  url: text('The URL of the receiver.'),
  replay,
  edited,
  status: deliveryStatus,
  created_at: time(CREATED_AT),
  next_attempt_at: nextAttempt,
}

export const delivery = z.strictObject({
  ...deliveryState,
  attempts: described(z.array(attempt), 'The attempts so far, the oldest first.'),
})

/** A delivery in a list with `fields=summary`. */
export const listedDelivery = z.strictObject({
  ...deliveryState,
  attempts_made: described(z.int(), 'The number of attempts so far.'),
  attempts_total: described(z.int(), 'The maximum number of attempts.'),
  last_attempt: described(
    lastAttempt.nullable(),
    'The latest attempt, without its request and response. null: there was no attempt yet.',
  ),
})

export const diagnosis = z.strictObject({
  attempt: described(z.int(), 'The number of the attempt.'),
  signature: described(z.enum(['valid', 'invalid']), 'Whether the signature matched the sent bytes and the secret.'),
  cause: described(
    z.string().nullable(),
    'Why the signature is invalid, such as `tampered`. null: the signature is valid.',
  ),
  message: text('What was found about the signature, and what to do.'),
  advice: described(
    z.string().nullable(),
    'What to check in the receiver. null: the receiver responded 2xx, or the error contains no advice, as with the fault `drop`.',
  ),
})

export const listedListener = z.strictObject({
  id: idOf('the listener'),
  shop_id: idOf('the shop whose events the listener receives'),
  url: text('The address to which the listener forwards, as the listener reported it.'),
  events,
  signature,
  created_at: time(CREATED_AT),
  connected_at: nullableTime(
    'When the stream of the listener was opened, by the system clock. null: it is not connected.',
  ),
  forwarded_at: nullableTime(
    'When a delivery was last sent to the listener, by the system clock. null: never since the start of the server.',
  ),
})
