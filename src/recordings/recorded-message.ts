import type { HeaderList } from '../domain/delivery.ts'
import type { RecordedSignature } from './har.ts'

/** An HTTP message in a recording that may contain a webhook. */
export interface RecordedMessage {
  /** The position in the file: `entry 12`, `line 4`. */
  readonly place: string
  /** The time of receipt, in ms since the Unix epoch. Absent if the recording has no time. */
  readonly at?: number
  /** The bytes of the body. Absent if the recording has none. */
  readonly body?: Buffer
  /** Why the recording has no body: the end of a sentence that begins with `no body:`. */
  readonly noBody?: string
  readonly headers: HeaderList
  /** The signature check at the time of the recording, if `psp record` made it. */
  readonly signature?: RecordedSignature
  /** A short description for messages: `POST https://api.example/x`. */
  readonly about: string
}

export type RecordingFormat = 'har' | 'ndjson' | 'nginx' | 'curl'

export const SIGNATURE_HEADER = 'x-psp-signature'
