// The whole server as one function from Request to Response, and a fast path for Node. Adapters call one of the two.
import { Hono } from 'hono'
import type { HonoOptions } from 'hono/hono-base'
import type { AppContext, AppEnv } from './app-env.ts'
import { isAnonymous } from './control/guard.ts'
import { guardUnknownPath, mountControl } from './control/index.ts'
import { assetResponse } from './dashboard/asset-response.ts'
import { refuseDryRun } from './dry-run.ts'
import { respondWithError } from './errors.ts'
import { unknownRouteError } from './guards/not-found.ts'
import type { KnownRoute } from './guards/path-suggestions.ts'
import { openEntry } from './log-entry.ts'
import { createFastPath, type FastPath } from './node-fast-path.ts'
import { isHomeRequest, showHome } from './pages/home.ts'
import { mountPages } from './pages/index.ts'
import { mountPublic, publicRoutes } from './public/index.ts'
import type { Services } from './services.ts'
import { createSharedRouter } from './shared-router.ts'

export interface App {
  /** `api.fetch` rejects only with `ConnectionAbortedError`, for which the adapter breaks the connection. */
  readonly api: Hono<AppEnv>
  readonly fastPath: FastPath
}

export function createApp(services: Services): App {
  const pages = createHonoApp(services, {}, (app, c) => {
    openEntry(c, services)
    throw unknownRouteError(app, c, app.routes)
  })
  mountPages(pages, services)

  // The shared router rejects paths that overlap. The paths of the pages overlap, so they have a separate router.
  const api = createHonoApp(services, { router: createSharedRouter() }, (app, c) => {
    if (c.req.path.startsWith('/pay/')) {
      refuseDryRun(c)
      return pages.fetch(c.req.raw, c.env)
    }
    if (isHomeRequest(c, services)) return showHome(c, services)
    const asset = assetResponse(c, services.dashboardFiles)
    if (asset !== undefined) return asset
    guardUnknownPath(c, services)
    if (!c.req.path.startsWith('/_psp/')) openEntry(c, services)
    throw unknownRouteError(app, c, visibleRoutes(c, app, services))
  })
  const routes = publicRoutes(services)
  mountPublic(api, services, routes)
  mountControl(api, services)
  return { api, fastPath: createFastPath(services, routes) }
}

/** Hides the routes of the control API, except the health check, from an anonymous caller. */
function visibleRoutes(c: AppContext, { routes }: Hono<AppEnv>, { control }: Services): readonly KnownRoute[] {
  if (!isAnonymous(c, control)) return routes
  return routes.filter(({ path }) => !path.startsWith('/_psp/') || path === '/_psp/health')
}

function createHonoApp(
  services: Services,
  options: HonoOptions<AppEnv>,
  onUnknownPath: (app: Hono<AppEnv>, c: AppContext) => Response | Promise<Response>,
): Hono<AppEnv> {
  const app = new Hono<AppEnv>(options)
  app.notFound((c) => onUnknownPath(app, c))
  app.onError((error, c) => respondWithError(error, c, services))
  return app
}
