// Diagnoses an attempt: the signature that was sent, and the response of the receiver.
import { type Attempt, type Delivery, headerValue, type RecordedBody } from '../../domain/delivery.ts'
import { isSuccess } from '../../domain/http-response.ts'
import { causeAndAdvice } from '../../domain/receiver-failures.ts'
import { fixesForResponse } from '../../domain/remediation.ts'
import type { World } from '../../engine/world.ts'

export interface Diagnosis {
  readonly attempt: number
  readonly signature: 'valid' | 'invalid'
  /** The reason for an invalid signature. */
  readonly cause: string | null
  readonly message: string
  /** The advice about the receiver. null: it responded 2xx, or the error contains no advice, as with `drop`. */
  readonly advice: string | null
}

/** Verifies the signature with the receiver's current secret, as if at the time at which the attempt was sent. */
export async function diagnose(world: World, delivery: Delivery, attempt: Attempt): Promise<Diagnosis> {
  // Loaded on demand, because no other request needs it.
  const { explainSignature } = await import('../../webhooks/explain-signature.ts')
  const { knownSecrets } = await import('../../webhooks/known-secrets.ts')
  const sent = delivery.edited_body ?? world.get('events', delivery.event_id)?.body
  const found = explainSignature({
    rawBody: bytesOf(attempt.request_body) ?? sent ?? '',
    header: headerValue(attempt.request_headers, 'x-psp-signature'),
    secrets: [secretOf(world, delivery)].filter((secret) => secret !== undefined),
    known: knownSecrets(world.rows('shops'), world.rows('endpoints')),
    storedBody: sent,
    now: attempt.sent_at,
  })
  return {
    attempt: attempt.number,
    signature: found.valid ? 'valid' : 'invalid',
    cause: found.valid ? null : found.cause,
    message: found.message,
    advice: adviceFor(attempt, found.valid, () => hasAccepted(world, delivery)) ?? null,
  }
}

/** Returns the secret of the endpoint or, if it has none, the webhook secret of the shop. */
function secretOf(world: World, { endpoint_id, shop_id }: Delivery): string | undefined {
  const endpoint = endpoint_id === undefined ? undefined : world.get('endpoints', endpoint_id)
  return endpoint?.secret ?? world.get('shops', shop_id)?.webhook_secret
}

/** The maximum number of deliveries to search. Old rows are slow to read, and other requests wait during the search. */
const MAX_SEARCHED = 1000

/** Returns whether the receiver at this URL accepted one of the newest deliveries. */
function hasAccepted(world: World, { url }: Delivery): boolean {
  let left = MAX_SEARCHED
  for (const other of world.rows('deliveries', 'newest')) {
    if (left-- === 0) return false
    if (other.url === url && other.attempts.some(({ status = 0 }) => isSuccess(status))) return true
  }
  return false
}

function adviceFor(
  { status, error, fault, response_body }: Attempt,
  isValid: boolean,
  accepts: () => boolean,
): string | undefined {
  if (status === undefined) return error === undefined ? undefined : causeAndAdvice(error).advice || undefined
  if (isSuccess(status)) return undefined
  const changed = fault === undefined ? '' : ` The fault ${fault} changed it.`
  if (!isValid) return `The receiver is right to reject this webhook.${changed}`
  const fixes = fixesForResponse(status, response_body?.text ?? '', accepts())
  const list = fixes.length === 1 ? ` ${fixes[0]}` : fixes.map((fix, at) => `\n${at + 1}. ${fix}`).join('')
  return `The sent bytes and signature are valid, so check the receiver.${list}`
}

function bytesOf({ text, b64 }: RecordedBody = {}): Uint8Array | string | undefined {
  return b64 === undefined ? text : Buffer.from(b64, 'base64')
}
