// Spec 4: the public API, under both spellings of its path, and the document that describes it.
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
  /** With `:id` where the path has one. */
  readonly path: string
  readonly handle: RequestHandler
  /** Its answer has no end. */
  readonly stream: boolean
}

export function publicRoutes(services: Services): PublicRoute[] {
  const serve = createRequestHandler(services)
  const operations: readonly Operation<unknown>[] = Object.values(PUBLIC_OPERATIONS)
  return operations.flatMap((operation) => {
    const handle = serve(operation)
    return PREFIXES.map((prefix) => ({
      method: operation.method,
      path: `${prefix}${operation.path}`,
      handle,
      stream: operation.streams === true,
    }))
  })
}

/** One handler per route: with a second one that matches, Hono would compose a chain for every request. */
export function mountPublic(app: Hono<AppEnv>, services: Services, routes: readonly PublicRoute[]): void {
  for (const { method, path, handle } of routes) {
    app.on(method, path, (c: AppContext): Response | Promise<Response> => {
      const answer = handle(c)
      return answer instanceof Promise ? answer.then((sent) => toResponse(sent)) : toResponse(answer)
    })
  }
  // Loaded when it is asked for: the document costs a start more than the server does.
  app.get('/openapi.json', async (c) => {
    const { publicDocument } = await import('../openapi/public-document.ts')
    return respond(c, services, { status: 200, body: publicDocument() })
  })
}
