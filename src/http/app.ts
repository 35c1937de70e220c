// The whole server as one function, Request to Response. Doors translate to and from it.
import { Hono } from 'hono'
import type { AppContext, AppEnv } from './app-env.ts'
import { guardUnknown, mountControl } from './control/index.ts'
import { answerError } from './errors.ts'
import { routeMissing } from './guards/route.ts'
import { openEntry } from './log-entry.ts'
import { mountPages } from './pages/index.ts'
import { mountPublic } from './public/index.ts'
import type { Services } from './services.ts'

/** `app.fetch(request, { incoming, outgoing }?)`. Rejects only with {@link ConnectionCut}, which doors carry out. */
export function createApp(services: Services): Hono<AppEnv> {
  const pages = room(services, (app, c) => {
    openEntry(c, services)
    throw routeMissing(app, c)
  })
  mountPages(pages, services)

  // The router is quick as long as no two of its paths overlap, as those of the pages do: they have one of their own.
  const api = room(services, (app, c) => {
    if (c.req.path.startsWith('/pay/')) return pages.fetch(c.req.raw, c.env)
    guardUnknown(c, services)
    if (!c.req.path.startsWith('/_psp/')) openEntry(c, services)
    throw routeMissing(app, c)
  })
  mountPublic(api, services)
  mountControl(api, services)
  return api
}

function room(
  services: Services,
  unknown: (app: Hono<AppEnv>, c: AppContext) => Response | Promise<Response>,
): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.notFound((c) => unknown(app, c))
  app.onError((error, c) => answerError(error, c, services))
  return app
}
