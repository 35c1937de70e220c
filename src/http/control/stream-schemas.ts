// The messages of the two streams of the control API as schemas.

import * as z from 'zod'
import * as objects from '../openapi/objects.ts'
import * as values from '../value-schemas.ts'
import * as deliverySchemas from './delivery-schemas.ts'
import * as controlSchemas from './object-schemas.ts'

const { idOf, text, time, mode, event } = controlSchemas.fields

const message = <K extends string, P extends z.ZodRawShape>(kind: K, parts: P) =>
  z.strictObject({
    kind: z.literal(kind).meta({ description: 'The same as the `event:` line of the server-sent event.' }),
    at: time('The time of the change, on the sandbox clock.'),
    ...parts,
  })

const shop_id = idOf('the shop')

const changed = <S extends z.ZodEnum>(status: S) => ({
  change: z.enum(['created', 'status_changed', 'updated']).meta({ description: 'What happened to the object.' }),
  status: status.meta({ description: 'The status after the change.' }),
  previous_status: status.meta({ description: 'The status before the change, if it was different.' }).optional(),
})

const deliverySummary = z.strictObject({
  id: idOf('the delivery'),
  event_id: idOf('the delivered event'),
  event,
  object_id: text('Id of the payment or payout.'),
  shop_id,
  endpoint_id: text('Id of the endpoint; absent for a `webhook_url` and for the URL of a replay.').optional(),
  url: text('The address of the receiver.'),
  replay: deliverySchemas.replay,
  edited: deliverySchemas.edited,
  status: deliverySchemas.deliveryStatus,
  next_attempt_at: time('When the next attempt is due; absent if there is none.').optional(),
  attempts_made: z.int().meta({ description: 'How many attempts were made.' }),
  attempts_total: z.int().meta({ description: 'How many attempts are made at most.' }),
})

const attemptSummary = z.strictObject({
  number: z.int().meta({ description: 'The number of the attempt, from 1.' }),
  at: time('When the attempt was due, on the sandbox clock.'),
  sent_at: time('When the attempt was sent, by the system clock.'),
  ms: z.number().meta({ description: 'How long the receiver took to respond, in ms.' }),
  status: z.int().meta({ description: 'The HTTP status of the response, if there was one.' }).optional(),
  error: text('Why there was no response, or why the response counts as a failure.').optional(),
  manual: z
    .literal(true)
    .optional()
    .meta({ description: 'True: the attempt was started manually, in addition to the retry schedule.' }),
  fault: text('The applied faults, such as `delay:5s`.').optional(),
})

const clockState = z.strictObject({
  mode: values.clockMode.meta({ description: 'How the clock runs.' }),
  speed: z.number().meta({ description: 'Seconds of the sandbox clock in one second of the system clock.' }),
  now: time('The time of the sandbox clock.'),
})

const MESSAGES = {
  PaymentMessage: message('payment', {
    shop_id,
    mode,
    ...changed(values.paymentStatus),
    three_ds: values.threeDsStep
      .optional()
      .meta({ description: "A step of the buyer's 3-D Secure confirmation on the payment page." }),
    payment: objects.payment.meta({ description: 'The payment, as the public API shows it.' }),
  }),
  RefundMessage: message('refund', {
    shop_id,
    ...changed(values.refundStatus),
    refund: objects.refund.meta({ description: 'The refund, as the public API shows it.' }),
  }),
  PayoutMessage: message('payout', {
    shop_id,
    mode,
    ...changed(values.payoutStatus),
    payout: objects.payout.meta({ description: 'The payout, as the public API shows it.' }),
  }),
  EventMessage: message('event', {
    shop_id,
    event: controlSchemas.webhookEvent.meta({ description: 'A new webhook event.' }),
  }),
  DeliveryMessage: message('delivery', {
    shop_id,
    delivery: deliverySummary.meta({ description: 'A delivery that was created or changed.' }),
  }),
  AttemptMessage: message('attempt', {
    shop_id,
    delivery: deliverySummary.meta({ description: 'The delivery after the attempt.' }),
    attempt: attemptSummary.meta({ description: 'The attempt that ended.' }).optional(),
  }),
  RequestMessage: message('request', {
    request: controlSchemas.request.meta({ description: 'A request to the public API, without bodies.' }),
  }),
  ClockMessage: message('clock', { clock: clockState.meta({ description: 'The clock after the change.' }) }),
  ResetMessage: message('reset', {
    command: text('The command that replaced the state. The client must read everything again.'),
  }),
  GapMessage: message('gap', {
    from: z.int().meta({ format: 'int64', description: 'The first id that is no longer available.' }),
    to: z.int().meta({ format: 'int64', description: 'The last id that is no longer available.' }),
  }),
} as const

export const controlMessage = values.variants('kind', MESSAGES)

const listedMessage = z.strictObject({
  id: text('The id of the message in the stream.'),
  message: controlMessage.meta({ description: 'The message, as in the stream.' }),
})

export const listedMessages = z.array(listedMessage).meta({ description: 'The messages, the oldest first.' })

const batchMessage = z.strictObject({
  kind: z.literal('batch').meta({ description: 'The same as the `event:` line of the server-sent event.' }),
  items: listedMessages,
})

/** A message of a stream, which may be a batch if the reader asked for an interval. */
export const streamedMessage = z.union([controlMessage, batchMessage])

const listenerDelivery = z.strictObject({
  delivery_id: idOf('the delivery'),
  event,
  event_id: idOf('the event'),
  object_id: text('Id of the payment or payout.'),
  url: text('The address to which the listener forwards.'),
  headers: z.array(z.tuple([z.string(), z.string()])).meta({ description: 'The headers to send, as `[name, value]`.' }),
  body_b64: text('The signed bytes of the body in base64.'),
  replay: deliverySchemas.replay,
  edited: deliverySchemas.edited,
  attempt: z.int().meta({ description: 'The number of the attempt, from 1.' }),
  attempts_total: z.int().meta({ description: 'How many attempts are made at most.' }),
  due_at: time('When the attempt is due, on the sandbox clock.'),
  timeout_ms: z.number().meta({ description: 'How long the receiver may take, in ms.' }),
  generation: z.int().meta({
    description:
      'The generation of the sandbox state that the attempt belongs to. The result must contain this number.',
  }),
})

const listenerReplaced = z
  .strictObject({})
  .meta({ description: 'Another connection has replaced this one (`replaced`), or the state was replaced (`reset`).' })

/** The data of the events `delivery` and `reset`, and of the last event `replaced`. */
export const listenerMessage = z.union([listenerDelivery, listenerReplaced])

/** The schemas that have a name in the document. */
export const STREAM_SCHEMAS = {
  ...MESSAGES,
  ListedMessage: listedMessage,
  BatchMessage: batchMessage,
  DeliverySummary: deliverySummary,
  AttemptSummary: attemptSummary,
  ClockState: clockState,
  ListenerDelivery: listenerDelivery,
  ListenerReplaced: listenerReplaced,
}
