// Spec 4: mounts the public API, with and without the prefix `/api`, and its OpenAPI document.
import type { Hono } from 'hono'
import type { AppContext, AppEnv } from '../app-env.ts'
import { respond, toResponse } from '../respond.ts'
import type { Services } from '../services.ts'
import { createRequestHandler, type RequestHandler } from './handle-request.ts'
import type { Operation } from './operation.ts'
import { PUBLIC_OPERATIONS } from './operations.ts'

const PREFIXES = ['/v1/public', '/api/v1/public']

export interface PublicRoute {
  readonly method: 'GET' | 'POST'
  /** In the format of the router: an id is `:id`. */
  readonly path: string
  readonly handle: RequestHandler
  /** True: the response is an event stream. */
  readonly stream: boolean
}

export function publicRoutes(services: Services): PublicRoute[] {
  const handlerOf = createRequestHandler(services)
  const operations: readonly Operation<unknown>[] = Object.values(PUBLIC_OPERATIONS)
  return operations.flatMap((operation) => {
    const handle = handlerOf(operation)
    return PREFIXES.map((prefix) => ({
      method: operation.method,
      path: `${prefix}${operation.path}`,
      handle,
      stream: operation.streams === true,
    }))
  })
}

/** Mounts one handler per route. If two handlers matched, Hono would compose a chain for each request. */
export function mountPublic(app: Hono<AppEnv>, services: Services, routes: readonly PublicRoute[]): void {
  for (const { method, path, handle } of routes) {
    app.on(method, path, (c: AppContext): Response | Promise<Response> => {
      const response = handle(c)
      return response instanceof Promise ? response.then((settled) => toResponse(settled)) : toResponse(response)
    })
  }
  // Loaded on demand, because loading the document takes longer than starting the server.
  app.get('/openapi.json', async (c) => {
    const { publicDocument } = await import('../openapi/public-document.ts')
    return respond(c, services, { status: 200, body: publicDocument() })
  })
}
