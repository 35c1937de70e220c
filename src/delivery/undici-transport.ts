// The transport of the server: undici, below its `request`, never `fetch`, which follows redirects, refuses some ports
// and adds headers.
import type { Agent, Dispatcher } from 'undici'
import type { HeaderList } from '../domain/delivery.ts'
import { createAnswerBody } from './answer-body.ts'
import { lookup } from './loopback-lookup.ts'
import type { WallPort } from './ports.ts'
import type { Answer, Outgoing, Transport } from './transport.ts'
import { describeFailure, describeTimeout, type Phase } from './transport-errors.ts'

/** Per origin. The courier's own bounds are below it. */
const CONNECTIONS = 256
/** A receiver's server closes idle connections too; shorter than any of them, so that no request meets a closing one. */
const KEEP_ALIVE = 1000
const CONNECT_TIMEOUT = 30_000

export interface UndiciTransport {
  readonly send: Transport
  /** Drops every connection. */
  close(): Promise<void>
}

export function createTransport(wall: Pick<WallPort, 'setTimeout'>): UndiciTransport {
  let agent: Agent | undefined
  let opening: Promise<Agent> | undefined
  let closed = false

  /** Loaded at the first send: most commands never send, and it costs their start 90 ms. */
  async function open(): Promise<Agent> {
    const { Agent } = await import('undici')
    agent = new Agent({
      connections: CONNECTIONS,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE,
      keepAliveMaxTimeout: KEEP_ALIVE,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: CONNECT_TIMEOUT, lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2000 },
    })
    if (closed) await agent.destroy()
    return agent
  }

  return {
    async send(request) {
      if (agent === undefined) {
        opening ??= open()
        await opening
      }
      return exchange(agent as Agent, wall, request)
    },
    async close() {
      closed = true
      await opening
      await agent?.destroy()
    },
  }
}

function exchange(agent: Dispatcher, wall: Pick<WallPort, 'setTimeout'>, request: Outgoing): Promise<Answer> {
  return new Promise((resolve) => {
    const body = createAnswerBody()
    let controller: Dispatcher.DispatchController | undefined
    let phase: Phase = 'connecting'
    let status: number | undefined
    let headers: HeaderList | undefined
    let over = false

    function end(error?: string): void {
      if (over) return
      over = true
      deadline.cancel()
      const recorded = body.recorded()
      resolve({
        ...(status === undefined ? {} : { status }),
        ...(headers === undefined ? {} : { headers }),
        ...(recorded === undefined ? {} : { body: recorded }),
        ...(error === undefined ? {} : { error }),
      })
    }

    function cut(): void {
      controller?.abort(new Error('The exchange is over.'))
    }

    const deadline = wall.setTimeout(() => {
      end(describeTimeout(request.url, request.deadline_ms, phase))
      cut()
    }, request.deadline_ms)

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        phase = 'waiting'
        // The deadline passed while it waited for a connection: it must not leave any more.
        if (over) cut()
      },
      onResponseStart(started, code) {
        if (code < 200) return
        status = code
        headers = headerList(started.rawHeaders)
        phase = 'reading'
      },
      onResponseData(_, chunk) {
        if (body.add(chunk)) return
        end()
        cut()
      },
      onResponseEnd: () => end(),
      onResponseError: (_, error) => end(describeFailure(error, request.url, phase)),
    }
    try {
      const { origin, pathname, search } = new URL(request.url)
      const flat = request.headers.flat() as string[]
      agent.dispatch({ origin, path: pathname + search, method: 'POST', headers: flat, body: request.body }, handler)
    } catch (error) {
      end(describeFailure(error, request.url, phase))
    }
  })
}

/** Names and values by turns, as they came over the wire. */
function headerList(raw: Dispatcher.DispatchController['rawHeaders']): HeaderList {
  if (!Array.isArray(raw)) return Object.entries(raw ?? {}).map(([name, value]) => [name, String(value)])
  const list: (readonly [string, string])[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) list.push([latin1(raw[i]), latin1(raw[i + 1])])
  return list
}

function latin1(value: Buffer | string | undefined): string {
  return typeof value === 'string' ? value : (value?.toString('latin1') ?? '')
}
