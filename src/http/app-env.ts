import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from 'hono'
import type { EventStream } from '../delivery/sse.ts'
import type { LoggedRequest } from './request-log.ts'

/** Something that several requests are part of, such as a scenario. */
export interface CancellableWork {
  /** The state that it belongs to, see `Engine.generation`. A request of the work that replaces the state raises it. */
  generation: number
  /** A scenario of the work is only checked. */
  readonly dryRun?: boolean
}

/** What a door may pass along. The node server passes both; in process there are neither. */
export interface AdapterBindings {
  readonly incoming?: IncomingMessage & Partial<BufferedBody>
  readonly outgoing?: ServerResponse
  /** The caller's address where there is no socket. */
  readonly address?: string
  /** What the request is part of. Absent: it stands alone. */
  readonly work?: CancellableWork
  /** Called before the response, if it is an event stream. */
  onStream?(stream: EventStream): void
  /** Called before the body is read: a client that sent `Expect: 100-continue` waits for it. */
  beforeBody?(): void
  /** Called before a body is read that may take longer than a request may. */
  beforeLongBody?(): void
}

/** What the node server's requests can do besides. */
export interface BufferedBody {
  /** From now on nobody reads the request as a stream; called before anything of the body came. */
  bufferBody(): void
  /** All bytes of the body; rejects where the caller goes before the last. `undefined`: it is read as a stream. */
  bufferedBody(): Buffer | Promise<Buffer> | undefined
}

export interface AppEnv {
  Bindings: AdapterBindings
  Variables: {
    /** The request log's entry of this request, until it is answered. */
    entry?: LoggedRequest
  }
}

export type AppContext = Context<AppEnv>

/** What guards and operations see of a request, however it came: Hono's context is one. */
export interface Exchange {
  readonly env: AdapterBindings | undefined
  readonly req: {
    readonly method: string
    readonly path: string
    readonly url: string
    /** Only asked for where there is no `incoming`. */
    readonly raw: Request
    param(name: 'id'): string | undefined
  }
  get(name: 'entry'): LoggedRequest | undefined
  set(name: 'entry', entry: LoggedRequest): void
}

/**
 * A request header, or `undefined`. Taken from the socket's own parse where there is one: no Headers object is built.
 * @param name in lower case
 */
export function header(c: Exchange, name: string): string | undefined {
  const incoming = c.env?.incoming
  if (incoming === undefined) return c.req.raw.headers.get(name) ?? undefined
  const value = incoming.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
