// Reads Server-Sent Events, including the comments that serve as heartbeats.
import { createParser } from 'eventsource-parser'

export type SseMessage =
  | { readonly type: 'message'; readonly id: string | undefined; readonly event: string; readonly data: string }
  | { readonly type: 'comment'; readonly text: string }

/** Yields messages and comments in order. Ends with the body. */
export async function* readSse(body: AsyncIterable<Uint8Array>): AsyncGenerator<SseMessage> {
  const ready: SseMessage[] = []
  const parser = createParser({
    onEvent: ({ id, event, data }) => ready.push({ type: 'message', id, event: event ?? 'message', data }),
    onComment: (text) => ready.push({ type: 'comment', text }),
  })
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }))
    yield* ready.splice(0)
  }
}
