// Spec 6.1 and 5.5: one signature to be explained, as every attempt looks at it.
import { equalText, hmacHex } from '../domain/hmac.ts'
import type { SignatureHeader } from './signature-header.ts'

export const EXPLAINED_CAUSES = [
  'wrong_secret_kind',
  'rotated_secret',
  'wrong_secret',
  'tampered',
  'missing_timestamp_prefix',
  'v1_for_v2',
  'crlf',
  'bom',
  'trailing_newline',
  'empty_body',
  'parsed_body',
  'truncated_body',
  'reserialised',
  'escaped_slash',
  'milliseconds',
  'stale',
  'future',
  'malformed_header',
  'mismatch',
] as const
/** Why a signature does not fit: the causes of `psp verify --explain`. */
export type ExplainedCause = (typeof EXPLAINED_CAUSES)[number]

/** A secret the sandbox knows. `signing`: `thm_…`; `webhook`: `whs_…` in use; `former`, `former_signing`: rotated away. */
export interface KnownSecret {
  readonly secret: string
  readonly kind: 'signing' | 'webhook' | 'former' | 'former_signing'
  /** What people call it: `shop Demo`, `endpoint https://…`. The secret itself is never shown. */
  readonly label: string
}

export interface DiagnosisInput {
  readonly purpose: 'webhook' | 'request'
  readonly header: SignatureHeader
  readonly body: Buffer
  /** The secrets that should fit. */
  readonly given: readonly string[]
  readonly known: readonly KnownSecret[]
  /** The bytes the sandbox stored for this event. */
  readonly stored?: Buffer
}

/** Does what the header promises hold for this body? A timed header without `v2=` promises nothing. */
export function matchesHeader(header: SignatureHeader, secret: string, body: Buffer, t?: string): boolean {
  if (header.form === 'v1') return equalText(hmacHex(secret, body), header.v1)
  return header.v2 !== undefined && equalText(hmacHex(secret, `${t ?? header.t}.`, body), header.v2)
}
