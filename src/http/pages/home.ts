// The dashboard at `/` and `/ui/…`. Clients that ask for JSON get a 404 instead. The document also contains a page for
// browsers without JavaScript: the server, its latest payments and its documents.
import type { Payment } from '../../domain/payment.ts'
import { type AppContext, header } from '../app-env.ts'
import { awaitWrites } from '../await-writes.ts'
import { type PageAccess, pageAccess } from '../control/guard.ts'
import { openEntry } from '../log-entry.ts'
import type { Services } from '../services.ts'
import { createLocalizer } from './localizer.ts'
import { LANGUAGES } from './messages.ts'
import { acceptsHtml, DASHBOARD_POLICY, htmlResponse, type PageResponse, sendPage } from './page-response.ts'
import { home } from './views/home.ts'
import type { DashboardLinks } from './views/layout.ts'

const MAX_PAYMENTS = 8

/** A view of the dashboard, such as `/ui/payments/3f2a…`. The script finds the view by the path. */
const DASHBOARD_PATH = /^\/(ui(\/[^/]*){0,3})?$/

/**
 * Returns whether the request is for the dashboard. `curl` and health checks accept any type and get the page. A client
 * that names JSON is probably a program with a wrong base URL.
 */
export function isHomeRequest(c: AppContext, services: Services): boolean {
  const { method, path } = c.req
  if (!DASHBOARD_PATH.test(path) || (method !== 'GET' && method !== 'HEAD')) return false
  if (path !== '/' && services.dashboardFiles.manifest() === undefined) return false
  return acceptsHtml(c) && !/\bapplication\/json\b/i.test(header(c, 'accept') ?? '')
}

/**
 * Shows only data that the control API would return to the same caller. If only the token is missing, the dashboard
 * asks for it. Other callers get a 404 page with links.
 */
export async function showHome(c: AppContext, services: Services): Promise<Response> {
  const access = pageAccess(c, services.control)
  if (access === 'none') openEntry(c, services)
  return sendPage(c, services, await awaitWrites(services.engine, 'read', () => homeResponse(c, services, access)))
}

function homeResponse(c: AppContext, services: Services, access: PageAccess): Promise<PageResponse> {
  const { timeline, version, payUrl } = services
  const asked = LANGUAGES.find((each) => each === c.req.query('lang'))
  const root = rootOf(c.req.path)
  // Without the token the dashboard shows its sign-in form, so its document must not contain data.
  const dashboard = access === 'none' ? undefined : dashboardLinks(services, root)
  const page = home({
    localizer: createLocalizer(asked, header(c, 'accept-language'), services.pspCommand),
    assets: `${root}pay/assets`,
    query: asked === undefined ? '' : `?lang=${asked}`,
    root,
    dashboard,
    server:
      access === 'full'
        ? {
            base: payUrl(c),
            version,
            now: timeline.now(),
            clock: timeline.clock(),
            systemNow: services.systemClock.now(),
            payments: newest(services),
          }
        : undefined,
  })
  const status = access === 'full' || dashboard !== undefined ? 200 : 404
  const policy = dashboard === undefined ? {} : DASHBOARD_POLICY
  return htmlResponse(page, status, { Vary: 'Accept, Accept-Language', ...policy })
}

/** Returns the relative path of the server's root, because a proxy may add a prefix to every path. */
function rootOf(path: string): string {
  return '../'.repeat(path.split('/').length - 2)
}

function dashboardLinks({ dashboardFiles }: Services, root: string): DashboardLinks | undefined {
  const manifest = dashboardFiles.manifest()
  if (manifest === undefined) return undefined
  const link = (name: string) => `${root}assets/${name}`
  const { script, style, preload } = manifest
  return { root: root === '' ? './' : root, script: link(script), style: link(style), preload: preload.map(link) }
}

function newest({ engine: { world } }: Services): readonly Payment[] {
  const found: Payment[] = []
  for (const payment of world.rows('payments', 'newest')) if (found.push(payment) === MAX_PAYMENTS) break
  return found
}
