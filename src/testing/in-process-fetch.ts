// Fetch without a network: aborts end what the caller waits for, and let the sandbox know that nobody reads a stream any more.
import type { FetchLike } from '../client/fetch-like.ts'
import type { Sandbox } from '../sandbox.ts'
import type { ProcessRef } from './process-ref.ts'

type Door = Pick<Sandbox, 'fetch'>

/** A door that says so once the sandbox is closed, instead of answering from what is left of it. */
export function whileOpen(door: Door, closing: AbortSignal): Door {
  return {
    async fetch(request, bindings) {
      closing.throwIfAborted()
      const response = await door.fetch(request, bindings)
      // What met the closing is no fault of the sandbox.
      if (response.status >= 500) closing.throwIfAborted()
      return response
    },
  }
}

export function inProcessCall(door: Door, alive: ProcessRef): FetchLike {
  return async (url, { signal, ...init }) => {
    const response = await alive.during(unlessAborted(door.fetch(new Request(url, init)), signal))
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

/** A fetch that obeys `request.signal` as the global one does. */
export async function abortable(door: Door, request: Request, alive: ProcessRef): Promise<Response> {
  const { signal } = request
  signal.throwIfAborted()
  const response = await alive.during(unlessAborted(door.fetch(request), signal))
  if (response.body === null || response.headers.get('content-type') !== 'text/event-stream') return response
  const body = response.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal })
  return new Response(whileRead(body, alive), { status: response.status, headers: response.headers })
}

/** The process goes on while somebody waits for the next piece, and no longer. */
function whileRead(body: ReadableStream<Uint8Array>, alive: ProcessRef): ReadableStream<Uint8Array> {
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
    // Nothing is read ahead.
    { highWaterMark: 0 },
  )
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
    work.catch(() => {})
  }
}

async function* chunks(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
  alive: ProcessRef,
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
