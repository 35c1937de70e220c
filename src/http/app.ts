// The whole server as one function, Request to Response. Doors translate to and from it.
import { Hono } from 'hono'
import type { AppEnv } from './app-env.ts'
import { guardUnknown, mountControl } from './control/index.ts'
import { answerError } from './errors.ts'
import { routeMissing } from './guards/route.ts'
import { openEntry } from './log-entry.ts'
import { mountPages } from './pages/index.ts'
import { mountPublic } from './public/index.ts'
import type { Services } from './services.ts'

/** `app.fetch(request, { incoming, outgoing }?)`. Rejects only with {@link ConnectionCut}, which doors carry out. */
export function createApp(services: Services): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  mountPublic(app, services)
  mountControl(app, services)
  mountPages(app, services)
  app.notFound((c) => {
    guardUnknown(c, services)
    if (!c.req.path.startsWith('/_psp/')) openEntry(c, services)
    throw routeMissing(app, c)
  })
  app.onError((error, c) => answerError(error, c, services))
  return app
}
