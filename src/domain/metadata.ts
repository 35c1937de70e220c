// Spec 2.6: the caller's metadata and the keys that belong to the service.
import type { Metadata } from './payment.ts'
import { isLongerThan } from './text-length.ts'

interface ReservedKeyRow {
  readonly mode: 'test' | 'live' | 'any'
  readonly when: string
}

/** Keys the service sets. Until it does, a caller's own value under such a key stays. */
export const RESERVED_KEYS = {
  mode: { mode: 'any', when: 'always' },
  webhook_url: { mode: 'any', when: 'webhook_url was given' },
  customer_id: { mode: 'any', when: 'customer_id was given' },
  bank_ref: { mode: 'live', when: 'the acquiring bank opened the operation' },
  failure_code: { mode: 'any', when: 'failed or expired' },
  bank_failure_code: { mode: 'any', when: 'failed' },
  simulator_outcome: { mode: 'test', when: 'always' },
  simulator_failure_code: { mode: 'test', when: 'the simulator refuses' },
} as const satisfies Record<string, ReservedKeyRow>

export type ReservedKey = keyof typeof RESERVED_KEYS
export type ReservedMetadata = { readonly [key in ReservedKey]?: string | undefined }

/** The caller's pairs unchanged, with the service's over them; `undefined` sets nothing. */
export function withReserved(callerMetadata: Metadata, reserved: ReservedMetadata): Metadata {
  const merged = copied(callerMetadata)
  for (const key of KEYS) {
    const value = reserved[key]
    if (value !== undefined) merged[key] = value
  }
  return merged
}

/**
 * A spread defines keys where an assignment sets them, so that `__proto__` stays an ordinary own key. But V8 gives each
 * object that a field is added to after a spread a shape of its own: ten times the time and 600 bytes more.
 */
function copied(pairs: Metadata): Record<string, string> {
  return Object.hasOwn(pairs, '__proto__') ? { ...pairs } : Object.assign({}, pairs)
}

const KEYS = Object.keys(RESERVED_KEYS) as ReservedKey[]

const RECOMMENDED_PAIRS = 20
const RECOMMENDED_CHARACTERS = 500
const NAMED_KEYS = 5

/** What the request log says about metadata above the recommended size. It is stored all the same. */
export function metadataWarnings(metadata: Metadata): string[] {
  if (!remarkable(metadata)) return []
  const pairs = Object.entries(metadata)
  const warnings: string[] = []
  if (pairs.length > RECOMMENDED_PAIRS) {
    warnings.push(`metadata has ${pairs.length} pairs; keep to ${RECOMMENDED_PAIRS}, other gateways refuse more.`)
  }
  const long = pairs.filter(([, value]) => isLongerThan(value, RECOMMENDED_CHARACTERS)).map(([key]) => key)
  if (long.length > 0) {
    const named = long.slice(0, NAMED_KEYS).map((key) => JSON.stringify(key.slice(0, 60)))
    const rest = long.length > NAMED_KEYS ? ` and ${long.length - NAMED_KEYS} more` : ''
    warnings.push(
      `metadata values over ${RECOMMENDED_CHARACTERS} characters: ${named.join(', ')}${rest}; shorten them.`,
    )
  }
  return warnings
}

/** Most metadata is small, and looked at without a copy. */
function remarkable(metadata: Metadata): boolean {
  let pairs = 0
  for (const key in metadata) {
    if (++pairs > RECOMMENDED_PAIRS || (metadata[key] as string).length > RECOMMENDED_CHARACTERS) return true
  }
  return false
}
