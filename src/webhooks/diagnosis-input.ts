// Spec 6.1 and 5.5: the signature to diagnose, and the secrets that may match it.
import { equalText, hmacHex } from '../domain/signatures.ts'
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
/** The reason why a signature does not match: the causes of `psp verify --explain`. */
export type ExplainedCause = (typeof EXPLAINED_CAUSES)[number]

export interface ExplainedFinding {
  readonly cause: ExplainedCause
  /** The cause and the next step. */
  readonly message: string
}

/**
 * A secret of the sandbox. `signing` is a current `thm_…`, `webhook` a current `whs_…`. `former_webhook` and
 * `former_signing` were valid before a rotation.
 */
export interface KnownSecret {
  readonly secret: string
  readonly kind: 'signing' | 'webhook' | 'former_webhook' | 'former_signing'
  /** A name for messages: `shop Demo`, `endpoint https://…`. The secret itself is never shown. */
  readonly label: string
}

export interface DiagnosisInput {
  readonly purpose: 'webhook' | 'request'
  readonly header: SignatureHeader
  readonly body: Buffer
  /** The secrets that should match. */
  readonly given: readonly string[]
  readonly known: readonly KnownSecret[]
  /** The bytes that the sandbox signed for this event. */
  readonly stored?: Buffer
}

/**
 * Returns true if the header matches this body and secret. A timed header without `v2=` never matches.
 * @param timeOverride replaces the time of the header
 */
export function matchesHeader(header: SignatureHeader, secret: string, body: Buffer, timeOverride?: string): boolean {
  if (header.format === 'v1') return equalText(hmacHex(secret, body), header.v1)
  return header.v2 !== undefined && equalText(hmacHex(secret, `${timeOverride ?? header.t}.`, body), header.v2)
}
