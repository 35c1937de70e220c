// Converts Node's requests to `Request` objects, and `Response` objects to Node's responses.
import { getRequestListener, RequestError } from '@hono/node-server'
import type { AdapterBindings } from '../http/app-env.ts'
import { ConnectionAbortedError } from '../http/connection-aborted.ts'
import type { FastPath, SocketBindings } from '../http/node-fast-path.ts'
import { internalErrorResponse, malformedRequestResponse } from './client-errors.ts'

export interface FetchHandler {
  fetch(request: Request, bindings?: AdapterBindings): Promise<Response>
  /** The fast path for plain requests, see `http/node-fast-path.ts`. */
  readonly fastPath?: FastPath
  /** Called before a server listens on `host`. Throws if the server must not listen there. */
  beforeListen?(host: string): void
}

export type FetchListener = (bindings: SocketBindings) => void

/** @param replaceGlobals see `ServerOptions` */
export function fetchListener(handler: FetchHandler, replaceGlobals: boolean): FetchListener {
  const bindingsOf = new WeakMap<object, SocketBindings>()
  const listener = getRequestListener(
    (request, { incoming }) => {
      const bindings = bindingsOf.get(incoming) as SocketBindings
      return handler.fetch(request, bindings).catch((error) => {
        if (error instanceof ConnectionAbortedError) bindings.abort(error)
        throw error
      })
    },
    // Unread bodies are discarded by the server, within its own limits.
    { overrideGlobalObjects: replaceGlobals, errorHandler, autoCleanupIncoming: false },
  )
  return (bindings) => {
    bindingsOf.set(bindings.incoming, bindings)
    void listener(bindings.incoming, bindings.outgoing)
  }
}

/** Returns no response if the connection is broken on purpose. */
function errorHandler(error: unknown): Response | undefined {
  if (error instanceof ConnectionAbortedError) return undefined
  return error instanceof RequestError ? malformedRequestResponse(error) : internalErrorResponse()
}
