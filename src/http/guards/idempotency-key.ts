// Spec 5.7: checks the form of an Idempotency-Key. The engine applies it together with the operation.

import { characterCount, isLongerThan } from '../../domain/characters.ts'
import { refuse } from '../../domain/errors.ts'
import type { Exchange } from '../app-env.ts'
import { singleHeader } from './single-header.ts'

/** In characters (spec 8). */
export const MAX_KEY_LENGTH = 64

/** Returns the key without the quotes of its structured form, or `undefined` if there is no key. */
export function idempotencyKey(c: Exchange): string | undefined {
  const value = singleHeader(c, 'Idempotency-Key')
  if (value === undefined) return undefined
  const key = /^".*"$/s.test(value) && value.length >= 2 ? value.slice(1, -1) : value
  if (key !== '' && !isLongerThan(key, MAX_KEY_LENGTH)) return key
  throw refuse(
    'bad_request',
    `Idempotency-Key: expected 1 to ${MAX_KEY_LENGTH} characters, got ${characterCount(key)}.`,
  )
}
