// Webhook events that were imported from a recording. They are delivered only by `psp events replay`.
import { isJsonObject } from './json-values.ts'
import type { SandboxTime, WallTime } from './time.ts'

/**
 * The result of the signature check. `unchecked`: no secret was known, or the body was masked before the check.
 * `missing`: there was no header. `valid_when_recorded`: it was valid when it was recorded, and the body has been
 * masked since.
 */
export const IMPORTED_SIGNATURES = ['valid', 'valid_when_recorded', 'invalid', 'unchecked', 'missing'] as const

export type ImportedSignature = (typeof IMPORTED_SIGNATURES)[number]

/** The cause of a signature that is unchecked because the body was masked when it was recorded. */
export const BODY_MASKED = 'body_masked'

export function describeSignature(signature: ImportedSignature, cause: string | null = null): string {
  if (signature === 'valid_when_recorded') return 'valid when it was recorded; the body has been masked since'
  if (signature === 'unchecked' && cause === BODY_MASKED) return 'unchecked; the body was masked when it was recorded'
  return cause === null ? signature : `${signature}: ${cause}`
}

export interface ImportedEvent {
  /**
   * `imp_…`, derived from the unmasked body, the number of the copy in its file and a secret key. So a second import of
   * the same recording adds nothing.
   */
  readonly id: string
  /** The `id` in the body: `evt_…`. Several rows have the same one if it was delivered several times. */
  readonly event_id: string
  /** Any name, because the service may send events that this version does not know. */
  readonly event: string
  readonly object_id?: string
  readonly order_id?: string
  /** The time of the import. */
  readonly created_at: SandboxTime
  /** The time in the recording. */
  readonly received_at: WallTime
  /** The file with the line or entry: `session.har entry 12`. */
  readonly source: string
  readonly signature: ImportedSignature
  /** Why the signature is invalid: a cause of `psp verify`. */
  readonly cause?: string
  /** The bytes that were received, apart from masked values. */
  readonly body: string
}

export const IMPORTED_EVENT_ID = /^imp_[a-z0-9]{24}$/

export type EventIdentity = Pick<ImportedEvent, 'event_id' | 'event' | 'object_id' | 'order_id'>

/** Names are used in headers and in lines of output. */
const NAME = /^[\x21-\x7e]{1,200}$/

/** Returns the parts that identify an event, or `undefined` if the text is not the JSON of an event. */
export function eventIdentityOf(body: string): EventIdentity | undefined {
  const document = parsed(body)
  if (!isJsonObject(document) || !isJsonObject(document['data'])) return undefined
  const { id, event, data } = document
  if (!isName(id) || !isName(event)) return undefined
  const { id: object_id, order_id } = data as { readonly id?: unknown; readonly order_id?: unknown }
  return {
    event_id: id,
    event,
    ...(isName(object_id) && { object_id }),
    ...(typeof order_id === 'string' && order_id !== '' && { order_id }),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value)
}
