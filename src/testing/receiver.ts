// Spec 6.1: a receiver as it should be. It verifies what comes, keeps it, and answers what a test tells it to.
import { requireObject } from '../client/call-arguments.ts'
import type { WebhookEventName } from '../domain/events.ts'
import type { WallTime } from '../domain/time.ts'
import { type VerifyResult, verifyWebhook, type WebhookMessage } from '../webhooks/verify-webhook.ts'
import { checkNumber } from './check-options.ts'

/** Kept; older ones are let go. */
const KEPT = 10_000

/** A webhook as the receiver got it. */
export interface ReceivedWebhook {
  /** `X-PSP-Event-Id`: the same on every retry. */
  readonly id: string
  readonly event: WebhookEventName
  /** The whole message; absent where the body is none. */
  readonly message: WebhookMessage | undefined
  /** What `verifyWebhook` says with the shop's secret. */
  readonly verified: VerifyResult
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string }
  /** The bytes as they came. */
  readonly body: Buffer
  /** Which attempt of its event this is, from 1, copies included. */
  readonly attempt: number
}

/** A status, or a status with a body. */
export type ReceiverResponse = number | { readonly status: number; readonly body?: string }
/** What the receiver answers, or a function that decides on each webhook. */
export type ResponseFactory =
  | ReceiverResponse
  | ((webhook: ReceivedWebhook) => ReceiverResponse | Promise<ReceiverResponse>)

/** Takes the shop's webhooks, verifies and keeps them. */
export interface WebhookReceiver {
  /** Where the sandbox sends this shop's webhooks; it means something to that sandbox only. */
  readonly url: string
  /** Everything that came, in order, at most the last 10,000. */
  readonly webhooks: readonly ReceivedWebhook[]
  /** Those of one name, or about one payment or payout. */
  of(about: { readonly event?: WebhookEventName; readonly object?: string; readonly id?: string }): ReceivedWebhook[]
  /**
   * Answers so from now on, or `times` times. What is not said: 200 where the signature fits, 400 where it does not.
   * @example receiver.answer(500, { times: 2 }) // the third attempt arrives
   */
  answer(how: ResponseFactory, options?: { readonly times?: number }): void
  /** Forgets what came and what was to be answered. */
  clear(): void
}

/** What comes over the wire, and what goes back. */
export type WebhookHandler = (
  headers: readonly (readonly [name: string, value: string])[],
  body: Uint8Array,
) => Promise<{ readonly status: number; readonly body: string }>

export interface ReceiverPorts {
  /** The machine's clock: signatures carry its time, whatever fake timers say. */
  now(): WallTime
  secret(): string
  url(): string
}

export function createReceiver(ports: ReceiverPorts): { receiver: WebhookReceiver; intake: WebhookHandler } {
  const webhooks: ReceivedWebhook[] = []
  let orders: { readonly how: ResponseFactory; left: number }[] = []

  function take(headerList: Parameters<WebhookHandler>[0], bytes: Uint8Array): ReceivedWebhook {
    const headers = Object.fromEntries(headerList.map(([name, value]) => [name.toLowerCase(), value]))
    const body = Buffer.from(bytes)
    const verified = verifyWebhook(body, headers, ports.secret(), { now: ports.now(), allowV1: true })
    const message = verified.valid ? verified.event : parse(body)
    const id = headers['x-psp-event-id'] ?? message?.id ?? ''
    const attempt = webhooks.filter((other) => other.id === id).length + 1
    const event = (message?.event ?? '') as WebhookEventName
    const webhook = { id, event, message, verified, headers, body, attempt }
    webhooks.push(webhook)
    if (webhooks.length > KEPT) webhooks.splice(0, webhooks.length - KEPT)
    return webhook
  }

  async function answer(webhook: ReceivedWebhook): Promise<{ status: number; body: string }> {
    const order = orders.find(({ left }) => left > 0)
    if (order === undefined) {
      return webhook.verified.valid ? { status: 200, body: '' } : { status: 400, body: webhook.verified.message }
    }
    order.left--
    const how = typeof order.how === 'function' ? await order.how(webhook) : order.how
    return typeof how === 'number' ? { status: how, body: '' } : { status: how.status, body: how.body ?? '' }
  }

  return {
    intake: (headers, body) => answer(take(headers, body)),
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
            (object === undefined || webhook.message?.data.id === object),
        )
      },
      answer(how, options = {}) {
        const { times = Number.POSITIVE_INFINITY } = requireObject(
          'receiver.answer',
          options,
          'an object after the answer, such as { times: 2 }',
        )
        if (typeof how !== 'function') checkNumber('answer', typeof how === 'object' ? how.status : how, 200, 599)
        // Without a number it replaces what was said before.
        if (times === Number.POSITIVE_INFINITY) orders = []
        orders.push({ how, left: times })
      },
      clear() {
        webhooks.length = 0
        orders = []
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
