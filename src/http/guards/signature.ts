// Spec 5.5: the request signature, over the raw bytes of the body.
import { refuse } from '../../domain/errors.ts'
import type { Shop } from '../../domain/shop.ts'
import { checkRequestSignature } from '../../domain/signatures.ts'
import type { Exchange } from '../app-env.ts'
import { singleHeader } from './request-headers.ts'

export const SIGNATURE_PATTERN = /^sha256=[0-9a-f]{64}$/

/**
 * Checks the signature if there is one, even if the shop requires none. The header has two names, and either is
 * accepted. If both are sent, they must be equal.
 */
export function requireSignature(c: Exchange, raw: Buffer, shop: Shop): void {
  const first = singleHeader(c, 'X-PSP-Signature', 'x-psp-signature')
  const second = singleHeader(c, 'X-Service-Signature', 'x-service-signature')
  if (first === undefined && second === undefined) {
    if (shop.require_signature) throw refuse('signature_required')
    return
  }
  if (checkRequestSignature([first, second], raw, shop.signing_secret) === 'ok') return
  if (first !== undefined && second !== undefined && first !== second) {
    throw refuse('invalid_signature', 'X-PSP-Signature and X-Service-Signature differ. Send one of them.')
  }
  throw refuse('invalid_signature', hint(first ?? second ?? '', raw))
}

function hint(value: string, raw: Buffer): string {
  if (!SIGNATURE_PATTERN.test(value)) {
    return 'The request signature is malformed: expected sha256= and 64 lower-case hex digits.'
  }
  const bytes = raw.length === 0 ? 'the empty string (there is no body)' : `the ${raw.length} bytes of the body as sent`
  return `The request signature does not match: expected HMAC-SHA256 over ${bytes}, keyed with the whole thm_… secret.`
}
