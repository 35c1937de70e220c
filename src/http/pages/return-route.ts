// Spec 3.4: the way back to the shop, and the faults of that way.
import { parseFault } from '../../domain/fault-syntax.ts'
import { paymentFacts } from '../../domain/object-facts.ts'
import { returnLocation } from '../../domain/return-url.ts'
import { requireSameState } from '../../engine/same-state.ts'
import type { AppContext } from '../app-env.ts'
import { createFaultDelay } from '../fault-delay.ts'
import type { Services } from '../services.ts'
import { openPageEntry, paymentIdOf, readPageRequest } from './page-request.ts'
import { htmlResponse, type PageResponse, redirectTo } from './page-response.ts'
import { returnDelay } from './page-step.ts'
import { missingPage } from './views/layout.ts'

/** A delayed buyer waits with the request open; the fault's removal lets go of it. */
export function createReturnRoute(services: Services): (c: AppContext) => Promise<PageResponse> {
  const { engine } = services
  const hold = createFaultDelay(services.engine, services.systemClock, services.closing)

  return async (c) => {
    const { generation } = engine
    const id = paymentIdOf(c)
    const payment = engine.world.get('payments', id)
    const entry = openPageEntry(c, services, payment)
    const request = readPageRequest(c, id)
    const { href } = request
    if (payment === undefined) return htmlResponse(missingPage(request), 404)
    if (payment.return_url === undefined || returnDelay(payment) === undefined) return redirectTo(href(''))
    const location = returnLocation(payment.return_url, payment.id, payment.status)
    // A person who presses the link of a page that lost its return means it.
    const meant = c.req.query('by') === 'hand'
    if (meant || c.req.method === 'HEAD' || engine.world.size('faults') === 0) return redirectTo(location)
    const faults = engine.execute('take_faults', {
      target: 'redirect',
      facts: { ...paymentFacts(payment), payment_id: payment.id },
    })
    // Nobody waits for a fault that the disk refused to count.
    await engine.written()
    requireSameState(engine, generation)
    entry.faults = faults.map(({ fault }) => fault)
    entry.fault_ids = faults.map(({ id: fault }) => fault)
    const parsed = faults.map(({ id, fault }) => ({ id, ...parseFault('redirect', fault) }))
    const delay = parsed.find(({ name }) => name === 'delay')
    if (delay !== undefined) await hold(delay.id, delay.value ?? 0)
    const dropped = parsed.some(({ name }) => name === 'drop')
    return redirectTo(dropped ? href('', { stay: 'dropped' }) : location)
  }
}
