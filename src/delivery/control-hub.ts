// The stream of the control API: everything that happens, with ids, so that a reader can resume after an id.
import type { Payment } from '../domain/payment.ts'
import type { ThreeDsStep } from '../domain/three-ds.ts'
import type { SandboxTime } from '../domain/time.ts'
import type { BatchSize } from '../engine/batch-size.ts'
import type { CommitListener } from '../engine/ports.ts'
import type { World } from '../engine/world.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import { type ControlConnection, connectControl } from './control-connection.ts'
import { type ControlEntry, entriesOf, presentEntry } from './control-messages.ts'
import { createRingBuffer } from './ring-buffer.ts'
import { type EventStream, type Sink, streamSink } from './sse.ts'

export interface ControlHub {
  /**
   * Returns SSE bytes that begin with `: connected`. Without an id, the stream contains only new messages. With an id,
   * it contains every stored message after it, preceded by a message `gap` if some are no longer stored.
   * @param interval see `ControlConnectionOptions`. Collected messages are sent as one message `batch`, which has the
   * id of the last one. Default: 0.
   */
  open(lastEventId: string | undefined, interval?: number): EventStream
  attach(sink: Sink, lastEventId: string | undefined, interval?: number): () => void
  onCommit: CommitListener
  /** Adds a step of 3-D Secure. It changes nothing in the payment. */
  addThreeDs(payment: Payment, step: ThreeDsStep): void
  /** Adds an entry of the request log. It is serialized only when a reader needs it. */
  addRequest(entry: object): void
  /**
   * Returns the stored entries about a payment or payout, the oldest first. Entries from before a reset, an import or a
   * restore are omitted, because the object may now have an earlier state.
   */
  entriesAbout(objectId: string): readonly ControlEntry[]
  /** Returns the messages of {@link ControlHub.entriesAbout}. */
  messagesAbout(objectId: string): readonly { readonly id: string; readonly message: unknown }[]
  /** Returns the id of the newest message, or the number before the first id if there is none. */
  newest(): number
  counts(): { readonly connections: number; readonly kept: number }
  close(): void
}

export interface ControlHubPorts {
  readonly world: World
  readonly systemClock: Pick<SystemClock, 'now' | 'setTimeout' | 'setInterval' | 'nextTurn'>
  now(): SandboxTime
  /** Returns an entry of the request log without bodies and with masked secrets. */
  readonly presentRequest?: (entry: object) => unknown
  /** Called with the error of an entry that cannot be serialized. The stream continues without the entry. */
  readonly onInternalError?: (error: unknown) => void
  /** The limits of the stored entries. */
  readonly limits?: BatchSize
}

const DEFAULT_LIMITS: BatchSize = { rows: 10_000, bytes: 64 * 1024 * 1024 }

export function createControlHub(ports: ControlHubPorts): ControlHub {
  const { world, systemClock, now, presentRequest = (entry) => entry, onInternalError = () => {} } = ports
  // Ids also increase over restarts, so an id of an earlier run is recognized.
  const entries = createRingBuffer(systemClock.now() * 1000, ports.limits ?? DEFAULT_LIMITS)
  const connections = new Set<ControlConnection>()
  let scheduled = false

  function add(entry: ControlEntry): void {
    entries.add(entry)
    if (scheduled || connections.size === 0) return
    scheduled = true
    systemClock.nextTurn(() => {
      scheduled = false
      for (const connection of connections) connection.flush()
    })
  }

  function serialize(entry: ControlEntry): string | undefined {
    try {
      return JSON.stringify(presentEntry(entry, world, presentRequest))
    } catch (error) {
      onInternalError(error)
      return undefined
    }
  }

  function attach(sink: Sink, lastEventId: string | undefined, interval = 0): () => void {
    function end(): void {
      if (connections.delete(connection)) connection.close()
    }
    const options = { sink, lastEventId, interval }
    const connection = connectControl(options, { entries, systemClock, serialize, onDisconnect: end })
    connections.add(connection)
    connection.flush()
    return end
  }

  function idsAbout(objectId: string): readonly number[] {
    const found: number[] = []
    for (let id = entries.next() - 1; id >= entries.oldest(); id--) {
      const entry = entries.at(id)
      if (entry.kind === 'reset') break
      if (objectIdOf(entry) === objectId) found.push(id)
    }
    return found.reverse()
  }

  return {
    open(lastEventId, interval) {
      const { sink, stream } = streamSink()
      attach(sink, lastEventId, interval)
      return stream
    },
    attach,
    onCommit(commit, command, at) {
      for (const entry of entriesOf(commit, command, at, world)) add(entry)
    },
    addThreeDs(row, three_ds) {
      add({ kind: 'payment', at: now(), row, refunds: [], change: 'updated', status: row.status, three_ds })
    },
    addRequest(entry) {
      add({ kind: 'request', at: now(), request: entry })
    },
    entriesAbout: (objectId) => idsAbout(objectId).map((id) => entries.at(id)),
    messagesAbout: (objectId) =>
      idsAbout(objectId).map((id) => ({
        id: String(id),
        message: presentEntry(entries.at(id), world, presentRequest),
      })),
    newest: () => entries.next() - 1,
    counts: () => ({ connections: connections.size, kept: entries.next() - entries.oldest() }),
    close() {
      for (const connection of connections) {
        connections.delete(connection)
        connection.close()
      }
    },
  }
}

/** Returns the id of the payment or payout that an entry is about. */
function objectIdOf(entry: ControlEntry): string | undefined {
  switch (entry.kind) {
    case 'payment':
    case 'payout':
      return entry.row.id
    case 'refund':
      return entry.row.payment_id
    case 'event':
      return entry.row.object_id
    case 'delivery':
    case 'attempt':
      return entry.summary.object_id
    case 'request':
      return (entry.request as { readonly object_id?: string }).object_id
    default:
      return undefined
  }
}
