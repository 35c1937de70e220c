// The browser's `fetch` as the client needs it. Not every browser can iterate over the body of a response.
import type { FetchLike } from '../../client/fetch-like.ts'

export const browserFetch: FetchLike = async (url, { method, headers, body, signal }) => {
  const response = await fetch(url, {
    method,
    headers,
    body: body ?? null,
    signal: signal ?? null,
    cache: 'no-store',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  })
  return {
    status: response.status,
    headers: response.headers,
    body: response.body === null ? null : chunksOf(response.body),
    text: () => response.text(),
  }
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
