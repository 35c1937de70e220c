// Spec 2.6: the merchant's metadata and the reserved keys of the service.

import { isLongerThan, quoteText } from './characters.ts'
import type { Metadata } from './payment.ts'

interface ReservedKeyRow {
  readonly mode: 'test' | 'live' | 'any'
  readonly when: string
}

/** Keys that the service sets. A merchant's value is kept until the service sets the key. */
export const RESERVED_KEYS = {
  mode: { mode: 'any', when: 'always' },
  webhook_url: { mode: 'any', when: 'webhook_url was given' },
  customer_id: { mode: 'any', when: 'customer_id was given' },
  bank_ref: { mode: 'live', when: 'the acquiring bank opened the operation' },
  failure_code: { mode: 'any', when: 'failed or expired' },
  bank_failure_code: { mode: 'any', when: 'failed' },
  simulator_outcome: { mode: 'test', when: 'always' },
  simulator_failure_code: { mode: 'test', when: 'the plan has a failure code' },
} as const satisfies Record<string, ReservedKeyRow>

export type ReservedKey = keyof typeof RESERVED_KEYS

export function isReservedKey(key: string): key is ReservedKey {
  return Object.hasOwn(RESERVED_KEYS, key)
}

export type ReservedMetadata = { readonly [key in ReservedKey]?: string | undefined }

/** Returns the merchant's pairs, overwritten by the reserved pairs that are not `undefined`. */
export function withReserved(callerMetadata: Metadata, reserved: ReservedMetadata): Metadata {
  const merged = copyPairs(callerMetadata)
  for (const key of KEYS) {
    const value = reserved[key]
    if (value !== undefined) merged[key] = value
  }
  return merged
}

/**
 * A spread keeps `__proto__` as an ordinary key, but `Object.assign` does not. However, if a field is added after a
 * spread, V8 gives each object a separate shape, which takes ten times as long and 600 bytes more.
 */
function copyPairs(pairs: Metadata): Record<string, string> {
  return Object.hasOwn(pairs, '__proto__') ? { ...pairs } : Object.assign({}, pairs)
}

const KEYS = Object.keys(RESERVED_KEYS) as ReservedKey[]

const RECOMMENDED_PAIRS = 20
const RECOMMENDED_CHARACTERS = 500
const NAMED_KEYS = 5

/** Returns warnings for the request log about metadata above the recommended size, which is stored anyway. */
export function metadataWarnings(metadata: Metadata): string[] {
  if (!isLarge(metadata)) return []
  const pairs = Object.entries(metadata)
  const warnings: string[] = []
  if (pairs.length > RECOMMENDED_PAIRS) {
    warnings.push(
      `metadata has ${pairs.length} pairs. Use at most ${RECOMMENDED_PAIRS}, because other gateways reject more.`,
    )
  }
  const long = pairs.filter(([, value]) => isLongerThan(value, RECOMMENDED_CHARACTERS)).map(([key]) => key)
  if (long.length > 0) {
    const named = long.slice(0, NAMED_KEYS).map((key) => quoteText(key))
    const rest = long.length > NAMED_KEYS ? ` and ${long.length - NAMED_KEYS} more` : ''
    warnings.push(
      `metadata values over ${RECOMMENDED_CHARACTERS} characters: ${named.join(', ')}${rest}. Shorten them.`,
    )
  }
  return warnings
}

/** Checks without a copy, because most metadata is small. */
function isLarge(metadata: Metadata): boolean {
  let pairs = 0
  for (const key in metadata) {
    if (++pairs > RECOMMENDED_PAIRS || (metadata[key] as string).length > RECOMMENDED_CHARACTERS) return true
  }
  return false
}
