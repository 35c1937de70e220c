// Strict schemas of the lines that commands print with `--json` while they run. The page is generated from them, and a test
// compares them with real lines.
import * as z from 'zod'
import { WEBHOOK_EVENTS } from '../../src/domain/events.ts'
import { RESPONSES } from '../../src/http/control/response-schemas.ts'
import { streamMessage } from '../../src/http/openapi/stream-messages.ts'

const text = (description: string) => z.string().meta({ description })
const time = (description: string) => z.string().meta({ format: 'date-time', description })
const event = z.enum(WEBHOOK_EVENTS).meta({ description: 'The name of the event.' })
const headers = z.array(z.tuple([z.string(), z.string()]))
const numbers = {
  attempt: z.int().meta({ description: 'The number of this attempt, from 1.' }),
  attempts_total: z.int().meta({ description: 'The maximum number of attempts.' }),
}
const delivery = {
  delivery_id: text('The id of the delivery, for `psp webhooks deliveries get`.'),
  event_id: text('The id of the event, `evt_…`, the same in each attempt.'),
  event,
}

export const serveReady = z.strictObject({
  type: z.literal('ready').meta({ description: 'The first line. With `--quiet` it is the only line.' }),
  url: text('The base URL of the server.'),
  port: z.int().meta({ description: 'The port. With `--port 0` it is a free one.' }),
  pid: z.int().meta({ description: 'The process id of the server.' }),
  version: text('The version of psp.'),
  data: z
    .string()
    .nullable()
    .meta({ description: 'The absolute path of the data directory. null: the data is in memory.' }),
  api_key: z.string().nullable().meta({
    description: 'The API key of the default shop. null: the key is not known, because only its hash is stored.',
  }),
  signing_secret: text('The secret that signs requests.'),
  webhook_secret: text('The secret that signs webhooks.'),
  shop_id: text('The id of the default shop.'),
})

const request = RESPONSES.LoggedRequest

export const serveRequest = request.extend({
  type: z.literal('request').meta({ description: 'A request to the public API, after its response.' }),
})

export const listenReady = z.strictObject({
  type: z.literal('ready').meta({ description: 'The first line. Webhooks are received from now on.' }),
  url: text('The base URL of the server.'),
  listeners: z
    .array(
      z.strictObject({
        id: text(
          'The id of the listener. A later run with the same URL, events, `--shop` and `--signature` has the same id.',
        ),
        url: text('The address to which the listener forwards.'),
      }),
    )
    .meta({ description: 'One listener for each address.' }),
  secret: text('The secret that signs the forwarded webhooks.'),
})

export const listenEvent = z.strictObject({
  type: z
    .literal('event')
    .meta({ description: 'A webhook, before it is forwarded. `psp verify --delivery FILE` reads such a line.' }),
  at: time('The time of the line, by the system clock.'),
  ...delivery,
  object_id: text('The id of the payment or payout. A refund has the id of its payment.'),
  ...numbers,
  url: text('The address to which the webhook is forwarded.'),
  due_at: time('When the attempt was due, on the sandbox clock.'),
  timeout_ms: z.int().meta({ description: "The receiver's timeout, in ms." }),
  headers: headers.meta({ description: 'The headers as they are sent, with the signature.' }),
  body_b64: text('The signed bytes of the body, in base64.'),
  replay: z.literal(true).optional().meta({ description: 'A replay sends the event again.' }),
  edited: z.literal(true).optional().meta({ description: 'A replay sends an edited body.' }),
})

export const listenAttempt = z.strictObject({
  type: z.literal('attempt').meta({ description: "The receiver's response." }),
  at: time('The time of the line, by the system clock.'),
  ...delivery,
  ...numbers,
  url: text('The address to which the webhook was forwarded.'),
  status: z.int().nullable().meta({ description: 'The HTTP status. null: there was no response.' }),
  error: z.string().nullable().meta({ description: 'Why there was no response. null: there was a response.' }),
  ms: z.number().meta({ description: 'The duration of the attempt, in ms.' }),
  delivery_status: z
    .enum(['waiting', 'sending', 'delivered', 'exhausted', 'cancelled'])
    .nullable()
    .meta({ description: 'The status of the delivery after the attempt. null: the response could not be reported.' }),
  next_attempt_at: z.string().nullable().meta({
    format: 'date-time',
    description: 'When the next attempt is due, on the sandbox clock. null: there is none.',
  }),
  response_headers: headers.meta({ description: 'The headers of the response.' }),
  response_body: text("The body of the receiver's response, decoded if it had a `Content-Encoding`."),
  response_body_b64: z.string().optional().meta({ description: 'The body in base64, if it is not UTF-8.' }),
  response_truncated: z.literal(true).optional().meta({ description: 'The end of the body was not stored.' }),
  response_note: z.string().optional().meta({ description: 'Why the body could not be decoded.' }),
})

export const recordReady = z.strictObject({
  type: z.literal('ready').meta({ description: 'The first line. The proxy accepts requests from now on.' }),
  url: text('The base URL for your application.'),
  port: z.int().meta({ description: 'The port. With `--port 0` it is a free one.' }),
  pid: z.int().meta({ description: 'The process id of the proxy.' }),
  to: text('The base URL of the service.'),
  file: text('The HAR file, as given with `--out`.'),
})

export const recordRequest = z.strictObject({
  type: z.literal('request').meta({ description: 'An exchange, at its end.' }),
  at: time('When the request was received, by the system clock.'),
  method: text('The HTTP method.'),
  path: text('The path at the service with its query, without secrets.'),
  status: z.int().meta({ description: 'The HTTP status. 502 if there was no response that the proxy could forward.' }),
  code: z.string().optional().meta({ description: 'The code of an error object.' }),
  ms: z.number().meta({ description: 'The time until the end of the response, in ms.' }),
  message: z.string().optional().meta({ description: 'Why the exchange did not end normally.' }),
})

export const tailLine = streamMessage
