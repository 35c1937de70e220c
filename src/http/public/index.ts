// Spec 4: the public API, under both spellings of its path, and the document that describes it.
import type { Hono } from 'hono'
import type { AppEnv } from '../app-env.ts'
import { send } from '../respond.ts'
import type { Services } from '../services.ts'
import type { Operation } from './operation.ts'
import { PUBLIC_OPERATIONS } from './operations.ts'
import { createServe } from './serve.ts'

const PREFIXES = ['/v1/public', '/api/v1/public']

/** One handler per route: with a second one that matches, Hono would compose a chain for every request. */
export function mountPublic(app: Hono<AppEnv>, services: Services): void {
  const serve = createServe(services)
  for (const operation of Object.values(PUBLIC_OPERATIONS) as unknown as Operation[]) {
    const handler = serve(operation)
    for (const prefix of PREFIXES) app.on(operation.method, `${prefix}${operation.path}`, handler)
  }
  // Loaded when it is asked for: the document costs a start more than the server does.
  app.get('/openapi.json', async (c) => {
    const { publicDocument } = await import('../openapi/public-document.ts')
    return send(c, services, { status: 200, body: publicDocument() })
  })
}
