// Reads a request for a payment's page: its language, its view and its links.
import { THREE_DS_CODES } from '../../domain/magic.ts'
import type { Payment } from '../../domain/payment.ts'
import { PAGE_METHODS, type PageMethod } from '../../domain/payment-methods.ts'
import { type AppContext, header } from '../app-env.ts'
import { openEntry } from '../log-entry.ts'
import type { LoggedRequest } from '../request-log.ts'
import type { Services } from '../services.ts'
import type { ActivityLog } from './activity.ts'
import type { CardErrors } from './card-form.ts'
import type { Confirmations } from './confirmations.ts'
import type { FormGuard } from './form-guard.ts'
import { createLocalizer, type Localizer } from './localizer.ts'
import { LANGUAGES } from './messages.ts'
import { pageVersion, paymentDeadline, returnDelay, stepOfPayment } from './page-step.ts'
import { currentArrivalOrder, pendingFaults } from './panel-faults.ts'
import { historyOf, historyVersion } from './payment-history.ts'
import type { Clock, PageView, ViewQuery } from './views/page-view.ts'

/** Returns the payment's id in lower case, or `unknown` if it is not a UUID, to keep other text out of links. */
export function paymentIdOf(c: AppContext): string {
  const id = (c.req.param('id') ?? '').toLowerCase()
  return /^[0-9a-f-]{36}$/.test(id) ? id : 'unknown'
}

/**
 * Returns the method that this browser tab shows, from the query. The payment gets it only when the buyer pays or
 * declines.
 */
export function readMethod(c: AppContext): PageMethod | undefined {
  const asked = c.req.query('method')
  return PAGE_METHODS.find((method) => method === asked)
}

/** Opens the entry of the request log. The body is not logged, because it may contain a card number. */
export function openPageEntry(c: AppContext, services: Services, payment: Payment | undefined): LoggedRequest {
  const entry = openEntry(c, services)
  if (payment === undefined) return entry
  entry.object_id = payment.id
  entry.shop_id = payment.shop_id
  entry.mode = payment.mode
  return entry
}

/** Shared by all pages of a server. */
export interface PageContext {
  readonly services: Services
  readonly guard: FormGuard
  readonly confirmations: Confirmations
  readonly activity: ActivityLog
}

export interface PageRequest {
  readonly localizer: Localizer
  readonly query: ViewQuery
  /** Base path of the page's assets. */
  readonly assets: string
  href(part: string, query?: { readonly [name: string]: string | number | undefined }): string
}

export function readPageRequest(c: AppContext, { pspCommand }: Services, paymentId: string): PageRequest {
  const asked = c.req.query('lang')
  const lang = LANGUAGES.find((each) => each === asked)
  const stay = c.req.query('stay')
  const card = c.req.query('card')
  const bank = c.req.query('bank')
  const root = pathToPages(c.req.path)
  const search = c.req.query('q')?.trim().slice(0, 100)
  const method = readMethod(c)
  return {
    localizer: createLocalizer(asked, header(c, 'accept-language'), pspCommand),
    query: {
      method,
      app: c.req.query('view') === 'app',
      panel: c.req.query('panel') === 'open',
      stay: stay !== undefined,
      dropped: stay === 'dropped',
      bank: bank !== undefined && /^\d{12}$/.test(bank) ? bank : undefined,
      search: search === '' ? undefined : search,
      code: Object.values(THREE_DS_CODES).find((code) => code === c.req.query('code')),
      test_card: card !== undefined && /^\d{1,2}$/.test(card) ? Number(card) : undefined,
    },
    assets: `${root}assets`,
    href(part, query = {}) {
      const given = new URLSearchParams()
      for (const [name, value] of Object.entries({ lang, method, ...query })) {
        if (value !== undefined) given.set(name, String(value))
      }
      const text = given.toString()
      return `${root}${paymentId}${part === '' ? '' : `/${part}`}${text === '' ? '' : `?${text}`}`
    },
  }
}

/**
 * Returns the relative path to `/pay/`. Links are relative, because a proxy or Mock Service Worker may remove a path
 * prefix before the request reaches the sandbox.
 */
function pathToPages(path: string): string {
  return path.split('/').length > '/pay/id'.split('/').length ? '../' : ''
}

export function createPageView(
  c: AppContext,
  { services, guard, confirmations, activity }: PageContext,
  payment: Payment,
  errors?: CardErrors,
): PageView {
  const { world } = services.engine
  const confirming = confirmations.get(payment.id)
  const request = readPageRequest(c, services, payment.id)
  const picked = request.query.method
  const step = stepOfPayment(payment, confirming !== undefined, picked)
  const faults = pendingFaults(world, payment)
  const isMethodOpen = payment.method === 'any'
  return {
    ...request,
    payment,
    method: isMethodOpen ? ((step === 'three_ds' ? confirming?.method : picked) ?? 'any') : payment.method,
    shop: world.get('shops', payment.shop_id)?.name ?? '',
    step,
    version: pageVersion(payment, step, confirming?.round),
    clock: clockOf(services),
    deadline: paymentDeadline(payment),
    returns_after: returnDelay(payment),
    url: `${services.payUrl(c)}/pay/${payment.id}${isMethodOpen && picked !== undefined ? `?method=${picked}` : ''}`,
    formToken: guard.token(payment.id),
    confirming,
    errors,
    faults,
    arrivalOrder: currentArrivalOrder(faults, payment),
    history: historyOf(services, payment, activity.of(payment.id)),
    historyVersion: historyVersion(services, payment, activity.of(payment.id)),
  }
}

/** Returns the data with which the script follows the payment and counts down. */
export function createPageStatus(
  { services, confirmations, activity }: PageContext,
  payment: Payment,
  picked: PageMethod | undefined,
) {
  const confirming = confirmations.get(payment.id)
  const step = stepOfPayment(payment, confirming !== undefined, picked)
  return {
    status: payment.status,
    method: payment.method,
    step,
    version: pageVersion(payment, step, confirming?.round),
    historyVersion: historyVersion(services, payment, activity.of(payment.id)),
    ...clockOf(services),
    deadline: paymentDeadline(payment) ?? null,
    returns_after: returnDelay(payment) ?? null,
  }
}

function clockOf({ timeline }: Services): Clock {
  const { mode, speed } = timeline.clock()
  return { now: timeline.now(), speed: mode === 'frozen' ? 0 : mode === 'real' ? 1 : speed }
}
