// The hosted payment page, which the buyer opens at `payment_url`.
import type { Hono } from 'hono'
import { RefusalError } from '../../domain/errors.ts'
import type { Payment } from '../../domain/payment.ts'
import { replacesState } from '../../engine/commit.ts'
import { requireSameState } from '../../engine/engine.ts'
import { type AppContext, type AppEnv, header } from '../app-env.ts'
import { awaitWrites, type OperationKind } from '../await-writes.ts'
import { ConnectionAbortedError } from '../connection-aborted.ts'
import { errorObject, errorResponse } from '../errors.ts'
import { readBody } from '../read-body.ts'
import type { Services } from '../services.ts'
import { createActivityLog } from './activity.ts'
import { mountAssets } from './assets.ts'
import { confirm, type PageAction, pay, reject } from './buyer-actions.ts'
import { createConfirmations } from './confirmations.ts'
import { createFormGuard } from './form-guard.ts'
import {
  createPageStatus,
  createPageView,
  openPageEntry,
  type PageContext,
  paymentIdOf,
  readMethod,
  readPageRequest,
} from './page-request.ts'
import { htmlResponse, isPageVisit, jsonResponse, type PageResponse, redirectTo, sendPage } from './page-response.ts'
import { decideOutcome, setWebhookAndReturnOrder } from './panel-actions.ts'
import { createReturnRoute } from './return-route.ts'
import { noticePage } from './views/layout.ts'
import { paymentPage } from './views/payment-page.ts'

/** The actions by the part of `/pay/<id>/<part>` to which a form posts. `order` is the order of webhook and return. */
const FORM_ACTIONS: { readonly [part: string]: PageAction } = {
  pay,
  confirm,
  reject,
  act: decideOutcome,
  order: setWebhookAndReturnOrder,
}

/** Maximum bytes of a form. */
const FORM_LIMIT = 16 * 1024

/** Mounts `/pay/…`. */
export function mountPages(app: Hono<AppEnv>, services: Services): void {
  const context: PageContext = {
    services,
    guard: createFormGuard(services.random, services.payUrl),
    confirmations: createConfirmations(),
    activity: createActivityLog(services.engine, services.controlHub),
  }
  services.engine.onCommit((commit) => {
    if (replacesState(commit)) context.confirmations.clear()
  })
  const goBack = createReturnRoute(services, context.activity)
  mountAssets(app)
  app.get('/pay/:id', (c) => respond(c, services, () => showPage(c, context)))
  app.get('/pay/:id/status', (c) => respond(c, services, () => showStatus(c, context), 'read'))
  app.get('/pay/:id/return', (c) => respond(c, services, () => goBack(c)))
  for (const [part, action] of Object.entries(FORM_ACTIONS)) {
    app.post(`/pay/:id/${part}`, (c) => respond(c, services, () => submitForm(c, context, action)))
    // After a form with mistakes, a reload or a copied address leads here.
    app.get(`/pay/:id/${part}`, (c) =>
      respond(c, services, () => redirectTo(readPageRequest(c, services, paymentIdOf(c)).href(''))),
    )
  }
}

async function showPage(c: AppContext, context: PageContext): Promise<PageResponse> {
  const { services } = context
  const { engine } = services
  const found = paymentOf(c, services)
  const isVisit = isPageVisit(c)
  if (isVisit) openPageEntry(c, services, found)
  const request = readPageRequest(c, services, paymentIdOf(c))
  if (found === undefined) return htmlResponse(noticePage(request, 'missing'), 404)
  const payment = isVisit ? engine.execute('open_page', { payment_id: found.id }) : found
  if (isVisit) context.activity.open(payment)
  return htmlResponse(paymentPage(createPageView(c, context, payment)))
}

function showStatus(c: AppContext, context: PageContext): PageResponse {
  const payment = paymentOf(c, context.services)
  if (payment === undefined) return jsonResponse(404, errorObject('not_found', 'The payment does not exist.'))
  return jsonResponse(200, createPageStatus(context, payment, readMethod(c)))
}

async function submitForm(c: AppContext, context: PageContext, action: PageAction): Promise<PageResponse> {
  const { services, guard } = context
  const { generation } = services.engine
  const payment = paymentOf(c, services)
  openPageEntry(c, services, payment)
  const request = readPageRequest(c, services, paymentIdOf(c))
  if (payment === undefined) return htmlResponse(noticePage(request, 'missing'), 404)
  const form = await readForm(c)
  requireSameState(services.engine, generation)
  if (!guard.accepts(c, payment.id, form)) return htmlResponse(noticePage(request, 'invalid_form'), 403)
  const errors = action(context, services.engine.world.get('payments', payment.id) ?? payment, form)
  // After an action on the panel, the panel stays open.
  if (errors === undefined) return redirectTo(request.href('', isPanelAction(action) ? { panel: 'open' } : {}))
  return htmlResponse(paymentPage(createPageView(c, context, payment, errors)), 422)
}

function isPanelAction(action: PageAction): boolean {
  return action === decideOutcome || action === setWebhookAndReturnOrder
}

async function readForm(c: AppContext): Promise<URLSearchParams> {
  const bytes = await readBody(c, FORM_LIMIT)
  const type = header(c, 'content-type') ?? ''
  return new URLSearchParams(/^application\/x-www-form-urlencoded\b/i.test(type) ? bytes.toString('utf8') : '')
}

/**
 * Sends the response when the commits it is based on are written. If the state changed during the request, the response
 * redirects to the current page. Other refused requests and internal errors get an error page.
 */
async function respond(
  c: AppContext,
  services: Services,
  createResponse: () => PageResponse | Promise<PageResponse>,
  kind: OperationKind = 'change',
): Promise<Response> {
  const response = await awaitWrites(services.engine, kind, createResponse).catch((error: unknown) =>
    errorPage(c, services, error),
  )
  return sendPage(c, services, response)
}

function errorPage(c: AppContext, services: Services, error: unknown): PageResponse | Promise<PageResponse> {
  if (error instanceof ConnectionAbortedError) throw error
  const request = readPageRequest(c, services, paymentIdOf(c))
  const code = error instanceof RefusalError ? error.code : undefined
  // The payment or the whole state changed during the request, so show the current page.
  if (code === 'not_allowed' || code === 'sandbox_reset') return redirectTo(request.href(''))
  if (error instanceof RefusalError && code === 'bad_request') {
    return htmlResponse(noticePage(request, 'unknown_choice', { given: error.message }), 400)
  }
  const { status, headers } = errorResponse(error, services)
  return htmlResponse(noticePage(request, 'internal_error'), status, headers)
}

function paymentOf(c: AppContext, { engine }: Services): Payment | undefined {
  return engine.world.get('payments', paymentIdOf(c))
}
