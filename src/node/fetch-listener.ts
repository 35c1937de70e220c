// From node's requests to those of the fetch standard, and back.
import { getRequestListener, RequestError } from '@hono/node-server'
import type { AdapterBindings } from '../http/app-env.ts'
import { ConnectionAbortedError } from '../http/connection-aborted.ts'
import type { FastPath, SocketBindings } from '../http/node-fast-path.ts'
import { failed, unreadable } from './client-errors.ts'

export interface FetchHandler {
  fetch(request: Request, bindings?: AdapterBindings): Promise<Response>
  /** The short way of plain requests; see `http/node-fast-path.ts`. */
  readonly direct?: FastPath
  /** Asked before anything listens on `host`; throws where it must not. */
  listensOn?(host: string): void
}

export type FetchListener = (bindings: SocketBindings) => void

/** @param ownsProcess see `ServerOptions` */
export function fetchListener(door: FetchHandler, ownsProcess: boolean): FetchListener {
  const bindingsOf = new WeakMap<object, SocketBindings>()
  const answer = getRequestListener(
    (request, { incoming }) => {
      const bindings = bindingsOf.get(incoming) as SocketBindings
      return door.fetch(request, bindings).catch((error) => {
        if (error instanceof ConnectionAbortedError) bindings.cut(error)
        throw error
      })
    },
    // Unread bodies are discarded by the server, within its own limits.
    { overrideGlobalObjects: ownsProcess, errorHandler, autoCleanupIncoming: false },
  )
  return (bindings) => {
    bindingsOf.set(bindings.incoming, bindings)
    void answer(bindings.incoming, bindings.outgoing)
  }
}

/** No answer where the connection is broken on purpose. */
function errorHandler(error: unknown): Response | undefined {
  if (error instanceof ConnectionAbortedError) return undefined
  return error instanceof RequestError ? unreadable(error) : failed()
}
