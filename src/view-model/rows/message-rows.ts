// The list of stream messages. Only the terminal view shows this list.
import { summarizeMessage } from './message-summary.ts'
import { type MessageRow, ROW_LIMITS, type Tables, trimOldest } from './rows.ts'
import { objectIdOf, type ParsedMessage } from './stream-message.ts'

export function addMessageRows(stream: Tables['stream'], batch: readonly ParsedMessage[]): Tables['stream'] {
  const rows = new Map(stream)
  for (const parsed of batch) rows.set(parsed.id, toMessageRow(parsed))
  return trimOldest(rows, ROW_LIMITS.stream)
}

function toMessageRow({ id, message }: ParsedMessage): MessageRow {
  return {
    id,
    at: message.at,
    kind: message.kind,
    summary: summarizeMessage(message),
    object_id: objectIdOf(message),
    message,
  }
}
