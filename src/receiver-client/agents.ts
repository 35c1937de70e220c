// The agents of undici that send webhooks: one keeps connections, one opens a new connection for each request.

import type { LookupAddress, LookupOptions } from 'node:dns'
import type { Agent, buildConnector, Client, Pool } from 'undici'
import { MAX_HEAD_BYTES } from '../domain/http-response.ts'
import { BOTH_FAMILIES, isLocalhost, lookupLocalhost } from '../domain/loopback.ts'
import { createConnectionSlot } from './connection.ts'
import type { Dispatchers, DispatchOptions } from './exchange.ts'

/** Maximum number of connections per origin. The concurrency limits of webhooks are lower. */
const CONNECTIONS = 256
/** In ms. Most servers close idle connections later, so few requests are sent on a connection that is being closed. */
const KEEP_ALIVE = 1000
const CONNECT_TIMEOUT = 30_000

const OPTIONS = {
  connections: CONNECTIONS,
  keepAliveTimeout: KEEP_ALIVE,
  keepAliveMaxTimeout: KEEP_ALIVE,
  headersTimeout: 0,
  bodyTimeout: 0,
  // Higher than the limit in `response-head.ts`, whose error states the size of the headers.
  maxHeaderSize: 2 * MAX_HEAD_BYTES,
  connect: { timeout: CONNECT_TIMEOUT, lookup, ...BOTH_FAMILIES },
} as const

export interface Undici {
  readonly Agent: typeof Agent
  readonly Client: typeof Client
  readonly Pool: typeof Pool
}

export interface Agents extends Dispatchers {
  destroy(): void
}

export function createAgents(undici: Undici): Agents {
  const kept = createAgent(undici, 1)
  let fresh: Agent | undefined
  return {
    kept,
    fresh() {
      fresh ??= createAgent(undici, 0)
      return fresh
    },
    destroy() {
      void kept.destroy()
      void fresh?.destroy()
    },
  }
}

/** @param pipelining requests in flight on a connection; 0 closes it after each */
function createAgent({ Agent, Client, Pool }: Undici, pipelining: 0 | 1): Agent {
  return new Agent({
    ...OPTIONS,
    pipelining,
    factory: (origin, options) =>
      new Pool(origin, { ...options, factory: (to, given) => createClient(Client, to, given as Client.Options) }),
  })
}

/** Creates a client with one connection, which the client passes to `onConnection` of each request. */
function createClient(Base: typeof Client, origin: URL, { connect, ...options }: Client.Options): Client {
  const slot = createConnectionSlot()
  const client = new Base(origin, {
    ...options,
    // A pool always passes a function.
    connect: slot.watching(connect as buildConnector.connector),
  })
  const dispatch = client.dispatch.bind(client)
  client.dispatch = (given: DispatchOptions, handler) => {
    given.onConnection?.(slot)
    return dispatch(given, handler)
  }
  return client
}

type Done = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/** Like `dns.lookup`, but resolves `localhost` itself. The resolver is loaded for other hosts only. */
function lookup(hostname: string, options: LookupOptions, done: Done): void {
  if (isLocalhost(hostname)) lookupLocalhost(options, done)
  else
    import('node:dns').then(
      (dns) => dns.lookup(hostname, options, done),
      (error) => done(error, []),
    )
}
