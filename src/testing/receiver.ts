// Spec 6.1: a correct receiver. It verifies and stores webhooks. The test can set its responses.
import { requireObject } from '../client/call-arguments.ts'
import type { WebhookEventName } from '../domain/events.ts'
import type { WallTime } from '../domain/time.ts'
import { type VerifyResult, verifyWebhook, type WebhookMessage } from '../webhooks/verify-webhook.ts'
import { checkNumber } from './check-options.ts'

/** Maximum number of stored webhooks. Older ones are dropped. */
const MAX_WEBHOOKS = 10_000

/** A webhook as received. */
export interface ReceivedWebhook {
  /** The `X-PSP-Event-Id`. It is the same on every retry. */
  readonly id: string
  readonly event: WebhookEventName
  /**
   * The parsed message. `undefined` if the body is not JSON. If `verified.valid` is false, the fields are not checked.
   */
  readonly message: WebhookMessage | undefined
  /** The result of `verifyWebhook` with the shop's secret. */
  readonly verified: VerifyResult
  /** Header names are in lower case. */
  readonly headers: { readonly [name: string]: string }
  /** The received bytes. */
  readonly body: Buffer
  /** 1 for the first webhook of its event since the last `clear`, then 2 and so on. Copies count. */
  readonly attempt: number
}

/** A status, or a status with a body. */
export type WebhookResponse = number | { readonly status: number; readonly body?: string }
/** A response, or a function that returns one for each webhook. */
export type ResponseFactory =
  | WebhookResponse
  | ((webhook: ReceivedWebhook) => WebhookResponse | Promise<WebhookResponse>)

/** Receives, verifies and stores the shop's webhooks. */
export interface WebhookReceiver {
  /** The URL to which only this sandbox can send the shop's webhooks. Empty if `receiver` is false. */
  readonly url: string
  /** The received webhooks in order, at most the last 10,000. */
  readonly webhooks: readonly ReceivedWebhook[]
  /**
   * Returns the webhooks that match all given fields: `event`, the event name; `object`, the id of the payment or
   * payout; `id`, the id of the event (`evt_…`).
   */
  of(about: { readonly event?: WebhookEventName; readonly object?: string; readonly id?: string }): ReceivedWebhook[]
  /**
   * Sets the response from now on, or for the next `times` webhooks. By default a valid signature gets 200, an invalid
   * one 400.
   * @example `receiver.respond(500, { times: 2 })` accepts the third attempt
   */
  respond(how: ResponseFactory, options?: { readonly times?: number }): void
  /** Drops the received webhooks and the configured responses. */
  clear(): void
}

/** Receives a webhook and returns the response. */
export type WebhookHandler = (
  headers: readonly (readonly [name: string, value: string])[],
  body: Uint8Array,
) => Promise<{ readonly status: number; readonly body: string }>

export interface ReceiverPorts {
  /** The time of the system clock, because signatures contain it even if a test uses fake timers. */
  now(): WallTime
  secret(): string
  url(): string
}

export function createReceiver(ports: ReceiverPorts): { receiver: WebhookReceiver; handleWebhook: WebhookHandler } {
  const webhooks: ReceivedWebhook[] = []
  let responses: { readonly how: ResponseFactory; left: number }[] = []

  function record(headerList: Parameters<WebhookHandler>[0], bytes: Uint8Array): ReceivedWebhook {
    const headers = Object.fromEntries(headerList.map(([name, value]) => [name.toLowerCase(), value]))
    const body = Buffer.from(bytes)
    const verified = verifyWebhook(body, headers, ports.secret(), { now: ports.now(), allowV1: true })
    const message = verified.valid ? verified.event : parse(body)
    const id = headers['x-psp-event-id'] ?? message?.id ?? ''
    const attempt = webhooks.filter((other) => other.id === id).length + 1
    const event = (message?.event ?? '') as WebhookEventName
    const webhook = { id, event, message, verified, headers, body, attempt }
    webhooks.push(webhook)
    if (webhooks.length > MAX_WEBHOOKS) webhooks.splice(0, webhooks.length - MAX_WEBHOOKS)
    return webhook
  }

  async function respond(webhook: ReceivedWebhook): Promise<{ status: number; body: string }> {
    const planned = responses.find(({ left }) => left > 0)
    if (planned === undefined) {
      return webhook.verified.valid ? { status: 200, body: '' } : { status: 400, body: webhook.verified.message }
    }
    planned.left--
    const how = typeof planned.how === 'function' ? await planned.how(webhook) : planned.how
    return typeof how === 'number' ? { status: how, body: '' } : { status: how.status, body: how.body ?? '' }
  }

  return {
    handleWebhook: (headers, body) => respond(record(headers, body)),
    receiver: {
      get url() {
        return ports.url()
      },
      webhooks,
      of(about) {
        const { event, object, id } = requireObject(
          'receiver.of',
          about,
          "an object, such as { event: 'payment.failed' }",
        )
        return webhooks.filter(
          (webhook) =>
            (event === undefined || webhook.event === event) &&
            (id === undefined || webhook.id === id) &&
            (object === undefined || webhook.message?.data?.id === object),
        )
      },
      respond(how, options = {}) {
        const { times = Number.POSITIVE_INFINITY } = requireObject(
          'receiver.respond',
          options,
          'an object after the response, such as { times: 2 }',
        )
        if (typeof how !== 'function') checkNumber('status', typeof how === 'object' ? how.status : how, 200, 599)
        const added = { how, left: times }
        const isLimited = ({ left }: { readonly left: number }) => left !== Number.POSITIVE_INFINITY
        // Without `times`, the response replaces all earlier ones. Otherwise the permanent one applies afterwards.
        responses = isLimited(added)
          ? [...responses.filter(isLimited), added, ...responses.filter((other) => !isLimited(other))]
          : [added]
      },
      clear() {
        webhooks.length = 0
        responses = []
      },
    },
  }
}

function parse(body: Buffer): WebhookMessage | undefined {
  try {
    return JSON.parse(body.toString()) as WebhookMessage
  } catch {
    return undefined
  }
}
