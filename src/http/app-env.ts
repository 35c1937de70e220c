import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from 'hono'
import type { EventStream } from '../delivery/sse.ts'
import type { LoggedRequest } from './request-log.ts'

/** Work of several requests, such as a scenario. It is cancelled when another request replaces the state. */
export interface CancellableWork {
  /** `Engine.generation` of the state that the work belongs to. Updated if the work itself resets the sandbox. */
  generation: number
  /** True if a scenario is only validated, and none of its steps run. */
  readonly dryRun?: boolean
}

/** Context that an adapter passes with a request. The node server passes the socket; in-process calls have none. */
export interface AdapterBindings {
  readonly incoming?: IncomingMessage
  readonly outgoing?: ServerResponse
  /** The caller's address, if there is no socket. */
  readonly address?: string
  /** The body, if the adapter has it in memory. Reading the stream of a `Request` takes much longer. */
  readonly body?: string
  /** The work that the request is part of. Absent: the request is independent. */
  readonly work?: CancellableWork
  /** Called before an event stream is sent as the response. */
  onStream?(stream: EventStream): void
  /** Sends `100 Continue` to a client that waits for it before it sends the body. */
  sendContinueIfExpected?(): void
  /** Exempts the request from the request timeout, because its body may take long, such as that of an import. */
  allowLongBody?(): void
}

export interface AppEnv {
  Bindings: AdapterBindings
  Variables: {
    /** The entry of this request in the request log, until the response is sent. */
    entry?: LoggedRequest
  }
}

export type AppContext = Context<AppEnv>

/** A request as guards and operations see it, from any adapter. Hono's context implements this interface. */
export interface Exchange {
  readonly env: AdapterBindings | undefined
  readonly req: {
    readonly method: string
    readonly path: string
    readonly url: string
    /** Read only if there is no `incoming`. */
    readonly raw: Request
    param(name: 'id'): string | undefined
  }
  get(name: 'entry'): LoggedRequest | undefined
  set(name: 'entry', entry: LoggedRequest): void
}

/**
 * Returns a request header. With a socket it reads Node's parsed headers, so no Headers object is built.
 * @param name in lower case
 */
export function header(c: Exchange, name: string): string | undefined {
  const incoming = c.env?.incoming
  if (incoming === undefined) return c.req.raw.headers.get(name) ?? undefined
  const value = incoming.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
