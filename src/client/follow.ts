// Follows an event stream across connections: a watchdog detects a silent connection, and each new connection resumes
// after the last message.

import { createParser } from 'eventsource-parser'
import { pause, unlessAborted } from '../domain/promises.ts'
import type { Timers } from '../domain/time.ts'
import { ApiError, ConnectionError, UnexpectedResponseError } from './errors.ts'
import type { FetchResponse } from './fetch-like.ts'
import { readError } from './http-client.ts'
import { reasonOf } from './network-failures.ts'

/** In ms. Heartbeats are sent every 25 s, so a connection is dead after two missing ones and a margin. */
export const SILENCE_LIMIT = 60_000

/** Delays before consecutive reconnects, in ms. The last one repeats. */
export const RECONNECT_DELAYS = [250, 500, 1000, 2000, 5000, 10_000] as const

export interface StreamEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

export type StreamState =
  | { readonly state: 'open'; readonly isReconnect: boolean }
  | { readonly state: 'lost'; readonly reason: string; readonly retryIn: number }

export interface FollowOptions {
  readonly connect: (lastEventId: string | undefined, signal: AbortSignal) => Promise<FetchResponse>
  readonly timers: Timers
  /** Ends the stream without an error. */
  readonly signal: AbortSignal
  readonly onState?: (state: StreamState) => void
  /** Awaited on every connection before its first message. If it rejects, the connection counts as failed. */
  readonly onOpen?: () => Promise<void>
  /** The limit of the sum of the pauses between reconnects, in ms. Default: no limit. */
  readonly maxReconnectWait?: number
  /** A connection without a byte for this many ms counts as dead. */
  readonly silence?: number
}

/**
 * Yields messages until `signal` aborts. Throws if the first connection fails, or if the server rejects the request
 * later (4xx). Reconnects after any other error, unless the next pause would exceed `maxReconnectWait`.
 */
export async function* follow(options: FollowOptions): AsyncGenerator<StreamEvent> {
  const { signal, timers, onState, onOpen, maxReconnectWait = Number.POSITIVE_INFINITY } = options
  let lastEventId: string | undefined
  let opened = false
  let failures = 0
  let waited = 0
  while (!signal.aborted) {
    let reason = 'the server closed the stream'
    let failure: unknown
    const connection = openConnection(options)
    try {
      const body = await connection.connect(lastEventId)
      await connection.whileConnected(onOpen?.())
      onState?.({ state: 'open', isReconnect: opened })
      opened = true
      failures = 0
      waited = 0
      for await (const message of readSse(connection.watched(body))) {
        if (message.id !== undefined) lastEventId = message.id
        yield message
      }
    } catch (error) {
      if (signal.aborted) return
      if (!opened || (error instanceof ApiError && error.status < 500)) throw error
      failure = error
      reason = error instanceof ConnectionError ? reasonOf(error.cause) : reasonOf(error)
    } finally {
      connection.close()
    }
    if (signal.aborted) return
    const retryIn = RECONNECT_DELAYS[Math.min(failures, RECONNECT_DELAYS.length - 1)] ?? 1000
    failures++
    waited += retryIn
    if (waited > maxReconnectWait) throw failure ?? new Error(reason)
    onState?.({ state: 'lost', reason, retryIn })
    await pause(retryIn, timers, signal)
  }
}

/** A connection with a separate abort signal, so that a dead one can be closed without ending the stream. */
function openConnection({ connect, timers, signal, silence = SILENCE_LIMIT }: FollowOptions) {
  const controller = new AbortController()
  let watchdog = timers.setTimeout(onSilence, silence)
  const stop = () => controller.abort(new Error('stopped'))
  signal.addEventListener('abort', stop, { once: true })

  function onSilence(): void {
    controller.abort(new Error(`no data for ${Math.round(silence / 1000)} s`))
  }

  return {
    async connect(lastEventId: string | undefined): Promise<AsyncIterable<Uint8Array>> {
      const response = await unlessAborted(connect(lastEventId, controller.signal), controller.signal)
      if (response.status !== 200) throw await readError(response, 'the stream')
      const type = response.headers.get('content-type')
      if (type?.startsWith('text/event-stream') !== true)
        throw new UnexpectedResponseError(200, 'the stream', type, 'a stream')
      if (response.body === null) throw new Error('the stream has no body')
      return response.body
    },
    async whileConnected(work: Promise<void> | undefined): Promise<void> {
      if (work !== undefined) await unlessAborted(work, controller.signal)
    },
    async *watched(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      const chunks = body[Symbol.asyncIterator]()
      for (;;) {
        const next = await unlessAborted(chunks.next(), controller.signal)
        if (next.done === true) return
        watchdog.cancel()
        watchdog = timers.setTimeout(onSilence, silence)
        yield next.value
      }
    },
    close(): void {
      watchdog.cancel()
      signal.removeEventListener('abort', stop)
      controller.abort()
    },
  }
}

/** Yields the messages in order. Ends with the body. */
export async function* readSse(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  const ready: StreamEvent[] = []
  const parser = createParser({
    onEvent: ({ id, event, data }) => ready.push({ id, event: event ?? 'message', data }),
  })
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    yield* ready.splice(0)
  }
}
