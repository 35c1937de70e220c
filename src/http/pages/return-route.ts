// Spec 3.4: the buyer's return to the shop, and its faults.
import { parseFault } from '../../domain/fault-syntax.ts'
import { paymentFacts } from '../../domain/match-fields.ts'
import type { Payment } from '../../domain/payment.ts'
import { isFinalPayment } from '../../domain/payment-states.ts'
import { returnLocation } from '../../domain/return-url.ts'
import { requireSameState } from '../../engine/engine.ts'
import type { AppContext } from '../app-env.ts'
import { createFaultDelay } from '../fault-delay.ts'
import type { Services } from '../services.ts'
import type { ActivityLog } from './activity.ts'
import { openPageEntry, paymentIdOf, readPageRequest } from './page-request.ts'
import { htmlResponse, type PageResponse, redirectTo } from './page-response.ts'
import { noticePage } from './views/layout.ts'

/** A `delay` fault keeps the request open. Removing the fault releases the request. */
export function createReturnRoute(services: Services, activity: ActivityLog): (c: AppContext) => Promise<PageResponse> {
  const { engine } = services
  const delayByFault = createFaultDelay(services.engine, services.systemClock, services.closing)

  return async (c) => {
    const id = paymentIdOf(c)
    const payment = engine.world.get('payments', id)
    const entry = openPageEntry(c, services, payment)
    const request = readPageRequest(c, services, id)
    const { href } = request
    if (payment === undefined) return htmlResponse(noticePage(request, 'missing'), 404)
    if (payment.return_url === undefined || !isFinalPayment(payment.status)) return redirectTo(href(''))
    const location = returnLocation(payment.return_url, payment.id, payment.status)
    // After a dropped return, the link on the page leads back without faults.
    const isByHand = c.req.query('by') === 'hand'
    const { host } = new URL(location)
    const record = (kind: 'returned' | 'dropped') => activity.add(id, { at: services.timeline.now(), kind, host })
    if (c.req.method === 'HEAD') return redirectTo(location)
    if (isByHand || engine.world.size('faults') === 0) {
      record('returned')
      return redirectTo(location)
    }
    const faults = await consumeFaults(payment, entry)
    const delay = faults.find(({ name }) => name === 'delay')
    if (delay !== undefined) await delayByFault(delay.id, delay.value ?? 0)
    const dropped = faults.some(({ name }) => name === 'drop')
    record(dropped ? 'dropped' : 'returned')
    return redirectTo(dropped ? href('', { stay: 'dropped' }) : location)
  }

  /** Counts the faults that apply to this return, and adds them to the log entry of the request. */
  async function consumeFaults(payment: Payment, entry: ReturnType<typeof openPageEntry>) {
    const { generation } = engine
    const facts = { ...paymentFacts(payment), payment_id: payment.id }
    const faults = engine.execute('consume_faults', { target: 'redirect', facts })
    // If the write fails, the faults are not counted and must not apply.
    await engine.written()
    requireSameState(engine, generation)
    entry.faults = faults.map(({ fault }) => fault)
    entry.fault_ids = faults.map(({ id }) => id)
    return faults.map(({ id, fault }) => ({ id, ...parseFault('redirect', fault) }))
  }
}
