// The transport of the server. It uses `dispatch` of undici, and not `fetch`, which follows redirects, rejects some
// ports and adds headers.
import { pause } from '../domain/promises.ts'
import { describeFailure } from '../domain/receiver-failures.ts'
import type { Timers } from '../domain/time.ts'
import { type Agents, createAgents } from './agents.ts'
import { exchange } from './exchange.ts'
import type { Transport } from './transport.ts'

export interface UndiciTransport {
  /** Loads the modules that the first `send` would wait for. */
  open(): Promise<void>
  readonly send: Transport
  close(): Promise<void>
}

export function createTransport(systemClock: Timers): UndiciTransport {
  let agents: Agents | undefined
  let opening: Promise<Agents> | undefined
  let closed = false

  /** Not called before the first `open` or `send`, because most commands never send and loading takes 90 ms. */
  async function open(): Promise<Agents> {
    agents = createAgents(await import('./undici-client.ts'))
    if (closed) await drop(agents)
    return agents
  }

  /**
   * Closes the connections. undici reports their end with `queueMicrotask`, which the fake timers of Jest hold back
   * forever, so this waits for a turn of the system clock instead.
   */
  async function drop(dropped: Agents): Promise<void> {
    dropped.destroy()
    await pause(0, systemClock)
  }

  function opened(): Promise<Agents> {
    opening ??= open().catch(discardOpening)
    return opening
  }

  /** The next send may succeed if an installation is replacing a file. */
  function discardOpening(error: unknown): never {
    opening = undefined
    throw error
  }

  return {
    async open() {
      await opened()
    },
    async send(request) {
      try {
        return await exchange(agents ?? (await opened()), systemClock, request)
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
