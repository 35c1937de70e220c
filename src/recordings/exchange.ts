// A recorded request with its response, and the recorder of their bodies.
import type { HeaderList } from '../domain/delivery.ts'

export interface RecordedExchange {
  /** ms since the Unix epoch, by the clock of the recording machine. */
  readonly startedAt: number
  /** ms until the end of the exchange. */
  readonly ms: number
  /** ms until the head of the response. Absent without a response. */
  readonly wait?: number
  readonly method: string
  /** The URL at the target. */
  readonly url: string
  readonly request: ExchangeMessage
  /** The client waited for permission to send the body, and did not send it. */
  readonly isBodyUnsent?: true
  /** Absent if the target sent no response. */
  readonly response?: ExchangeResponse
  /** Why the exchange did not end normally, as a sentence. */
  readonly error?: string
  /** The client closed the connection before the end of the response. */
  readonly isClosedByClient?: true
}

export interface ExchangeMessage {
  /** The header fields as received, in their order and with the capitals of their names. */
  readonly headers: HeaderList
  readonly body: RecordedBytes
}

export interface ExchangeResponse extends ExchangeMessage {
  readonly status: number
  readonly statusText: string
}

export interface RecordedBytes {
  /** The first bytes of the body, still encoded if the message has a Content-Encoding. */
  readonly bytes: Buffer
  /** The length of the whole body. It is greater than the length of `bytes` if the end was not recorded. */
  readonly length: number
}

/** Receives each exchange at its end. */
export type ExchangeSink = (exchange: RecordedExchange) => void

export interface BodyRecorder {
  add(chunk: Buffer): void
  recorded(): RecordedBytes
}

/** @param limit bytes to keep */
export function createBodyRecorder(limit: number): BodyRecorder {
  const kept: Buffer[] = []
  let keptLength = 0
  let length = 0
  return {
    add(chunk) {
      length += chunk.length
      if (keptLength === limit) return
      const part = chunk.subarray(0, limit - keptLength)
      // A part is copied, because a view of it would keep the whole chunk in memory.
      kept.push(part.length === chunk.length ? chunk : Buffer.from(part))
      keptLength += part.length
    },
    recorded: () => ({ bytes: Buffer.concat(kept), length }),
  }
}
