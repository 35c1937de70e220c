// Sends deliveries to listeners, such as `psp listen`, which forward them and report the results.
import type { Delivery } from '../domain/delivery.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import type { SandboxTime, WallTime } from '../domain/time.ts'
import { replacesState } from '../engine/commit.ts'
import type { CommitListener } from '../engine/ports.ts'
import type { World } from '../engine/world.ts'
import type { ReceiverResponse } from '../receiver-client/transport.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import type { ForwardRequest, ForwardResult } from './forward-messages.ts'
import { createPendingForwards } from './pending-forwards.ts'
import { CONNECTED, type EventStream, PING, type Sink, sseMessage, startHeartbeat, streamSink } from './sse.ts'

export interface ListenerHub {
  /**
   * Returns the SSE bytes of a listener's deliveries. Its parked deliveries become due at once. A second connection of
   * a listener replaces the first, which gets a message `replaced` and ends. Returns `undefined` for an unknown
   * listener.
   * @param timeout_ms the response deadline of the program to which the listener forwards; default: the setting
   * `webhook_timeout`
   */
  open(listenerId: string, timeout_ms?: number): EventStream | undefined
  attach(listenerId: string, sink: Sink, timeout_ms?: number): () => void
  isConnected(listenerId: string): boolean
  /** Returns the times at which the listener connected and was last sent a delivery. */
  activity(listenerId: string): ListenerActivity
  /** Parks a delivery until the listener connects. Returns true if it already has: the delivery is sent at once. */
  park(listenerId: string, deliveryId: string): boolean
  /** Resolves with the reported response, with `disconnected`, or with an error after the deadline. */
  send(listenerId: string, forward: ForwardRequest): Promise<ReceiverResponse | 'disconnected'>
  /**
   * @param dryRun only checks the result
   * @throws RefusalError `not_found` if no attempt of the delivery is waiting for a result
   */
  reportResult(listenerId: string, result: ForwardResult, dryRun?: boolean): void
  /** Called when the state was replaced. Drops parked deliveries. Earlier results are no longer awaited. */
  abandonForwards(): void
  /** Handles a commit: sends `reset` if it replaced the state, and ends the streams of deleted listeners. */
  onCommit: CommitListener
  close(): void
}

/** Times on the system clock. Without `connected_at` the listener is not connected. */
export interface ListenerActivity {
  readonly connected_at?: WallTime
  readonly forwarded_at?: WallTime
}

export interface ListenerPorts {
  readonly world: World
  readonly systemClock: Pick<SystemClock, 'now' | 'setTimeout' | 'setInterval'>
  now(): SandboxTime
  /** Resets the delivery's timer to `due`. With `in_backlog`, deliveries are sent one after the other. */
  scheduleAttempt(deliveryId: string, due: SandboxTime, in_backlog?: true): void
}

/** The extra time for the connection to the listener, in ms, on top of its timeout. */
const MARGIN = 5000

const RESET = Buffer.from(sseMessage('reset', '{}'))
const REPLACED = Buffer.from(sseMessage('replaced', '{}'))

interface Connection {
  readonly connected_at: WallTime
  readonly sink: Sink
  readonly timeout_ms: number | undefined
  readonly heartbeat: { cancel(): void }
}

export function createListenerHub({ world, systemClock, now, scheduleAttempt }: ListenerPorts): ListenerHub {
  const connections = new Map<string, Connection>()
  const parked = new Map<string, Set<string>>()
  const forwards = createPendingForwards(systemClock)
  const forwarded = new Map<string, WallTime>()

  function attach(id: string, sink: Sink, timeout_ms?: number): () => void {
    const before = connections.get(id)
    const heartbeat = startHeartbeat(systemClock, () => void sink.write(PING))
    const connection = { connected_at: systemClock.now(), sink, timeout_ms, heartbeat }
    connections.set(id, connection)
    if (before !== undefined) {
      // Without this message the replaced client would reconnect and take the stream back.
      before.sink.write(REPLACED)
      drop(before, id)
    }
    sink.onDrain(() => {})
    sink.onDisconnect(() => end(id, connection))
    sink.write(CONNECTED)
    const missed = oldestFirst(world, parked.get(id) ?? new Set())
    parked.delete(id)
    for (const { id: delivery, status } of missed) if (status === 'waiting') scheduleAttempt(delivery, now(), true)
    return () => end(id, connection)
  }

  function end(id: string, connection: Connection): void {
    if (connections.get(id) !== connection) return
    connections.delete(id)
    drop(connection, id)
  }

  /** Closes the connection. Its deliveries in flight are parked and sent again later: at-least-once delivery. */
  function drop(connection: Connection, id: string): void {
    connection.heartbeat.cancel()
    connection.sink.close()
    forwards.disconnect(id)
  }

  return {
    open(id, timeout_ms) {
      if (world.get('endpoints', id)?.listener !== true) return undefined
      const { sink, stream } = streamSink()
      attach(id, sink, timeout_ms)
      return stream
    },
    attach,
    isConnected: (id) => connections.has(id),
    activity: (id) =>
      omitUndefined({ connected_at: connections.get(id)?.connected_at, forwarded_at: forwarded.get(id) }),
    park(id, delivery) {
      // The listener may have reconnected while the attempt was being given up.
      if (connections.has(id)) {
        scheduleAttempt(delivery, now())
        return true
      }
      const set = parked.get(id) ?? new Set()
      parked.set(id, set.add(delivery))
      return false
    },
    send(id, forward) {
      const connection = connections.get(id)
      if (connection === undefined) return Promise.resolve('disconnected')
      const limit = connection.timeout_ms ?? world.settings.webhook_timeout
      const response = forwards.waitForResult(id, forward, limit + MARGIN)
      forwarded.set(id, systemClock.now())
      connection.sink.write(Buffer.from(sseMessage('delivery', JSON.stringify(forward))))
      return response
    },
    reportResult: forwards.resolve,
    abandonForwards() {
      parked.clear()
      forwards.disconnectAll()
    },
    onCommit(commit) {
      if (commit.clear.includes('endpoints')) forwarded.clear()
      for (const { table, id } of commit.deletes) if (table === 'endpoints') forwarded.delete(id)
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

/** Returns the deliveries, oldest first. They were created recently, so the scan starts at the newest row. */
function oldestFirst(world: World, ids: ReadonlySet<string>): Delivery[] {
  const found: Delivery[] = []
  let left = [...ids].filter((id) => world.get('deliveries', id) !== undefined).length
  for (const delivery of left === 0 ? [] : world.rows('deliveries', 'newest')) {
    if (!ids.has(delivery.id)) continue
    found.push(delivery)
    if (--left === 0) break
  }
  return found.reverse()
}
