// Reads an event stream of the sandbox.
import type { SystemClock } from '../../system-clock/system-clock.ts'
import { type ObservedMessage, observedMessages } from './stream-messages.ts'

export interface SandboxStream {
  /** Reads everything that was already sent, and returns all messages so far. */
  messages(): Promise<readonly ObservedMessage[]>
  close(): void
}

/** After this number of event-loop turns without a new byte, all messages are read. */
const QUIET_TURNS = 5

export function readStream({ body }: Response, systemClock: Pick<SystemClock, 'nextTurn'>): SandboxStream {
  let text = ''
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  void read().catch(() => {})

  async function read(): Promise<void> {
    for (;;) {
      const piece = await reader?.read()
      if (piece?.value === undefined) return
      text += decoder.decode(piece.value, { stream: true })
    }
  }

  return {
    async messages() {
      for (let quiet = 0, before = -1; quiet < QUIET_TURNS; quiet++) {
        if (text.length !== before) quiet = 0
        before = text.length
        await new Promise<void>((done) => systemClock.nextTurn(done))
      }
      return observedMessages(text)
    },
    close: () => void reader?.cancel().catch(() => {}),
  }
}
