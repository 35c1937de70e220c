import { createParser } from 'eventsource-parser'

export interface Message {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: Record<string, unknown>
}

/** Reads an SSE body message by message, with a parser that is independent of the code under test. */
export function sseReader(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  const messages: Message[] = []
  const comments: string[] = []
  let raw = ''
  let ended = false
  const parser = createParser({
    onEvent: ({ id, event, data }) => void messages.push({ id, event, data: JSON.parse(data) }),
    onComment: (comment) => void comments.push(comment),
  })

  /** Reads the next chunk. Returns false at the end. */
  async function pull(): Promise<boolean> {
    const { value, done } = await reader.read()
    if (done) {
      ended = true
      return false
    }
    const text = decoder.decode(value, { stream: true })
    raw += text
    parser.feed(text)
    return true
  }

  return {
    comments,
    raw: () => raw,
    pull,
    async next(): Promise<Message> {
      while (messages.length === 0) if (!(await pull())) throw new Error('The stream ended.')
      return messages.shift() as Message
    },
    async take(count: number): Promise<Message[]> {
      const taken: Message[] = []
      while (taken.length < count) taken.push(await this.next())
      return taken
    },
    /** Reads the rest, and returns true if the stream has ended. */
    async end(): Promise<boolean> {
      while (!ended && (await pull())) messages.length = 0
      return ended
    },
    cancel: () => reader.cancel(),
  }
}
