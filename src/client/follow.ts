// A stream that stays: a watchdog notices a line that went silent, and every loss is followed by a new connection that
// resumes after the last message.

import type { Timers } from '../domain/timers.ts'
import { ApiError, ConnectionError, reasonOf, UnexpectedResponseError } from './errors.ts'
import type { FetchResponse } from './fetch-like.ts'
import { refusal } from './http-client.ts'
import { readSse } from './sse.ts'

/** Heartbeats come every 25 s; two missing ones and a little are a dead line. */
export const SILENCE_LIMIT = 60_000

/** ms before the n-th new connection in a row (from 1), and from there on the last one. */
export const RECONNECT_DELAYS = [250, 500, 1000, 2000, 5000, 10_000] as const

export interface StreamEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

export type StreamState =
  | { readonly state: 'open'; readonly again: boolean }
  | { readonly state: 'lost'; readonly reason: string; readonly retryIn: number }

export interface FollowOptions {
  readonly connect: (lastEventId: string | undefined, signal: AbortSignal) => Promise<FetchResponse>
  readonly timers: Timers
  /** Ends the stream quietly. */
  readonly signal: AbortSignal
  readonly onState?: (state: StreamState) => void
  /** Awaited on every connection before its first message; where it fails, so has the connection. */
  readonly onOpen?: () => Promise<void>
  /** ms of waiting for a lost server, after which its failure is thrown; absent: without end. */
  readonly patience?: number
  /** ms without a byte after which the line counts as dead. */
  readonly silence?: number
}

/**
 * Yields messages until `signal` aborts. Throws when the first connection fails, and when the server refuses (4xx) at any
 * time; anything else is tried again.
 */
export async function* follow(options: FollowOptions): AsyncGenerator<StreamEvent> {
  const { signal, timers, onState, onOpen, patience = Number.POSITIVE_INFINITY } = options
  let lastEventId: string | undefined
  let opened = false
  let failures = 0
  let waited = 0
  while (!signal.aborted) {
    let reason = 'the server closed the stream'
    let failure: unknown
    const line = openLine(options)
    try {
      const body = await line.connect(lastEventId)
      await line.meanwhile(onOpen?.())
      onState?.({ state: 'open', again: opened })
      opened = true
      failures = 0
      waited = 0
      for await (const message of readSse(line.watched(body))) {
        if (message.type === 'comment') continue
        if (message.id !== undefined) lastEventId = message.id
        yield message
      }
    } catch (error) {
      if (signal.aborted) return
      if (!opened || (error instanceof ApiError && error.status < 500)) throw error
      failure = error
      reason = error instanceof ConnectionError ? reasonOf(error.cause) : reasonOf(error)
    } finally {
      line.close()
    }
    if (signal.aborted) return
    const retryIn = RECONNECT_DELAYS[Math.min(failures, RECONNECT_DELAYS.length - 1)] ?? 1000
    failures++
    waited += retryIn
    if (waited > patience) throw failure ?? new Error(reason)
    onState?.({ state: 'lost', reason, retryIn })
    await pause(retryIn, timers, signal)
  }
}

/** One connection with its own abort, so that a dead one can be left without ending the stream. */
function openLine({ connect, timers, signal, silence = SILENCE_LIMIT }: FollowOptions) {
  const controller = new AbortController()
  let broken: (error: Error) => void = () => {}
  const breach = new Promise<never>((_, reject) => {
    broken = reject
  })
  breach.catch(() => {})
  let watchdog = timers.setTimeout(bark, silence)
  const stop = () => end(new Error('stopped'))
  signal.addEventListener('abort', stop, { once: true })

  function bark(): void {
    end(new Error(`no sign of life for ${Math.round(silence / 1000)} s`))
  }

  function end(error: Error): void {
    broken(error)
    controller.abort(error)
  }

  return {
    async connect(lastEventId: string | undefined): Promise<AsyncIterable<Uint8Array>> {
      const reply = await Promise.race([connect(lastEventId, controller.signal), breach])
      if (reply.status !== 200) throw await refusal(reply, 'the stream')
      const type = reply.headers.get('content-type')
      if (type?.startsWith('text/event-stream') !== true)
        throw new UnexpectedResponseError(200, 'the stream', type, 'a stream')
      if (reply.body === null) throw new Error('the stream has no body')
      return reply.body
    },
    async meanwhile(work: Promise<void> | undefined): Promise<void> {
      await Promise.race([work, breach])
    },
    async *watched(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      const chunks = body[Symbol.asyncIterator]()
      for (;;) {
        const next = await Promise.race([chunks.next(), breach])
        if (next.done === true) return
        watchdog.cancel()
        watchdog = timers.setTimeout(bark, silence)
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

async function pause(ms: number, timers: Timers, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      timer.cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = timers.setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
  })
}
