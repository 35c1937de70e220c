// The control API's own stream: everything that happens, with ids, so that a reader can go on where it stopped.
import { rfc3339, type SandboxTime } from '../domain/time.ts'
import type { CommitListener } from '../engine/ports.ts'
import type { World } from '../engine/world.ts'
import { type ControlEntry, entriesOf, renderEntry } from './control-messages.ts'
import type { WallPort } from './ports.ts'
import { createRingBuffer } from './ring-buffer.ts'
import { CONNECTED, type EventStream, HEARTBEAT, PING, type Sink, sseMessage, streamSink } from './sse.ts'

export interface ControlHub {
  /**
   * SSE bytes, `: connected` first. Without an id: from now on. With one: everything after it that is still kept; where
   * something is not, a message `gap` comes first.
   */
  open(lastEventId: string | undefined): EventStream
  attach(sink: Sink, lastEventId: string | undefined): () => void
  committed: CommitListener
  /** An entry of the request log, rendered when somebody reads. */
  request(entry: object): void
  /** The id of the newest message; one below the first where there is none. */
  newest(): number
  counts(): { readonly connections: number; readonly kept: number }
  close(): void
}

export interface ControlHubPorts {
  readonly world: World
  readonly wall: Pick<WallPort, 'now' | 'setInterval' | 'nextTurn'>
  now(): SandboxTime
  /** How an entry of the request log is shown: without bodies, secrets masked. */
  readonly renderRequest?: (entry: object) => unknown
  /** Told of an entry that cannot be rendered; the stream goes on without it. */
  readonly onFault?: (error: unknown) => void
  /** Entries to keep. */
  readonly kept?: number
}

const KEPT = 10_000
/** Characters rendered before a connection's sink is asked again. */
const PIECE = 64 * 1024

interface Connection {
  readonly sink: Sink
  /** The next id it gets. */
  cursor: number
  blocked: boolean
  readonly heartbeat: { cancel(): void }
}

export function createControlHub(ports: ControlHubPorts): ControlHub {
  const { world, wall, now, renderRequest = (entry) => entry, onFault = () => {}, kept = KEPT } = ports
  // Ids grow over restarts too, so that an id of an earlier run is known as such.
  const entries = createRingBuffer(wall.now() * 1000, kept)
  const connections = new Set<Connection>()
  let scheduled = false

  function add(entry: ControlEntry): void {
    entries.add(entry)
    if (scheduled || connections.size === 0) return
    scheduled = true
    wall.nextTurn(() => {
      scheduled = false
      for (const connection of connections) flush(connection)
    })
  }

  /** A slow reader holds nothing but its place. Where the circle has passed it, it is told. */
  function flush(connection: Connection): void {
    while (connection.cursor < entries.next() && !connection.blocked) {
      let text = ''
      if (connection.cursor < entries.oldest()) {
        text = gap(connection.cursor)
        connection.cursor = entries.oldest()
      }
      while (connection.cursor < entries.next() && text.length < PIECE) text += render(connection.cursor++)
      if (text !== '') connection.blocked = !connection.sink.write(Buffer.from(text))
    }
  }

  function render(id: number): string {
    const entry = entries.at(id)
    try {
      return sseMessage(entry.kind, JSON.stringify(renderEntry(entry, world, renderRequest)), id)
    } catch (error) {
      onFault(error)
      return ''
    }
  }

  function gap(from: number): string {
    const at = rfc3339(wall.now())
    const to = entries.oldest() - 1
    return sseMessage('gap', JSON.stringify({ kind: 'gap', at, from, to }), to)
  }

  function attach(sink: Sink, lastEventId: string | undefined): () => void {
    const heartbeat = wall.setInterval(() => {
      if (!connection.blocked) connection.blocked = !sink.write(PING)
    }, HEARTBEAT)
    heartbeat.unref?.()
    const connection: Connection = { sink, cursor: entries.after(lastEventId), blocked: false, heartbeat }
    connections.add(connection)
    sink.onDrain(() => {
      connection.blocked = false
      if (connections.has(connection)) flush(connection)
    })
    sink.onGone(() => end(connection))
    connection.blocked = !sink.write(CONNECTED)
    flush(connection)
    return () => end(connection)
  }

  function end(connection: Connection): void {
    if (!connections.delete(connection)) return
    connection.heartbeat.cancel()
    connection.sink.close()
  }

  return {
    open(lastEventId) {
      const { sink, stream } = streamSink()
      attach(sink, lastEventId)
      return stream
    },
    attach,
    committed(commit, command, at) {
      for (const entry of entriesOf(commit, command, at, world)) add(entry)
    },
    request(entry) {
      add({ kind: 'request', at: now(), request: entry })
    },
    newest: () => entries.next() - 1,
    counts: () => ({ connections: connections.size, kept: entries.next() - entries.oldest() }),
    close() {
      for (const connection of [...connections]) end(connection)
    },
  }
}
