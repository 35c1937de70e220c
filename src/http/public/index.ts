// Spec 4: the public API, under both spellings of its path.
import type { Hono } from 'hono'
import type { AppEnv } from '../app-env.ts'
import type { Services } from '../services.ts'
import { banks } from './banks.ts'
import { cancelPayment } from './cancel-payment.ts'
import { createPayment } from './create-payment.ts'
import { createPayout } from './create-payout.ts'
import { events } from './events.ts'
import { getPayment } from './get-payment.ts'
import { getPayout } from './get-payout.ts'
import type { Operation } from './operation.ts'
import { refundPayment } from './refund-payment.ts'
import { createServe } from './serve.ts'

/** In the order of the spec. */
export const PUBLIC_OPERATIONS = {
  createPayment,
  getPayment,
  cancelPayment,
  refundPayment,
  createPayout,
  getPayout,
  banks,
  events,
}

export const PUBLIC_PREFIXES = ['/v1/public', '/api/v1/public'] as const

/** One handler per route: with a second one that matches, Hono would compose a chain for every request. */
export function mountPublic(app: Hono<AppEnv>, services: Services): void {
  const serve = createServe(services)
  const mount = <B>(operation: Operation<B>) => {
    const handler = serve(operation)
    for (const prefix of PUBLIC_PREFIXES) app.on(operation.method, `${prefix}${operation.path}`, handler)
  }
  mount(createPayment)
  mount(getPayment)
  mount(cancelPayment)
  mount(refundPayment)
  mount(createPayout)
  mount(getPayout)
  mount(banks)
  mount(events)
}
