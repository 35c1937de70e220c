// Server-Sent Events: the text of a message, and where its bytes go.
import { deferred } from '../domain/deferred.ts'

export const CONNECTED = Buffer.from(': connected\n\n')
export const PING = Buffer.from(': ping\n\n')
/** Spec 6.2: ms between heartbeats, on the machine's clock. */
export const HEARTBEAT = 25_000

/** One message. `json` is text without line breaks, as `JSON.stringify` makes it. */
export function sseMessage(event: string, json: string, id?: number): string {
  return id === undefined ? `event: ${event}\ndata: ${json}\n\n` : `id: ${id}\nevent: ${event}\ndata: ${json}\n\n`
}

/** Takes the bytes of one connection. */
export interface Sink {
  /** False: enough for now, wait for `onDrain`. What was passed is taken all the same. */
  write(chunk: Uint8Array): boolean
  /** Called whenever there is room again after `write` said no. */
  onDrain(fn: () => void): void
  /** Called once when the reader goes away by itself. */
  onGone(fn: () => void): void
  close(): void
}

/** Bytes that wait in a stream before its sink asks for a pause. */
const HIGH_WATER = 64 * 1024

/** The bytes of a connection. */
export interface EventStream extends ReadableStream<Uint8Array> {
  /** Resolves when the server ends the stream; the reader may not have read all of it yet. */
  readonly ended: Promise<void>
}

/** A sink whose bytes come out of a web stream. */
export function streamSink(): { readonly sink: Sink; readonly stream: EventStream } {
  const ended = deferred()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let drained = () => {}
  let gone = () => {}
  let full = false
  const stream = new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started
      },
      pull() {
        if (!full) return
        full = false
        drained()
      },
      cancel() {
        controller = undefined
        gone()
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
      drained = fn
    },
    onGone(fn) {
      gone = fn
    },
    close() {
      controller?.close()
      controller = undefined
      ended.resolve()
    },
  }
  return { sink, stream: Object.assign(stream, { ended: ended.promise }) }
}
