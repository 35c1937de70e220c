// Server-Sent Events (spec 6.2): the text of a message, the heartbeat, and the destination of the bytes.
import { deferred } from '../domain/promises.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'

export const CONNECTED = Buffer.from(': connected\n\n')
/** The heartbeat: a comment that keeps an idle connection open. */
export const PING = Buffer.from(': ping\n\n')
/** ms between heartbeats, on the system clock. */
const HEARTBEAT_INTERVAL = 25_000

/** Calls `send` at each heartbeat until it is cancelled. It does not keep the process alive. */
export function startHeartbeat(systemClock: Pick<SystemClock, 'setInterval'>, send: () => void): { cancel(): void } {
  const timer = systemClock.setInterval(send, HEARTBEAT_INTERVAL)
  timer.unref?.()
  return timer
}

/** Returns the text of a message. `json` has no line breaks, like the result of `JSON.stringify`. */
export function sseMessage(event: string, json: string, id?: number): string {
  return id === undefined ? `event: ${event}\ndata: ${json}\n\n` : `id: ${id}\nevent: ${event}\ndata: ${json}\n\n`
}

/** Receives the bytes of one connection. */
export interface Sink {
  /**
   * Returns false if the caller should wait for `onDrain`. The chunk is accepted all the same. After a disconnect or
   * `close`, it drops the chunk and returns false, and no `onDrain` follows.
   */
  write(chunk: Uint8Array): boolean
  /** Registers a function to call when the sink accepts more bytes after `write` returned false. */
  onDrain(fn: () => void): void
  /** Registers a function to call once if the reader disconnects. */
  onDisconnect(fn: () => void): void
  close(): void
}

/** The number of buffered bytes at which the sink of a stream asks for a pause. */
const HIGH_WATER = 64 * 1024

/** The bytes of a connection. */
export interface EventStream extends ReadableStream<Uint8Array> {
  /** Resolves when the server ends the stream. The reader may not have read all of it yet. */
  readonly ended: Promise<void>
}

/** Returns a sink whose bytes appear in a web stream. */
export function streamSink(): { readonly sink: Sink; readonly stream: EventStream } {
  const ended = deferred()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let onDrained = () => {}
  let onDisconnected = () => {}
  let full = false
  const stream = new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started
      },
      pull() {
        if (!full) return
        full = false
        onDrained()
      },
      cancel() {
        controller = undefined
        onDisconnected()
      },
    },
    { highWaterMark: HIGH_WATER, size: (chunk) => chunk?.byteLength ?? 0 },
  )
  const sink: Sink = {
    write(chunk) {
      if (controller === undefined) return false
      controller.enqueue(chunk)
      full = (controller.desiredSize ?? 0) <= 0
      return !full
    },
    onDrain(fn) {
      onDrained = fn
    },
    onDisconnect(fn) {
      onDisconnected = fn
    },
    close() {
      controller?.close()
      controller = undefined
      ended.resolve()
    },
  }
  return { sink, stream: Object.assign(stream, { ended: ended.promise }) }
}
