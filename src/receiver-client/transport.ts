// How bytes get to a receiver: a function, so that tests and other doors can pass their own.
import type { HeaderList, RecordedBody } from '../domain/delivery.ts'

export interface ReceiverRequest {
  readonly url: string
  readonly headers: HeaderList
  readonly body: Uint8Array
  /** For the whole exchange, from connecting to the last byte of the answer; ms of the machine's clock. */
  readonly deadline_ms: number
}

/** What came back. Without `error` it is a whole answer; with it, whatever came before it broke off. */
export interface ReceiverResponse {
  readonly status?: number
  readonly headers?: HeaderList
  readonly body?: RecordedBody
  /** Why there is no whole answer, in words. */
  readonly error?: string
  /** The deadline passed. */
  readonly late?: true
  /** As the sender measured it, where that is not this process. */
  readonly ms?: number
}

/** POSTs once, never follows a redirect, never rejects. */
export type Transport = (request: ReceiverRequest) => Promise<ReceiverResponse>
