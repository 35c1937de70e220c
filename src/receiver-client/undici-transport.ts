// The transport of the server: undici, below its `request`, never `fetch`, which follows redirects, refuses some ports
// and adds headers.
import type { Agent } from 'undici'
import { describeFailure } from '../domain/exchange-failures.ts'
import type { Timers } from '../domain/timers.ts'
import { exchange } from './exchange.ts'
import { lookup } from './loopback-lookup.ts'
import type { Transport } from './transport.ts'

/** Per origin. The courier's own bounds are below it. */
const CONNECTIONS = 256
/** A receiver's server closes idle connections too; shorter than any of them, so that no request meets a closing one. */
const KEEP_ALIVE = 1000
const CONNECT_TIMEOUT = 30_000

export interface UndiciTransport {
  /** Loads what the first `send` would wait for. */
  open(): Promise<void>
  readonly send: Transport
  /** Drops every connection. */
  close(): Promise<void>
}

export function createTransport(wall: Timers): UndiciTransport {
  let agent: Agent | undefined
  let opening: Promise<Agent> | undefined
  let closed = false

  /** Loaded at the first send: most commands never send, and it costs their start 90 ms. */
  async function open(): Promise<Agent> {
    const { Agent } = await import('./undici-client.ts')
    agent = new Agent({
      connections: CONNECTIONS,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE,
      keepAliveMaxTimeout: KEEP_ALIVE,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: CONNECT_TIMEOUT, lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2000 },
    })
    if (closed) await drop(agent)
    return agent
  }

  /**
   * Connections go at once. undici tells of it by `queueMicrotask`, which the fake timers of Jest hold back for ever, so a
   * turn of the wall's is waited for instead.
   */
  async function drop(dropped: Agent): Promise<void> {
    void dropped.destroy()
    await new Promise<void>((resolve) => void wall.setTimeout(resolve, 0))
  }

  function opened(): Promise<Agent> {
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
        return await exchange(agent ?? (await opened()), wall, request)
      } catch (error) {
        return { error: describeFailure(error, request.url, 'connecting') }
      }
    },
    async close() {
      closed = true
      await opening?.catch(() => {})
      if (agent !== undefined) await drop(agent)
    },
  }
}
