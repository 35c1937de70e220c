// Spec 6.1: the webhooks that a merchant receives, as schemas.
import * as z from 'zod'
import examples from '../../../fixtures/api-examples.json' with { type: 'json' }
import type { WebhookEventName } from '../../domain/events.ts'
import type { DocumentedWebhook } from './document.ts'
import { payment, payout } from './objects.ts'

const event = <N extends readonly [WebhookEventName, ...WebhookEventName[]], D extends z.ZodType>(names: N, data: D) =>
  z.object({
    id: z.string().meta({
      pattern: '^evt_',
      description:
        'The id of the event. It is the same on each attempt and replay, so a receiver can recognize an event that it gets more than once.',
    }),
    event: z.enum(names).meta({ description: 'What happened.' }),
    created_at: z
      .string()
      .meta({ format: 'date-time', description: 'The time of the event, on the clock of the sandbox.' }),
    data: data.meta({ description: 'The object at the time of the event, with the fields of GET.' }),
  })

export const paymentEvent = event(
  ['payment.succeeded', 'payment.failed', 'payment.cancelled', 'payment.expired', 'payment.refunded'],
  payment,
)
export const payoutEvent = event(['payout.succeeded', 'payout.failed'], payout)

const SUMMARIES: { readonly [N in WebhookEventName]: string } = {
  'payment.succeeded': 'The bank confirmed a payment',
  'payment.failed': 'The bank declined a payment',
  'payment.cancelled': 'A pending payment was cancelled',
  'payment.expired': 'The link or the bank session expired',
  'payment.refunded': 'The payment was refunded, whole or in part. Each refund has an event',
  'payout.succeeded': 'A payout succeeded',
  'payout.failed': 'The bank rejected a payout',
}

const HEADERS = {
  'X-PSP-Event-Id': z.string().regex(/^evt_/).meta({ description: 'The `id` of the body.' }),
  'X-PSP-Timestamp': z
    .string()
    .regex(/^[0-9]+$/)
    .meta({
      description:
        'The signed time in Unix seconds: that of this attempt or, for a replay with `same_timestamp`, that of the first signature. It is equal to `t=` if the signature has one.',
    }),
  'X-PSP-Signature': z
    .string()
    .regex(/^(t=[0-9]+(,v[12]=[0-9a-f]{64}){1,2}|sha256=[0-9a-f]{64})$/)
    .meta({
      description:
        '`t=<unix>,v1=<hex>,v2=<hex>`. `v2=` is the HMAC-SHA256 of `<t>.<raw body>` with the secret of the endpoint. `v1=` is the legacy HMAC-SHA256 of the raw body, without the time: do not verify it. The setting `webhook_v1` changes or omits it. An endpoint with `signature: v1` receives `sha256=` and the HMAC-SHA256 of the raw body instead.',
    }),
}

export const WEBHOOKS: readonly DocumentedWebhook[] = (Object.keys(SUMMARIES) as WebhookEventName[]).map((name) => ({
  name,
  operationId: `on${name.replace(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
  tag: 'Webhooks',
  summary: SUMMARIES[name],
  description:
    'Respond with any 2xx status within the time of the setting `webhook_timeout` (default 15 s). After any other response, redirects included, the webhook is retried at the intervals of the setting `webhook_retries`.',
  headers: HEADERS,
  body: name.startsWith('payout.') ? payoutEvent : paymentEvent,
  example: examples.webhooks[name],
}))
