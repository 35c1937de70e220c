// The hosted payment page: what the buyer sees at `payment_url`.
import type { Hono } from 'hono'
import { RefusalError } from '../../domain/errors.ts'
import type { Payment } from '../../domain/payment.ts'
import { replacesState } from '../../engine/commit.ts'
import { requireSameState } from '../../engine/same-state.ts'
import { type AppContext, type AppEnv, header } from '../app-env.ts'
import { awaitDurability, type Isolation } from '../await-durability.ts'
import { ConnectionAbortedError } from '../connection-aborted.ts'
import { errorObject, errorResponse } from '../errors.ts'
import { readBody } from '../read-body.ts'
import type { Services } from '../services.ts'
import { mountAssets } from './assets.ts'
import { chooseMethod, confirm, type PageAction, pay, reject } from './buyer-actions.ts'
import { createConfirmations } from './confirmations.ts'
import { createFormGuard } from './form-guard.ts'
import { type PageRoom, pageEntry, pageRequest, pageStatus, pageView, paymentIdOf } from './page-request.ts'
import { htmlResponse, isBrowser, jsonResponse, type PageResponse, redirectTo, sendPage } from './page-response.ts'
import { act, order } from './panel-actions.ts'
import { createReturnRoute } from './return-route.ts'
import { brokenPage, missingPage, stalePage, unknownChoicePage } from './views/layout.ts'
import { paymentPage } from './views/payment-page.ts'

/** A form posts to `/pay/<id>/<part>`. */
const ACTS: { readonly [part: string]: PageAction } = { method: chooseMethod, pay, confirm, reject, act, order }

/** Bytes of a form. */
const FORM_LIMIT = 16 * 1024

/** Mounts `/pay/…`. Middleware stays under that prefix: a handler that matches elsewhere slows every public call. */
export function mountPages(app: Hono<AppEnv>, services: Services): void {
  const room: PageRoom = {
    services,
    guard: createFormGuard(services.random, services.payUrl),
    confirmations: createConfirmations(),
  }
  services.engine.onCommit((commit) => {
    if (replacesState(commit)) room.confirmations.clear()
  })
  const goBack = createReturnRoute(services)
  mountAssets(app)
  app.get('/pay/:id', (c) => safely(c, services, () => showPage(c, room)))
  app.get('/pay/:id/status', (c) => safely(c, services, () => showStatus(c, room), 'read'))
  app.get('/pay/:id/return', (c) => safely(c, services, () => goBack(c)))
  for (const [part, pageAct] of Object.entries(ACTS)) {
    app.post(`/pay/:id/${part}`, (c) => safely(c, services, () => takeForm(c, room, pageAct)))
    // Where a reload or a copied address ends up after a form with mistakes.
    app.get(`/pay/:id/${part}`, (c) => safely(c, services, () => redirectTo(pageRequest(c, paymentIdOf(c)).href(''))))
  }
}

async function showPage(c: AppContext, room: PageRoom): Promise<PageResponse> {
  const { services } = room
  const { engine } = services
  const found = paymentOf(c, services)
  const person = isBrowser(c)
  if (person) pageEntry(c, services, found)
  const request = pageRequest(c, paymentIdOf(c))
  if (found === undefined) return htmlResponse(missingPage(request), 404)
  const payment = person ? engine.execute('open_page', { payment_id: found.id }) : found
  return htmlResponse(paymentPage(pageView(c, room, payment)))
}

function showStatus(c: AppContext, room: PageRoom): PageResponse {
  const payment = paymentOf(c, room.services)
  if (payment === undefined) return jsonResponse(404, errorObject('not_found', 'No such payment.'))
  return jsonResponse(200, pageStatus(room, payment))
}

async function takeForm(c: AppContext, room: PageRoom, pageAct: PageAction): Promise<PageResponse> {
  const { services, guard } = room
  const { generation } = services.engine
  const payment = paymentOf(c, services)
  pageEntry(c, services, payment)
  const request = pageRequest(c, paymentIdOf(c))
  if (payment === undefined) return htmlResponse(missingPage(request), 404)
  const form = await readForm(c)
  requireSameState(services.engine, generation)
  if (!guard.accepts(c, payment.id, form)) {
    return htmlResponse(stalePage(request, request.href('')), 403)
  }
  const errors = pageAct(room, services.engine.world.get('payments', payment.id) ?? payment, form)
  // Who steered from the panel goes on there.
  if (errors === undefined) return redirectTo(request.href('', isPanelAct(pageAct) ? { panel: 'open' } : {}))
  return htmlResponse(paymentPage(pageView(c, room, payment, errors)), 422)
}

function isPanelAct(pageAct: PageAction): boolean {
  return pageAct === act || pageAct === order
}

async function readForm(c: AppContext): Promise<URLSearchParams> {
  const bytes = await readBody(c, FORM_LIMIT)
  const type = header(c, 'content-type') ?? ''
  return new URLSearchParams(/^application\/x-www-form-urlencoded\b/i.test(type) ? bytes.toString('utf8') : '')
}

/** The answer once it may leave; a refusal or a fault of this program is a page for people. */
async function safely(
  c: AppContext,
  services: Services,
  answer: () => PageResponse | Promise<PageResponse>,
  telling: Isolation = 'change',
): Promise<Response> {
  const made = await awaitDurability(services.engine, telling, answer).catch((error: unknown) =>
    refusal(c, services, error),
  )
  return sendPage(c, services, made)
}

function refusal(c: AppContext, services: Services, error: unknown): PageResponse | Promise<PageResponse> {
  if (error instanceof ConnectionAbortedError) throw error
  const request = pageRequest(c, paymentIdOf(c))
  const { href } = request
  // The payment moved on, or the state was replaced, while the request was in progress: the page shows what holds now.
  if (error instanceof RefusalError && (error.code === 'not_allowed' || error.code === 'sandbox_reset'))
    return redirectTo(href(''))
  if (error instanceof RefusalError && error.code === 'bad_request') {
    return htmlResponse(unknownChoicePage(request, href(''), error.message), 400)
  }
  const { status, headers } = errorResponse(error, services)
  return htmlResponse(brokenPage(request, href('')), status, headers)
}

function paymentOf(c: AppContext, { engine }: Services): Payment | undefined {
  return engine.world.get('payments', paymentIdOf(c))
}
