// Spec 6.1: builds the exact headers and bytes of one webhook attempt.
import type { Delivery, HeaderList } from '../domain/delivery.ts'
import type { WebhookEvent } from '../domain/events.ts'
import {
  type SignatureInput,
  type SignatureVersion,
  signatureHeader,
  type V1Form,
  webhookHeaders,
} from '../domain/signatures.ts'
import type { WallTime } from '../domain/time.ts'
import type { World } from '../engine/world.ts'
import type { AttemptFaults } from './webhook-faults.ts'

export interface Signer {
  /** The whole secret, with its prefix `whs_`. */
  readonly secret: string
  readonly version: SignatureVersion
}

export interface WebhookRequest {
  readonly headers: HeaderList
  readonly body: Uint8Array
  /** Whether the bytes differ from the stored bytes (faults `tamper`, `unknown_event`, `reserialised`). */
  readonly changed: boolean
}

export interface WebhookRequestInput {
  readonly delivery: Pick<Delivery, 'timestamp' | 'edited_body'>
  readonly event: Pick<WebhookEvent, 'id' | 'body'>
  readonly signer: Signer
  readonly v1Form: V1Form
  readonly faults: AttemptFaults
  /** The system time, because the receiver compares the signed time with its clock. */
  readonly now: WallTime
}

/**
 * Signs the body of the webhook, and applies the faults. The body is that of the event, unless the delivery has an
 * edited body. The signed time is the current time, unless the delivery has the `timestamp` of an earlier signature.
 */
export function prepareRequest({ delivery, event, signer, v1Form, faults, now }: WebhookRequestInput): WebhookRequest {
  const stored = delivery.edited_body ?? event.body
  const text = textToSign(stored, faults)
  const body = Buffer.from(text)
  const timestamp = Math.floor(((delivery.timestamp ?? Math.floor(now / 1000)) * 1000 + faults.skew) / 1000)
  const secret = faults.wrong_secret ? `${signer.secret}_wrong` : signer.secret
  const signature = sign({ body, secret, timestamp, version: signer.version, v1Form }, faults)
  return {
    headers: webhookHeaders(event.id, timestamp, signature),
    body: faults.tamper ? Buffer.from(tamper(text)) : body,
    changed: faults.tamper || text !== stored,
  }
}

/**
 * Returns how a delivery is signed: with the endpoint's secret, or with the shop's if the endpoint has none. A delivery
 * to a `webhook_url` or a replay URL is signed as for the shop's oldest active endpoint that is not a listener.
 * @returns `undefined` if the shop or the endpoint does not exist any more
 */
export function signerOf(world: World, delivery: Pick<Delivery, 'shop_id' | 'endpoint_id'>): Signer | undefined {
  const shop = world.get('shops', delivery.shop_id)
  if (shop === undefined) return undefined
  const endpoint =
    delivery.endpoint_id === undefined
      ? world.find('endpoints', 'by_shop', shop.id).find(({ active, listener }) => active && listener !== true)
      : world.get('endpoints', delivery.endpoint_id)
  if (endpoint === undefined && delivery.endpoint_id !== undefined) return undefined
  return { secret: endpoint?.secret ?? shop.webhook_secret, version: endpoint?.signature ?? 'v2' }
}

function textToSign(body: string, { unknown_event, reserialised }: AttemptFaults): string {
  const named = unknown_event ? body.replace(/"event":"(\w+)\.\w+"/, '"event":"$1.reviewed"') : body
  return reserialised ? reserialise(named) : named
}

/** Serializes JSON with different spaces and escapes. Other text, which only an edited body can be, stays unchanged. */
function reserialise(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).replaceAll('/', '\\/')
  } catch {
    return text
  }
}

function sign(toSign: SignatureInput, faults: AttemptFaults): string | undefined {
  if (faults.unsigned) return undefined
  if (!faults.v1_only) return signatureHeader(toSign)
  // The setting `webhook_v1` may omit v1, which this fault needs.
  return signatureHeader({ ...toSign, v1Form: toSign.v1Form === 'timestamped' ? 'timestamped' : 'body' }).replace(
    /,v2=.*$/,
    '',
  )
}

/** Changes the amount, as an attacker would. Appends a space if the text has no amount. */
function tamper(body: string): string {
  const tampered = body.replace(/"amount":(\d+)/, (_, amount: string) => `"amount":${BigInt(amount) + 1n}`)
  return tampered === body ? `${body} ` : tampered
}
