// Builds a signed request with the headers of spec 6.1, optionally with one defect.
import { omitUndefined } from '../domain/omit-undefined.ts'
import { signatureHeader, webhookHeaders } from '../domain/signatures.ts'
import type { Message, MessageValues } from './check.ts'
import type { Body } from './sample.ts'

export interface Mutation {
  /** Offset of `t=`, in seconds. */
  readonly skew?: number
  readonly secret?: string
  /** Returns the signature to send, given the valid one. `undefined` omits the header. */
  readonly signature?: (right: string) => string | undefined
  /** The body to send instead of the signed one. */
  readonly body?: string
  readonly pieces?: number
}

/** Builds the request that the service would send now, changed by the mutation. */
export function buildMessage(values: MessageValues, { id, text }: Body, mutation: Mutation = {}): Message {
  const timestamp = Math.floor(values.now / 1000) + (mutation.skew ?? 0)
  const right = signatureHeader({ body: text, secret: mutation.secret ?? values.secret, timestamp })
  const signature = mutation.signature === undefined ? right : mutation.signature(right)
  return {
    headers: webhookHeaders(id, timestamp, signature),
    body: Buffer.from(mutation.body ?? text),
    ...omitUndefined({ pieces: mutation.pieces }),
  }
}
