// Finds the attempt that a message of the stream reports.
import type { Row } from './rows.ts'
import type { StreamMessage } from './stream-message.ts'

export interface AttemptOfMessage {
  readonly delivery_id: string
  readonly number: number
}

/** Returns `undefined` if the row is not a message about an attempt. */
export function attemptOfMessage(row: Row): AttemptOfMessage | undefined {
  if (!('data' in row) || row.kind !== 'attempt') return undefined
  const message = JSON.parse(row.data) as Extract<StreamMessage, { kind: 'attempt' }>
  return { delivery_id: message.delivery.id, number: message.delivery.attempts_made }
}
