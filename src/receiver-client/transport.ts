// The interface of the function that sends bytes to a receiver. Tests and other adapters can pass their implementation.
import type { HeaderList, RecordedBody } from '../domain/delivery.ts'

export interface ReceiverRequest {
  readonly url: string
  readonly headers: HeaderList
  readonly body: Uint8Array
  /** The deadline of the exchange, from connecting to the last byte of the response, in ms of the system clock. */
  readonly deadline_ms: number
}

/** The response of a receiver. It is complete unless it has an `error`. */
export interface ReceiverResponse {
  readonly status?: number
  readonly headers?: HeaderList
  readonly body?: RecordedBody
  /** Why there is no complete response, as a message. */
  readonly error?: string
  /** The deadline passed. */
  readonly late?: true
  /** The duration as measured by the sender, if that is another process. */
  readonly ms?: number
}

/** Sends one POST request. Never follows redirects and never rejects. */
export type Transport = (request: ReceiverRequest) => Promise<ReceiverResponse>
