// Spec 6.2: the public event stream. Best effort: no reader is waited for.
import { refuse } from '../domain/errors.ts'
import type { StreamMessage } from '../domain/events.ts'
import type { Fault } from '../domain/faults.ts'
import type { Mode } from '../domain/shop.ts'
import { rfc3339 } from '../domain/time.ts'
import type { Engine } from '../engine/engine.ts'
import type { CommitListener } from '../engine/ports.ts'
import type { WallPort } from './ports.ts'
import { type Sink, sseMessage, streamSink } from './sse.ts'
import { connect, type StreamConnection } from './stream-connection.ts'
import { removesFaults, takeFaults } from './webhook-faults.ts'

/** Whose stream it is: one connection per key, with the messages of the key's shop and mode. */
export interface StreamReader {
  readonly key_id: string
  readonly shop_id: string
  readonly mode: Mode
}

export interface StreamHub {
  /**
   * The bytes of a connection, `: connected` first. Cancelling the stream ends it.
   * @throws Refusal `stream_busy` where the key has one and the setting `stream_second` says `reject`
   */
  open(reader: StreamReader): ReadableStream<Uint8Array>
  /** The same over another sink; call what it returns to end the connection. */
  attach(reader: StreamReader, sink: Sink): () => void
  committed: CommitListener
  counts(): { readonly connections: number; readonly sent: number; readonly dropped: number }
  close(): void
}

interface Scope {
  readonly connections: Set<StreamConnection>
  pending: StreamMessage[]
}

export function createStreamHub(
  engine: Pick<Engine, 'world' | 'execute'>,
  wall: Pick<WallPort, 'setInterval' | 'nextTurn'>,
): StreamHub {
  const { world } = engine
  const byKey = new Map<string, { connection: StreamConnection; end: () => void }>()
  const scopes = new Map<string, Scope>()
  let waiting: Scope[] = []
  let sent = 0
  let droppedBefore = 0

  function attach(reader: StreamReader, sink: Sink): () => void {
    const { key_id } = reader
    if (byKey.has(key_id) && world.settings.stream_second === 'reject') throw refuse('stream_busy')
    byKey.get(key_id)?.end()
    const name = scopeOf(reader)
    const scope = scopes.get(name) ?? { connections: new Set(), pending: [] }
    scopes.set(name, scope)

    function forget(): void {
      if (!scope.connections.delete(connection)) return
      droppedBefore += connection.dropped
      if (byKey.get(key_id)?.connection === connection) byKey.delete(key_id)
      if (scope.connections.size === 0 && scopes.get(name) === scope) scopes.delete(name)
    }
    function end(): void {
      forget()
      connection.close()
    }

    const connection = connect(sink, world.settings.stream_queue, wall, forget)
    scope.connections.add(connection)
    byKey.set(key_id, { connection, end })
    return end
  }

  /** Once per turn of the event loop: everything committed meanwhile goes out in one piece. */
  function flush(): void {
    const ready = waiting
    waiting = []
    for (const scope of ready) {
      const messages = scope.pending
      scope.pending = []
      let batch: string[] = []
      for (const message of messages) {
        const faults = faultsOf(message)
        if (faults.length === 0) {
          batch.push(format(message))
          continue
        }
        push(scope, batch)
        batch = []
        const names = faults.map(({ fault }) => fault)
        for (const { id, fault } of faults) {
          if (fault === 'stall') for (const connection of scope.connections) connection.stall(id)
        }
        if (!names.includes('drop') && !names.includes('disconnect')) batch.push(format(message))
        if (names.includes('disconnect')) disconnect(scope)
      }
      push(scope, batch)
    }
  }

  /** A disk that refuses to count them must not end the stream. */
  function faultsOf(message: StreamMessage): readonly Fault[] {
    try {
      return takeFaults(engine, 'stream', () => factsOf(message))
    } catch {
      return []
    }
  }

  function push(scope: Scope, batch: readonly string[]): void {
    if (batch.length === 0 || scope.connections.size === 0) return
    const bytes = Buffer.from(batch.join(''))
    for (const connection of scope.connections) connection.accept(batch, bytes)
    sent += batch.length * scope.connections.size
  }

  function disconnect(scope: Scope): void {
    for (const { connection, end } of [...byKey.values()]) if (scope.connections.has(connection)) end()
  }

  function format({ kind, payload, at }: StreamMessage): string {
    return sseMessage(kind, JSON.stringify({ kind, payload, at: rfc3339(at, world.settings.time_fraction) }))
  }

  return {
    open(reader) {
      const { sink, stream } = streamSink()
      attach(reader, sink)
      return stream
    },
    attach,
    committed(commit) {
      for (const message of scopes.size === 0 ? [] : commit.stream) {
        const scope = scopes.get(scopeOf(message))
        if (scope === undefined) continue
        if (scope.pending.push(message) > 1) continue
        if (waiting.push(scope) === 1) wall.nextTurn(flush)
      }
      if (removesFaults(commit)) {
        for (const { connection } of byKey.values())
          connection.resume((fault) => world.get('faults', fault) !== undefined)
      }
      if (commit.clear.includes('keys') || commit.puts.some(({ table }) => table === 'keys')) {
        for (const [key, { end }] of [...byKey]) {
          const row = world.get('keys', key)
          if (row === undefined || row.revoked_at !== undefined) end()
        }
      }
    },
    counts() {
      let dropped = droppedBefore
      for (const { connection } of byKey.values()) dropped += connection.dropped
      return { connections: byKey.size, sent, dropped }
    },
    close() {
      for (const { end } of [...byKey.values()]) end()
    },
  }
}

function scopeOf({ shop_id, mode }: { readonly shop_id: string; readonly mode: Mode }): string {
  return `${shop_id} ${mode}`
}

function factsOf({ kind, shop_id, payload }: StreamMessage) {
  return { kind, shop_id, object_id: String(payload['id']) }
}
