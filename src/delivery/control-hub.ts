// The stream of the control API: everything that happens, with ids, so that a reader can resume after the last one.
import type { Payment } from '../domain/payment.ts'
import type { ThreeDsStep } from '../domain/three-ds.ts'
import { rfc3339, type SandboxTime } from '../domain/time.ts'
import type { BatchSize } from '../engine/batch-size.ts'
import type { CommitListener } from '../engine/ports.ts'
import type { World } from '../engine/world.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import { type ControlEntry, entriesOf, renderEntry } from './control-messages.ts'
import { PING, startHeartbeat } from './heartbeat.ts'
import { objectIdOf } from './message-object.ts'
import { createRingBuffer } from './ring-buffer.ts'
import { CONNECTED, type EventStream, type Sink, sseMessage, streamSink } from './sse.ts'

export interface ControlHub {
  /**
   * Returns SSE bytes that begin with `: connected`. Without an id, the stream contains only new messages. With an id, it
   * contains every stored message after it, preceded by a message `gap` if some are no longer stored.
   */
  open(lastEventId: string | undefined): EventStream
  attach(sink: Sink, lastEventId: string | undefined): () => void
  committed: CommitListener
  /** Adds a step of 3-D Secure. It changes nothing in the payment. */
  addThreeDs(payment: Payment, step: ThreeDsStep): void
  /** Adds an entry of the request log. It is rendered only when a reader needs it. */
  addRequest(entry: object): void
  /** Returns the stored messages about a payment or payout, the oldest first. */
  messagesAbout(objectId: string): readonly { readonly id: string; readonly message: unknown }[]
  /** Returns the id of the newest message, or the number before the first id if there is none. */
  newest(): number
  counts(): { readonly connections: number; readonly kept: number }
  close(): void
}

export interface ControlHubPorts {
  readonly world: World
  readonly systemClock: Pick<SystemClock, 'now' | 'setInterval' | 'nextTurn'>
  now(): SandboxTime
  /** Renders an entry of the request log without bodies and with masked secrets. */
  readonly renderRequest?: (entry: object) => unknown
  /** Called with the error of an entry that cannot be rendered. The stream continues without the entry. */
  readonly onInternalError?: (error: unknown) => void
  /** The limits of the stored entries. */
  readonly limits?: BatchSize
}

const DEFAULT_LIMITS: BatchSize = { rows: 10_000, bytes: 64 * 1024 * 1024 }
/** The number of characters to render before checking a connection's sink again. */
const CHUNK = 64 * 1024

interface Connection {
  readonly sink: Sink
  /** The id of the next message for this connection. */
  cursor: number
  blocked: boolean
  readonly heartbeat: { cancel(): void }
}

export function createControlHub(ports: ControlHubPorts): ControlHub {
  const { world, systemClock, now, renderRequest = (entry) => entry, onInternalError = () => {} } = ports
  // Ids also increase over restarts, so an id of an earlier run is recognised.
  const entries = createRingBuffer(systemClock.now() * 1000, ports.limits ?? DEFAULT_LIMITS)
  const connections = new Set<Connection>()
  let scheduled = false

  function add(entry: ControlEntry): void {
    entries.add(entry)
    if (scheduled || connections.size === 0) return
    scheduled = true
    systemClock.nextTurn(() => {
      scheduled = false
      for (const connection of connections) flush(connection)
    })
  }

  /**
   * Sends new entries to a connection. For a slow reader, only the cursor is stored. If the ring buffer overwrites that
   * position, the reader gets a `gap`.
   */
  function flush(connection: Connection): void {
    while (connection.cursor < entries.next() && !connection.blocked) {
      let text = ''
      if (connection.cursor < entries.oldest()) {
        text = gap(connection.cursor)
        connection.cursor = entries.oldest()
      }
      while (connection.cursor < entries.next() && text.length < CHUNK) text += render(connection.cursor++)
      if (text !== '') connection.blocked = !connection.sink.write(Buffer.from(text))
    }
  }

  function render(id: number): string {
    const entry = entries.at(id)
    try {
      return sseMessage(entry.kind, JSON.stringify(renderEntry(entry, world, renderRequest)), id)
    } catch (error) {
      onInternalError(error)
      return ''
    }
  }

  function gap(from: number): string {
    const at = rfc3339(systemClock.now())
    const to = entries.oldest() - 1
    return sseMessage('gap', JSON.stringify({ kind: 'gap', at, from, to }), to)
  }

  function attach(sink: Sink, lastEventId: string | undefined): () => void {
    const heartbeat = startHeartbeat(systemClock, () => {
      if (!connection.blocked) connection.blocked = !sink.write(PING)
    })
    const connection: Connection = { sink, cursor: entries.after(lastEventId), blocked: false, heartbeat }
    connections.add(connection)
    sink.onDrain(() => {
      connection.blocked = false
      if (connections.has(connection)) flush(connection)
    })
    sink.onDisconnect(() => end(connection))
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
    addThreeDs(row, three_ds) {
      add({ kind: 'payment', at: now(), row, refunds: [], change: 'updated', status: row.status, three_ds })
    },
    addRequest(entry) {
      add({ kind: 'request', at: now(), request: entry })
    },
    messagesAbout(objectId) {
      const found: { id: string; message: unknown }[] = []
      for (let id = entries.oldest(); id < entries.next(); id++) {
        const entry = entries.at(id)
        if (objectIdOf(entry) === objectId)
          found.push({ id: String(id), message: renderEntry(entry, world, renderRequest) })
      }
      return found
    },
    newest: () => entries.next() - 1,
    counts: () => ({ connections: connections.size, kept: entries.next() - entries.oldest() }),
    close() {
      for (const connection of [...connections]) end(connection)
    },
  }
}
