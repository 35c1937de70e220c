// Spec 6.1: parses the two formats of X-PSP-Signature. `src/domain/signatures.ts` computes and compares the hashes.
import { omitUndefined } from '../domain/omit-undefined.ts'
import { FIXES } from '../domain/remediation.ts'
import { secretKind } from './secret.ts'

/** A parsed header: `sha256=<hex>`, or `t=…,v1=…,v2=…` in which one hash may be missing. */
export type SignatureHeader =
  | { readonly format: 'v1'; readonly v1: string }
  | {
      readonly format: 'timed'
      /** The text as received, because it is part of the signed data. */
      readonly t: string
      readonly v1?: string
      readonly v2?: string
    }

const MAX_LENGTH = 1024
const HEX = /^[0-9a-f]{64}$/

/** Returns the parsed header, or the problem with it. Unknown parts such as `v3=` are ignored. */
export function parseSignatureHeader(
  text: string,
): SignatureHeader | { readonly format: 'malformed'; readonly problem: string } {
  if (text.length > MAX_LENGTH) return malformed(`it is longer than ${MAX_LENGTH} characters`)
  if (!/^[\x20-\x7e]*$/.test(text)) return malformed('it contains characters outside printable ASCII')
  if (text.trim() === '') return malformed('it is empty')
  // The other messages quote the text, and a program may have passed its secret.
  if (secretKind(text) !== undefined) return malformed('it is a secret, not a signature')
  const parts = new Map<string, string>()
  for (const part of text.split(',')) {
    const found = /^([a-z0-9]+)=(.*)$/.exec(part.trim())
    if (found === null) return malformed(`${JSON.stringify(part.trim())} is not name=value`)
    const [, name, value] = found as unknown as readonly [string, string, string]
    if (parts.has(name)) return malformed(`${name}= is in it twice`)
    parts.set(name, value)
  }
  const v1 = parts.get('sha256')
  return v1 === undefined ? parseTimed(parts) : parseV1(v1, parts.size)
}

/** Returns true if the time has too many digits for seconds, which have ten until the year 2286. */
export function isMilliseconds(t: string): boolean {
  return t.length >= 12
}

export const MILLISECONDS_MESSAGE = `The time is in milliseconds instead of seconds. ${FIXES.seconds}`

function parseV1(v1: string, partCount: number) {
  if (partCount > 1) return malformed('sha256= cannot be combined with other parts')
  return HEX.test(v1) ? ({ format: 'v1', v1 } as const) : malformed(hexIssue('sha256', v1))
}

function parseTimed(parts: ReadonlyMap<string, string>) {
  const t = parts.get('t')
  if (t === undefined) return malformed('it has neither sha256= nor t=')
  if (!/^\d{1,16}$/.test(t)) return malformed('t= is not a Unix time in digits')
  const v1 = parts.get('v1')
  const v2 = parts.get('v2')
  if (v1 === undefined && v2 === undefined) return malformed('it has t= but neither v1= nor v2=')
  if (v1 !== undefined && !HEX.test(v1)) return malformed(hexIssue('v1', v1))
  if (v2 !== undefined && !HEX.test(v2)) return malformed(hexIssue('v2', v2))
  return { format: 'timed', t, ...omitUndefined({ v1, v2 }) } as const
}

function hexIssue(name: string, value: string): string {
  if (HEX.test(value.toLowerCase())) return `${name}= must be lower-case hex`
  if (!/^[0-9a-f]*$/i.test(value)) return `${name}= must be hex digits (is it base64?)`
  return `${name}= must be 64 hex digits, not ${value.length}`
}

function malformed(problem: string) {
  return { format: 'malformed', problem } as const
}
