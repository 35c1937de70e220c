// Listeners: deliveries that leave through the control API, to a `psp listen` that forwards them and reports back.
import type { Delivery } from '../domain/delivery.ts'
import type { SandboxTime } from '../domain/time.ts'
import { replacesState } from '../engine/commit.ts'
import type { CommitListener } from '../engine/ports.ts'
import type { World } from '../engine/world.ts'
import type { ReceiverResponse } from '../receiver-client/transport.ts'
import type { ForwardRequest, ForwardResult } from './forward.ts'
import { createPendingForwards } from './pending-forwards.ts'
import type { WallPort } from './ports.ts'
import { CONNECTED, type EventStream, HEARTBEAT, PING, type Sink, sseMessage, streamSink } from './sse.ts'

export interface ListenerHub {
  /**
   * The SSE bytes of a listener's deliveries; those that waited for it become due at once. A second connection of a
   * listener replaces the first, which gets a message `replaced` and ends. `undefined`: there is no such listener.
   * @param timeout_ms how long the listener gives its receivers; default: the setting `webhook_timeout`
   */
  open(listenerId: string, timeout_ms?: number): EventStream | undefined
  attach(listenerId: string, sink: Sink, timeout_ms?: number): () => void
  connected(listenerId: string): boolean
  /** A delivery that is sent when the listener comes back. */
  park(listenerId: string, deliveryId: string): void
  /** Resolves with the reported answer; `lost` when the listener went away before it reported. */
  send(listenerId: string, forward: ForwardRequest): Promise<ReceiverResponse | 'lost'>
  /** @throws Refusal `not_found` where no attempt of the delivery waits for a result */
  result(listenerId: string, result: ForwardResult): void
  /** The state was replaced: nothing from before is waited for. */
  forget(): void
  /** A listener that was deleted loses its stream. If the state was replaced, the others get a message `reset`. */
  committed: CommitListener
  close(): void
}

export interface ListenerPorts {
  readonly world: World
  readonly wall: Pick<WallPort, 'setTimeout' | 'setInterval'>
  now(): SandboxTime
  /** Sets the delivery's timer anew: it is attempted when `due` comes; `in_line`, one after the other. */
  rearm(deliveryId: string, due: SandboxTime, in_line?: true): void
}

/** For the way to the listener and back, above its own timeout. */
const MARGIN = 5000

const RESET = Buffer.from(sseMessage('reset', '{}'))
const REPLACED = Buffer.from(sseMessage('replaced', '{}'))

interface Connection {
  readonly sink: Sink
  readonly timeout_ms: number | undefined
  readonly heartbeat: { cancel(): void }
}

export function createListenerHub({ world, wall, now, rearm }: ListenerPorts): ListenerHub {
  const connections = new Map<string, Connection>()
  const parked = new Map<string, Set<string>>()
  const forwards = createPendingForwards(wall)

  function attach(id: string, sink: Sink, timeout_ms?: number): () => void {
    const before = connections.get(id)
    const heartbeat = wall.setInterval(() => void sink.write(PING), HEARTBEAT)
    heartbeat.unref?.()
    const connection = { sink, timeout_ms, heartbeat }
    connections.set(id, connection)
    if (before !== undefined) {
      // So that it does not come back and take the stream again.
      before.sink.write(REPLACED)
      drop(before, id)
    }
    sink.onDrain(() => {})
    sink.onGone(() => end(id, connection))
    sink.write(CONNECTED)
    const missed = inOrder(world, parked.get(id) ?? new Set())
    parked.delete(id)
    for (const { id: delivery, status } of missed) if (status === 'waiting') rearm(delivery, now(), true)
    return () => end(id, connection)
  }

  function end(id: string, connection: Connection): void {
    if (connections.get(id) !== connection) return
    connections.delete(id)
    drop(connection, id)
  }

  /** What was under way is sent again once the listener is back: at least once. */
  function drop(connection: Connection, id: string): void {
    connection.heartbeat.cancel()
    connection.sink.close()
    forwards.lose(id)
  }

  return {
    open(id, timeout_ms) {
      if (world.get('endpoints', id)?.listener !== true) return undefined
      const { sink, stream } = streamSink()
      attach(id, sink, timeout_ms)
      return stream
    },
    attach,
    connected: (id) => connections.has(id),
    park(id, delivery) {
      // It may have come back while the attempt was being given up.
      if (connections.has(id)) return rearm(delivery, now())
      const set = parked.get(id) ?? new Set()
      parked.set(id, set.add(delivery))
    },
    send(id, forward) {
      const connection = connections.get(id)
      if (connection === undefined) return Promise.resolve('lost')
      const limit = connection.timeout_ms ?? world.settings.webhook_timeout
      const answer = forwards.expect(id, forward, limit + MARGIN)
      connection.sink.write(Buffer.from(sseMessage('delivery', JSON.stringify(forward))))
      return answer
    },
    result: forwards.report,
    forget() {
      parked.clear()
      forwards.loseAll()
    },
    committed(commit) {
      if (connections.size === 0) return
      if (replacesState(commit)) for (const { sink } of connections.values()) sink.write(RESET)
      if (!commit.clear.includes('endpoints') && !commit.deletes.some(({ table }) => table === 'endpoints')) return
      for (const [id, connection] of [...connections]) {
        if (world.get('endpoints', id)?.listener !== true) end(id, connection)
      }
    },
    close() {
      for (const [id, connection] of [...connections]) end(id, connection)
    },
  }
}

/** Oldest first. They are among the newest: so not all deliveries are looked through. */
function inOrder(world: World, ids: ReadonlySet<string>): Delivery[] {
  const found: Delivery[] = []
  let left = [...ids].filter((id) => world.get('deliveries', id) !== undefined).length
  for (const delivery of left === 0 ? [] : world.rows('deliveries', 'newest')) {
    if (!ids.has(delivery.id)) continue
    found.push(delivery)
    if (--left === 0) break
  }
  return found.reverse()
}
