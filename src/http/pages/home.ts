// The page at `/` for people who open the server's address in a browser. Programs get a 404.
import type { Payment } from '../../domain/payment.ts'
import { type AppContext, header } from '../app-env.ts'
import { awaitDurability } from '../await-durability.ts'
import { mayOpen } from '../control/guard.ts'
import { openEntry } from '../log-entry.ts'
import type { Services } from '../services.ts'
import { createLocalizer } from './localizer.ts'
import { LANGUAGES } from './messages.ts'
import { htmlResponse, type PageResponse, sendPage } from './page-response.ts'
import { home } from './views/home.ts'

/** The number of listed payments. */
const MAX_PAYMENTS = 8

/** Whether the client accepts HTML and does not ask for JSON. */
export function isHomeRequest(c: AppContext): boolean {
  const { method, path } = c.req
  if (path !== '/' || (method !== 'GET' && method !== 'HEAD')) return false
  const accept = header(c, 'accept') ?? ''
  return /\btext\/html\b/i.test(accept) && !/\bapplication\/json\b/i.test(accept)
}

/** Shows only data that the control API would return to the same caller. Other callers get the links of the 404. */
export async function showHome(c: AppContext, services: Services): Promise<Response> {
  const open = mayOpen(c, services.control)
  if (!open) openEntry(c, services)
  return sendPage(c, services, await awaitDurability(services.engine, 'read', () => homeResponse(c, services, open)))
}

function homeResponse(c: AppContext, services: Services, open: boolean): Promise<PageResponse> {
  const { timeline, version, payUrl } = services
  const asked = LANGUAGES.find((each) => each === c.req.query('lang'))
  const page = home({
    localizer: createLocalizer(asked, header(c, 'accept-language')),
    assets: 'pay/assets',
    query: asked === undefined ? '' : `?lang=${asked}`,
    server: open
      ? {
          base: payUrl(c),
          version,
          now: timeline.now(),
          clock: timeline.clock(),
          machine: services.systemClock.now(),
          payments: newest(services),
        }
      : undefined,
  })
  return htmlResponse(page, open ? 200 : 404, { Vary: 'Accept, Accept-Language' })
}

function newest({ engine: { world } }: Services): readonly Payment[] {
  const found: Payment[] = []
  for (const payment of world.rows('payments', 'newest')) if (found.push(payment) === MAX_PAYMENTS) break
  return found
}
