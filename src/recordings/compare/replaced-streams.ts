// Event streams that the service ended because the client opened another one with the same API key.
import { groupBy } from '../../domain/group-by.ts'
import { isStream, type RecordedCall } from './recorded-call.ts'
import { recordedKey } from './replay-shops.ts'
import { type ObservedMessage, observedMessages } from './stream-messages.ts'

export interface ReplacedStream {
  readonly stream: RecordedCall
  readonly next: RecordedCall
  /**
   * The messages that only `stream` has. The service sent them before it opened `next`, although the proxy may have
   * received the request for `next` earlier.
   */
  readonly messages: readonly ObservedMessage[]
}

export function replacedStreams(calls: readonly RecordedCall[]): ReplacedStream[] {
  const byKey = groupBy(calls.filter(isStream), (call) => recordedKey(call)?.hint)
  return [...byKey.values()].flatMap((ofKey) => {
    const streams = ofKey.toSorted((a, b) => a.startedAt - b.startedAt)
    return streams.flatMap((stream, at): ReplacedStream[] => {
      const next = streams[at + 1]
      if (next === undefined || !isReplaced(stream, next)) return []
      const received = new Set(observedMessages(next.response?.text).map(keyOf))
      const messages = observedMessages(stream.response?.text).filter((message) => !received.has(keyOf(message)))
      return [{ stream, next, messages }]
    })
  })
}

/** A stream that outlasts the next one was not replaced. Its messages may be newer than the end of the next one. */
function isReplaced(stream: RecordedCall, next: RecordedCall): boolean {
  return !stream.isClosedByClient && next.startedAt <= stream.endedAt && stream.endedAt <= next.endedAt
}

const keyOf = ({ label, id }: ObservedMessage) => `${label} ${id}`
