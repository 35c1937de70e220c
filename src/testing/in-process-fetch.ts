// A `fetch` without a network. An abort ends the call, and closes a stream on the side of the sandbox.
import type { FetchInit, FetchLike } from '../client/fetch-like.ts'
import { unlessAborted } from '../domain/promises.ts'
import type { Timers } from '../domain/time.ts'
import type { AdapterBindings } from '../http/app-env.ts'
import type { Sandbox } from '../sandbox.ts'

type FetchTarget = Pick<Sandbox, 'fetch'>

/** Makes calls fail once the sandbox is closed, instead of using a closed store. */
export function whileOpen(sandbox: FetchTarget, closing: AbortSignal): FetchTarget {
  return {
    async fetch(request, bindings) {
      closing.throwIfAborted()
      const response = await sandbox.fetch(request, bindings)
      // The close is the reason for an internal error at this time, so the caller gets the error about the close.
      if (response.status >= 500) closing.throwIfAborted()
      return response
    },
  }
}

export function inProcessCall(sandbox: FetchTarget, alive: ProcessHold): FetchLike {
  return async (url, { signal, ...init }) => {
    const response = await alive.during(unlessAborted(sandbox.fetch(...requestOf(url, init)), signal))
    return {
      status: response.status,
      headers: response.headers,
      get body() {
        return response.body === null ? null : chunks(response.body, signal, alive)
      },
      text: () => alive.during(response.text()),
    }
  }
}

/** Passes a string body next to the request, because a `Request` turns its body into a stream. */
function requestOf(url: string, init: Omit<FetchInit, 'signal'>): [Request, AdapterBindings] {
  const { body, ...rest } = init
  if (typeof body !== 'string' || init.method === 'GET' || init.method === 'HEAD') return [new Request(url, init), {}]
  return [new Request(url, rest), { body }]
}

/** Calls the sandbox with the abort behaviour of the global `fetch`. */
export async function abortable(sandbox: FetchTarget, request: Request, alive: ProcessHold): Promise<Response> {
  const { signal } = request
  signal.throwIfAborted()
  const response = await alive.during(unlessAborted(sandbox.fetch(request), signal))
  if (response.body === null || response.headers.get('content-type') !== 'text/event-stream') return response
  const body = response.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal })
  return new Response(whileRead(body, alive), { status: response.status, headers: response.headers })
}

/** Keeps the process alive only while a caller waits for the next chunk. */
function whileRead(body: ReadableStream<Uint8Array>, alive: ProcessHold): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await alive.during(reader.read())
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Disable reading ahead.
    { highWaterMark: 0 },
  )
}

async function* chunks(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
  alive: ProcessHold,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  const stop = () => void reader.cancel().catch(() => {})
  if (signal?.aborted === true) stop()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      const { done, value } = await alive.during(reader.read())
      if (done) return
      yield value
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
}

interface ProcessHold {
  /** Returns the result of `work`, and keeps the process alive until it settles. */
  during<T>(work: Promise<T>): Promise<T>
}

/** @param systemClock the timers that keep the process alive */
export function createProcessHold(systemClock: Timers): ProcessHold {
  let running = 0
  let hold: { cancel(): void } | undefined

  return {
    async during(work) {
      if (running++ === 0) hold = systemClock.setTimeout(() => {}, MAX_TIMER_MS)
      try {
        return await work
      } finally {
        if (--running === 0) hold?.cancel()
      }
    },
  }
}

const MAX_TIMER_MS = 2 ** 31 - 1
