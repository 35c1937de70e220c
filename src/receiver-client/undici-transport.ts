// The transport of the server: undici, below its `request`, never `fetch`, which follows redirects, refuses some ports
// and adds headers.
import { describeFailure } from '../domain/request-errors.ts'
import type { Timers } from '../domain/timers.ts'
import { type Agents, createAgents } from './agents.ts'
import { exchange } from './exchange.ts'
import type { Transport } from './transport.ts'

export interface UndiciTransport {
  /** Loads what the first `send` would wait for. */
  open(): Promise<void>
  readonly send: Transport
  /** Drops every connection. */
  close(): Promise<void>
}

export function createTransport(wall: Timers): UndiciTransport {
  let agents: Agents | undefined
  let opening: Promise<Agents> | undefined
  let closed = false

  /** Loaded at the first send: most commands never send, and it costs their start 90 ms. */
  async function open(): Promise<Agents> {
    agents = createAgents(await import('./undici-client.ts'))
    if (closed) await drop(agents)
    return agents
  }

  /**
   * Connections go at once. undici tells of it by `queueMicrotask`, which the fake timers of Jest hold back for ever, so a
   * turn of the wall's is waited for instead.
   */
  async function drop(dropped: Agents): Promise<void> {
    dropped.destroy()
    await new Promise<void>((resolve) => void wall.setTimeout(resolve, 0))
  }

  function opened(): Promise<Agents> {
    opening ??= open().catch(tryAgain)
    return opening
  }

  /** The next send may find what this one missed: a file that an installation is replacing. */
  function tryAgain(error: unknown): never {
    opening = undefined
    throw error
  }

  return {
    async open() {
      await opened()
    },
    async send(request) {
      try {
        return await exchange(agents ?? (await opened()), wall, request)
      } catch (error) {
        return { error: describeFailure(error, request.url, 'connecting') }
      }
    },
    async close() {
      closed = true
      await opening?.catch(() => {})
      if (agents !== undefined) await drop(agents)
    },
  }
}
