// Spec 6.1: the webhooks, as the receiver of a merchant has to read them.
import * as z from 'zod'
import examples from '../../../fixtures/api-examples.json' with { type: 'json' }
import type { WebhookEventName } from '../../domain/events.ts'
import type { DocumentedWebhook } from './documented.ts'
import { payment, payout } from './objects.ts'

const event = <N extends readonly [WebhookEventName, ...WebhookEventName[]], D extends z.ZodType>(names: N, data: D) =>
  z.object({
    id: z.string().meta({
      pattern: '^evt_',
      description: 'The same on every attempt and replay: an event may come more than once.',
    }),
    event: z.enum(names).meta({ description: 'What happened.' }),
    created_at: z.string().meta({ format: 'date-time', description: 'When it happened, on the clock of the sandbox.' }),
    data: data.meta({ description: 'The object as it was then; the fields of GET.' }),
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
  'payment.expired': 'The link or the bank session ran out',
  'payment.refunded': 'A refund was created, whole or in part; one event each',
  'payout.succeeded': 'A payout went through',
  'payout.failed': 'The bank rejected a payout',
}

const HEADERS = {
  'X-PSP-Event-Id': z.string().regex(/^evt_/).meta({ description: 'The `id` of the body.' }),
  'X-PSP-Timestamp': z
    .string()
    .regex(/^[0-9]+$/)
    .meta({ description: 'Unix seconds of this attempt; the same as `t=`.' }),
  'X-PSP-Signature': z
    .string()
    .regex(/^(t=[0-9]+(,v[12]=[0-9a-f]{64}){1,2}|sha256=[0-9a-f]{64})$/)
    .meta({
      description:
        '`t=<unix>,v1=<hex>,v2=<hex>`, where v2 is HMAC-SHA256 over `<t>.<raw body>` with the secret of the endpoint; endpoints of version v1 get `sha256=<hex>` over the raw body.',
    }),
}

export const WEBHOOKS: readonly DocumentedWebhook[] = (Object.keys(SUMMARIES) as WebhookEventName[]).map((name) => ({
  name,
  operationId: `on${name.replace(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
  tag: 'Webhooks',
  summary: SUMMARIES[name],
  description:
    'Answer any 2xx within the deadline; anything else, a redirect too, is tried again after the intervals of the setting `webhook_retries`.',
  headers: HEADERS,
  body: name.startsWith('payout.') ? payoutEvent : paymentEvent,
  example: examples.webhooks[name],
}))
