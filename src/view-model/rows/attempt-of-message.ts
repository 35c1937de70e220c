// Finds the attempt that a message of the stream reports.
import type { Row } from './rows.ts'

export interface AttemptOfMessage {
  readonly delivery_id: string
  readonly number: number
}

/** Returns `undefined` if the row is not a message about an attempt. */
export function attemptOfMessage(row: Row): AttemptOfMessage | undefined {
  if (!('message' in row) || row.message.kind !== 'attempt') return undefined
  const { id, attempts_made } = row.message.delivery
  return { delivery_id: id, number: attempts_made }
}
