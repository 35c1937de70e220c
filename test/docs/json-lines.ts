// Strict schemas of the lines that commands print with `--json` while they run. The page is generated from them, and a test
// compares them with real lines.
import * as z from 'zod'
import { WEBHOOK_EVENTS } from '../../src/domain/events.ts'
import { RESPONSES } from '../../src/http/control/response-schemas.ts'
import { streamMessage } from '../../src/http/openapi/stream-messages.ts'

const text = (description: string) => z.string().meta({ description })
const time = (description: string) => z.string().meta({ format: 'date-time', description })
const event = z.enum(WEBHOOK_EVENTS).meta({ description: 'What happened.' })
const headers = z.array(z.tuple([z.string(), z.string()]))
const numbers = {
  attempt: z.int().meta({ description: 'Number of this attempt, from 1.' }),
  attempts_total: z.int().meta({ description: 'How many there are at most.' }),
}
const delivery = {
  delivery_id: text('The delivery, for `psp webhooks deliveries get`.'),
  event_id: text('`evt_…`, the same on every attempt.'),
  event,
}

export const serveReady = z.strictObject({
  type: z.literal('ready').meta({ description: 'The first line; `--quiet` leaves out all others.' }),
  url: text('Base url.'),
  port: z.int().meta({ description: 'Also where `--port 0` took a free one.' }),
  pid: z.int().meta({ description: 'Its process.' }),
  version: text('Of psp.'),
  data: z.string().nullable().meta({ description: 'Complete path of the data directory. null: in memory only.' }),
  api_key: z
    .string()
    .nullable()
    .meta({ description: 'Of the start shop; null: it was made elsewhere, only its hash is kept.' }),
  signing_secret: text('Signs requests.'),
  webhook_secret: text('Signs webhooks.'),
  shop_id: text('The start shop.'),
})

const request = RESPONSES.LoggedRequest

export const serveRequest = request.extend({
  type: z.literal('request').meta({ description: 'A request to the public API, answered.' }),
})

export const listenReady = z.strictObject({
  type: z.literal('ready').meta({ description: 'The first line: webhooks come from now on.' }),
  url: text('The server whose webhooks it takes.'),
  listeners: z
    .array(z.strictObject({ id: text('To go on with it.'), url: text('Where it forwards to.') }))
    .meta({ description: 'One for each address.' }),
  secret: text('Signs what it forwards.'),
})

export const listenEvent = z.strictObject({
  type: z
    .literal('event')
    .meta({ description: 'A webhook, before it is forwarded; `psp verify --delivery FILE` reads such a line.' }),
  at: time("On the machine's clock."),
  ...delivery,
  object_id: text('The payment (of a refund too) or payout.'),
  ...numbers,
  url: text('Where it is forwarded to.'),
  due_at: time("When it was due, on the sandbox's clock."),
  timeout_ms: z.int().meta({ description: 'What the service gives a receiver.' }),
  headers: headers.meta({ description: 'As they are sent, the signature among them.' }),
  body_b64: text('The signed bytes.'),
})

export const listenAttempt = z.strictObject({
  type: z.literal('attempt').meta({ description: 'What the receiver said to it.' }),
  at: time("On the machine's clock."),
  ...delivery,
  ...numbers,
  url: text('Where it was forwarded to.'),
  status: z.int().nullable().meta({ description: 'Of HTTP; null: no answer came.' }),
  error: z.string().nullable().meta({ description: 'Why no answer came.' }),
  ms: z.number().meta({ description: 'How long it took.' }),
  delivery_status: z
    .enum(['waiting', 'sending', 'delivered', 'exhausted', 'cancelled'])
    .nullable()
    .meta({ description: 'Where the delivery stands then; null: the answer could not be reported.' }),
  next_attempt_at: z
    .string()
    .nullable()
    .meta({ format: 'date-time', description: "On the sandbox's clock; null: none follows." }),
  response_headers: headers.meta({ description: "The receiver's." }),
  response_body: text("The body of the receiver's response, decoded if it had a `Content-Encoding`."),
  response_body_b64: z.string().optional().meta({ description: 'Its bytes, if they are not UTF-8.' }),
  response_truncated: z.literal(true).optional().meta({ description: 'The end of the body was not kept.' }),
  response_note: z.string().optional().meta({ description: 'Why the body could not be decoded.' }),
})

export const tailLine = streamMessage
