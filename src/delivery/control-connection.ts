// A reader of the control API's stream. For a slow reader, only the id of its next message is stored.
import { rfc3339 } from '../domain/time.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { ControlEntry } from './control-messages.ts'
import type { RingBuffer } from './ring-buffer.ts'
import { CONNECTED, PING, type Sink, sseMessage, startHeartbeat } from './sse.ts'

export interface ControlConnection {
  /** Sends the entries that are new, unless messages are being collected or the sink is full. */
  flush(): void
  close(): void
}

export interface ControlConnectionOptions {
  readonly sink: Sink
  /** See `Last-Event-ID`. */
  readonly lastEventId: string | undefined
  /** After each message that was sent, new messages are collected for this many ms. 0: each message is sent at once. */
  readonly interval: number
}

export interface ControlConnectionPorts {
  readonly entries: RingBuffer
  readonly systemClock: Pick<SystemClock, 'now' | 'setTimeout' | 'setInterval'>
  /** Returns an entry as JSON, or undefined if it cannot be serialized. */
  serialize(entry: ControlEntry): string | undefined
  onDisconnect(): void
}

/** Characters to serialize before the sink is checked again. The message that reaches this number is included. */
const CHUNK = 64 * 1024

interface SerializedMessage {
  readonly id: number
  readonly kind: string
  readonly json: string
}

export function connectControl(
  { sink, lastEventId, interval }: ControlConnectionOptions,
  { entries, systemClock, serialize, onDisconnect }: ControlConnectionPorts,
): ControlConnection {
  let cursor = entries.after(lastEventId)
  let blocked = false
  let open = true
  /** Present while new messages are collected. */
  let collecting: { cancel(): void } | undefined

  const heartbeat = startHeartbeat(systemClock, () => {
    if (!blocked) blocked = !sink.write(PING)
  })
  sink.onDrain(() => {
    blocked = false
    flush()
  })
  sink.onDisconnect(onDisconnect)
  blocked = !sink.write(CONNECTED)

  function flush(): void {
    if (!open || collecting !== undefined) return
    const from = cursor
    while (cursor < entries.next() && !blocked) {
      // The ring buffer may have overwritten entries that a slow reader has not received yet.
      const text = (cursor < entries.oldest() ? skipLost() : '') + formatMessages(serializeNext(), interval > 0)
      if (text !== '') blocked = !sink.write(Buffer.from(text))
    }
    // A reader that is behind continues as soon as its sink drains.
    if (interval > 0 && cursor > from && cursor === entries.next()) collect()
  }

  function collect(): void {
    const timer = systemClock.setTimeout(() => {
      collecting = undefined
      flush()
    }, interval)
    timer.unref?.()
    collecting = timer
  }

  /** Moves the cursor to the oldest entry, and returns the message that reports the gap. */
  function skipLost(): string {
    const [from, to] = [cursor, entries.oldest() - 1]
    cursor = entries.oldest()
    return sseMessage('gap', JSON.stringify({ kind: 'gap', at: rfc3339(systemClock.now()), from, to }), to)
  }

  function serializeNext(): readonly SerializedMessage[] {
    const messages: SerializedMessage[] = []
    let size = 0
    while (cursor < entries.next() && size < CHUNK) {
      const id = cursor++
      const entry = entries.at(id)
      const json = serialize(entry)
      if (json === undefined) continue
      messages.push({ id, kind: entry.kind, json })
      size += json.length
    }
    return messages
  }

  return {
    flush,
    close() {
      open = false
      heartbeat.cancel()
      collecting?.cancel()
      sink.close()
    },
  }
}

/** @param isBatch several messages become one, with the id of the last one */
function formatMessages(messages: readonly SerializedMessage[], isBatch: boolean): string {
  const last = messages.at(-1)
  if (last === undefined) return ''
  if (!isBatch || messages.length === 1)
    return messages.map(({ id, kind, json }) => sseMessage(kind, json, id)).join('')
  const items = messages.map(({ id, json }) => `{"id":"${id}","message":${json}}`).join()
  return sseMessage('batch', `{"kind":"batch","items":[${items}]}`, last.id)
}
