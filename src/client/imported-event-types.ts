import type { ImportedEvent } from '../domain/imported-event.ts'

/** An event of a recording. Times are RFC 3339. */
export interface ImportedEventView
  extends Pick<ImportedEvent, 'id' | 'event_id' | 'event' | 'source' | 'signature' | 'body'> {
  readonly object_id: string | null
  readonly order_id: string | null
  /** The time in the recording. */
  readonly received_at: string
  readonly imported_at: string
  /** Why the signature is invalid, as `psp verify` names it. */
  readonly cause: string | null
}

/** An event to import. The server reads the ids from the body. */
export interface EventToImport extends Pick<ImportedEvent, 'id' | 'source' | 'signature' | 'cause' | 'body'> {
  readonly received_at: string
}

export interface ImportEventsBody {
  readonly events: readonly EventToImport[]
  /** Removes the events of earlier imports. */
  readonly replace?: boolean | undefined
}

export interface ImportResult {
  readonly imported: number
  /** Number of events that had already been imported. */
  readonly known: number
  readonly total: number
}
