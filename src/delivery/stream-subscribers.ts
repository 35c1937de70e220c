import { refuse } from '../domain/errors.ts'
import type { StreamMessage } from '../domain/events.ts'
import type { Mode } from '../domain/shop.ts'
import type { BatchSize } from '../engine/batch-size.ts'
import type { Settings } from '../settings.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { Sink } from './sse.ts'
import { connect, type StreamConnection } from './stream-connection.ts'

/** The reader of a stream. Each key has one connection, with the messages of its shop and mode. */
export interface StreamReader extends Audience {
  readonly key_id: string
}

interface Audience {
  readonly shop_id: string
  readonly mode: Mode
}

/** The readers of one shop and mode. */
export interface StreamChannel {
  readonly connections: Set<StreamConnection>
  /** The messages to send at the end of the turn. */
  pending: StreamMessage[]
}

export interface StreamSubscribers {
  /**
   * @returns a function that closes the connection
   * @throws RefusalError `stream_busy` if the key has a connection and the setting `stream_second` is `reject`
   */
  attach(reader: StreamReader, sink: Sink): () => void
  /** Returns `undefined` if the audience has no readers. */
  channelOf(audience: Audience): StreamChannel | undefined
  readonly isEmpty: boolean
  connections(): Iterable<StreamConnection>
  /** Drops the messages that wait for the end of the turn, or for the end of a stall. */
  dropPending(): void
  disconnect(channel: StreamChannel): void
  /** Closes the connections of the keys for which `isGone` returns true. */
  disconnectKeys(isGone: (keyId: string) => boolean): void
  counts(): { readonly connections: number; readonly dropped: number }
}

export function createStreamSubscribers(
  settings: () => Pick<Settings, 'stream_second' | 'stream_queue'>,
  systemClock: Pick<SystemClock, 'setInterval'>,
): StreamSubscribers {
  const byKey = new Map<string, { readonly connection: StreamConnection; readonly end: () => void }>()
  const channels = new Map<string, StreamChannel>()
  let droppedByClosed = 0

  function attach(reader: StreamReader, sink: Sink): () => void {
    const { key_id } = reader
    const { stream_second, stream_queue } = settings()
    if (byKey.has(key_id) && stream_second === 'reject') throw refuse('stream_busy')
    byKey.get(key_id)?.end()
    const name = nameOf(reader)
    const channel = channels.get(name) ?? { connections: new Set(), pending: [] }
    channels.set(name, channel)

    function forget(): void {
      if (!channel.connections.delete(connection)) return
      droppedByClosed += connection.dropped
      if (byKey.get(key_id)?.connection === connection) byKey.delete(key_id)
      if (channel.connections.size === 0 && channels.get(name) === channel) channels.delete(name)
    }
    function end(): void {
      forget()
      connection.close()
    }

    const connection = connect(sink, queueLimit(stream_queue), systemClock, forget)
    channel.connections.add(connection)
    byKey.set(key_id, { connection, end })
    return end
  }

  return {
    attach,
    channelOf: (audience) => channels.get(nameOf(audience)),
    get isEmpty() {
      return channels.size === 0
    },
    connections: () => [...byKey.values()].map(({ connection }) => connection),
    dropPending() {
      for (const channel of channels.values()) {
        channel.pending = []
        for (const connection of channel.connections) connection.dropStalled()
      }
    },
    disconnect(channel) {
      for (const { connection, end } of [...byKey.values()]) if (channel.connections.has(connection)) end()
    },
    disconnectKeys(isGone) {
      for (const [key, { end }] of [...byKey]) if (isGone(key)) end()
    },
    counts() {
      let dropped = droppedByClosed
      for (const { connection } of byKey.values()) dropped += connection.dropped
      return { connections: byKey.size, dropped }
    },
  }
}

/** With messages of ordinary size, only their number limits the queue. */
function queueLimit(messages: number): BatchSize {
  return { rows: messages, bytes: Math.max(MIN_QUEUE_BYTES, messages * BYTES_PER_MESSAGE) }
}

const MIN_QUEUE_BYTES = 16 * 1024 * 1024
const BYTES_PER_MESSAGE = 4096

function nameOf({ shop_id, mode }: Audience): string {
  return `${shop_id} ${mode}`
}
