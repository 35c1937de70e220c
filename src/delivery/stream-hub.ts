// Spec 6.2: the public event stream. It is best effort: the server does not wait for slow readers.
import type { StreamMessage } from '../domain/events.ts'
import type { Fault } from '../domain/faults.ts'
import { rfc3339 } from '../domain/time.ts'
import { type Commit, replacesState } from '../engine/commit.ts'
import { consumeFaultsIfAny, removedFaultTest } from '../engine/consume-faults.ts'
import type { Engine } from '../engine/engine.ts'
import type { CommitListener } from '../engine/ports.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import { messageFacts } from './fault-facts.ts'
import { type EventStream, type Sink, sseMessage, streamSink } from './sse.ts'
import { createStreamSubscribers, type StreamChannel, type StreamReader } from './stream-subscribers.ts'

export interface StreamHub {
  /**
   * Returns the bytes of a connection, which begin with `: connected`. Cancelling the stream closes it.
   * @throws RefusalError `stream_busy` if the key has a connection and the setting `stream_second` is `reject`
   */
  open(reader: StreamReader): EventStream
  /** Opens a connection over another sink. Returns a function that closes it. */
  attach(reader: StreamReader, sink: Sink): () => void
  onCommit: CommitListener
  counts(): { readonly connections: number; readonly sent: number; readonly dropped: number }
  close(): void
}

export function createStreamHub(
  engine: Pick<Engine, 'world' | 'execute'>,
  systemClock: Pick<SystemClock, 'setInterval' | 'nextTurn'>,
): StreamHub {
  const { world } = engine
  const readers = createStreamSubscribers(() => world.settings, systemClock)
  let waiting: StreamChannel[] = []
  let sent = 0

  function collect(commit: Commit): void {
    for (const message of readers.isEmpty ? [] : commit.stream) {
      const channel = readers.channelOf(message)
      if (channel === undefined) continue
      channel.pending.push(message)
      if (channel.pending.length > 1) continue
      // The first message of this channel in this turn.
      if (waiting.length === 0) systemClock.nextTurn(flush)
      waiting.push(channel)
    }
  }

  /** Sends each channel the messages collected in this turn of the event loop, in one chunk unless a fault applies. */
  function flush(): void {
    const ready = waiting
    waiting = []
    for (const channel of ready) {
      const messages = channel.pending
      channel.pending = []
      sendAll(channel, messages)
    }
  }

  function sendAll(channel: StreamChannel, messages: readonly StreamMessage[]): void {
    let batch: string[] = []
    for (const message of messages) {
      const faults = faultsOf(message)
      if (faults.length > 0) {
        // The faults must not affect the earlier messages.
        push(channel, batch)
        batch = []
      }
      if (applyFaults(channel, faults)) batch.push(format(message))
    }
    push(channel, batch)
  }

  /** Returns whether the message must be sent. */
  function applyFaults(channel: StreamChannel, faults: readonly Fault[]): boolean {
    const names = faults.map(({ fault }) => fault)
    for (const { id, fault } of faults) {
      if (fault === 'stall') for (const connection of channel.connections) connection.stall(id)
    }
    if (names.includes('disconnect')) readers.disconnect(channel)
    return !names.includes('drop') && !names.includes('disconnect')
  }

  /** Returns no faults if their use cannot be stored, because the stream must continue. */
  function faultsOf(message: StreamMessage): readonly Fault[] {
    try {
      return consumeFaultsIfAny(engine, 'stream', () => messageFacts(world, message))
    } catch {
      return []
    }
  }

  function push(channel: StreamChannel, batch: readonly string[]): void {
    if (batch.length === 0 || channel.connections.size === 0) return
    const bytes = Buffer.from(batch.join(''))
    for (const connection of channel.connections) connection.accept(batch, bytes)
    sent += batch.length * channel.connections.size
  }

  function format({ kind, payload, at }: StreamMessage): string {
    return sseMessage(kind, JSON.stringify({ kind, payload, at: rfc3339(at, world.settings.time_fraction) }))
  }

  /** Returns whether the key was revoked or deleted, so that its stream must end. */
  function isGone(keyId: string): boolean {
    const key = world.get('keys', keyId)
    return key === undefined || key.revoked_at !== undefined
  }

  return {
    open(reader) {
      const { sink, stream } = streamSink()
      readers.attach(reader, sink)
      return stream
    },
    attach: readers.attach,
    onCommit(commit) {
      if (replacesState(commit)) readers.dropPending()
      collect(commit)
      if (removedFaultTest(commit) !== undefined) {
        const isActive = (fault: string) => world.get('faults', fault) !== undefined
        for (const connection of readers.connections()) connection.resume(isActive)
      }
      if (commit.clear.includes('keys') || commit.puts.some(({ table }) => table === 'keys'))
        readers.disconnectKeys(isGone)
    },
    counts: () => ({ ...readers.counts(), sent }),
    close: () => readers.disconnectKeys(() => true),
  }
}
