// One signed request: the headers of spec 6.1, right or wrong in one point.
import { signatureHeader, webhookHeaders } from '../domain/webhook-signature.ts'
import type { Ground, Message } from './check.ts'
import type { Body } from './sample.ts'

export interface Twist {
  /** Seconds by which `t=` is off. */
  readonly skew?: number
  readonly secret?: string
  /** Replaces the signature, given the right one; `undefined` leaves the header out. */
  readonly signature?: (right: string) => string | undefined
  /** What is sent in place of what was signed. */
  readonly body?: string
  readonly pieces?: number
}

/** The event as the service would send it now, but for the twist. */
export function message(ground: Ground, { id, text }: Body, twist: Twist = {}): Message {
  const timestamp = Math.floor(ground.now / 1000) + (twist.skew ?? 0)
  const right = signatureHeader({ body: text, secret: twist.secret ?? ground.secret, timestamp })
  const signature = twist.signature === undefined ? right : twist.signature(right)
  return {
    headers: webhookHeaders(id, timestamp, signature),
    body: Buffer.from(twist.body ?? text),
    ...(twist.pieces === undefined ? {} : { pieces: twist.pieces }),
  }
}
