// Spec 5.7: the same key and request return the same object; the same key with another request is a conflict.
// How long a key is stored is the setting `idempotency_ttl` in `src/settings.ts`, 24h by default.
import { createHash } from 'node:crypto'
import { refuse } from '../domain/errors.ts'
import { addMs } from '../domain/time.ts'
import type { Caller, Created, Idempotency } from './command.ts'
import type { Commit } from './commit.ts'
import type { Draft } from './draft.ts'
import { trimIdempotency } from './retention.ts'
import type { Tables } from './tables.ts'

/** Returns a hash of shop, operation, path without `/api`, and JSON body, regardless of the order of its fields. */
export function fingerprint(parts: { shop_id: string; operation: string; path: string; body: unknown }): string {
  const text = `${parts.shop_id}\n${parts.operation}\n${parts.path}\n${canonical(parts.body)}`
  return createHash('sha256').update(text).digest('hex')
}

interface IdempotentRequest {
  readonly caller: Caller
  readonly idempotency?: Idempotency | undefined
}

/**
 * Returns a commit whose result is the object that this key created. Returns `undefined` if there is no key, or if the
 * key is new or expired.
 * @throws RefusalError `idempotent_conflict`
 */
export function findRepeat<T extends 'payments' | 'payouts' | 'refunds'>(
  draft: Draft,
  table: T,
  { caller, idempotency }: IdempotentRequest,
): Commit<Created<Tables[T]>> | undefined {
  if (idempotency === undefined) return undefined
  const record = draft.get('idempotency', recordId(draft, caller, idempotency.key))
  if (record === undefined || record.expires_at <= draft.now) return undefined
  if (record.fingerprint !== idempotency.fingerprint) {
    throw refuse(
      'idempotent_conflict',
      'This Idempotency-Key was used with another request. Use a new key for a new request.',
    )
  }
  const object = draft.get(table, record.object_id)
  if (object === undefined)
    throw refuse('idempotent_conflict', 'The object that this Idempotency-Key created no longer exists. Use a new key.')
  return draft.commit({ object, repeated: true, cut: false, warnings: [] })
}

/** Stores the key in the same commit as the object. */
export function storeIdempotencyKey(
  draft: Draft,
  caller: Caller,
  idempotency: Idempotency | undefined,
  objectId: string,
): void {
  if (idempotency === undefined) return
  trimIdempotency(draft)
  const id = recordId(draft, caller, idempotency.key)
  draft.put('idempotency', {
    id,
    fingerprint: idempotency.fingerprint,
    object_id: objectId,
    expires_at: addMs(draft.now, draft.world.settings.idempotency_ttl),
  })
}

function recordId(draft: Draft, caller: Caller, key: string): string {
  return `${draft.shop(caller.shop_id).merchant_id}:${caller.mode}:${key}`
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`
}
