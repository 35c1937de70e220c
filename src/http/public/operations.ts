// Spec 4: the operations of the public API. Each operation with a body has its own file.

import { type Bank, bankDirectory } from '../../domain/bank.ts'
import { refuse } from '../../domain/errors.ts'
import { presentPayment } from '../../domain/payment.ts'
import { presentPayout } from '../../domain/payout.ts'
import { findPayment } from '../../engine/require-row.ts'
import { STREAM_HEADERS } from '../respond.ts'
import { createPayment } from './create-payment.ts'
import { createPayout } from './create-payout.ts'
import { operation } from './operation.ts'
import { refundPayment } from './refund-payment.ts'

/** Spec 4.2: GET /v1/public/payments/{id}. */
const getPayment = operation({
  name: 'payment.get',
  method: 'GET',
  path: '/payments/:id',
  errors: ['not_found'],
  run({ id, given_id, world, shop, caller, serializePayment }) {
    const payment = findPayment(world, caller, given_id)
    const refunds = world.find('refunds', 'by_payment', id)
    if (refunds.length > 0) return { status: 200, body: presentPayment(payment, refunds, shop, world.settings) }
    // Only payments without refunds are cached.
    const { body, text } = serializePayment(payment, shop, world.settings)
    return { status: 200, body, text }
  },
})

/** Spec 4.3: POST /v1/public/payments/{id}/cancel. */
const cancelPayment = operation({
  name: 'payment.cancel',
  method: 'POST',
  path: '/payments/:id/cancel',
  errors: ['not_found', 'not_pending'],
  run({ services, caller, given_id }) {
    const { status } = services.engine.execute('cancel_payment', { caller, payment_id: given_id })
    return { status: 200, body: { status } }
  },
})

/** Spec 4.6: GET /v1/public/payouts/{id}. */
const getPayout = operation({
  name: 'payout.get',
  method: 'GET',
  path: '/payouts/:id',
  errors: ['not_found'],
  run({ id, given_id, world, shop, caller }) {
    const payout = world.get('payouts', id)
    if (payout === undefined || payout.shop_id !== shop.id || payout.mode !== caller.mode) {
      throw refuse('not_found', `There is no payout ${given_id.slice(0, 64)} for this API key.`)
    }
    return { status: 200, body: presentPayout(payout, shop, world.settings) }
  },
})

/** The response body for each bank list. The lists never change. */
const BANK_RESPONSES = new WeakMap<readonly Bank[], string>()

/** Spec 4.7: GET /v1/public/banks/sbp. */
const listBanks = operation({
  name: 'banks',
  method: 'GET',
  path: '/banks/sbp',
  errors: [],
  run({ world }) {
    const items = bankDirectory(world.settings.banks)
    const text = BANK_RESPONSES.get(items) ?? JSON.stringify({ items })
    BANK_RESPONSES.set(items, text)
    return { status: 200, body: { items }, text }
  },
})

/** Spec 4.8 and 6.2: GET /v1/public/events. */
const streamEvents = operation({
  name: 'events',
  method: 'GET',
  path: '/events',
  streams: true,
  errors: ['stream_busy'],
  run({ services, key, method }) {
    // A HEAD request has no body and must not replace the only stream of the key.
    if (method === 'HEAD') return { status: 200, body: null, headers: STREAM_HEADERS }
    const stream = services.streams.open({ key_id: key.id, shop_id: key.shop_id, mode: key.mode })
    return { status: 200, body: null, headers: STREAM_HEADERS, stream }
  },
})

/** In the order of the specification. */
export const PUBLIC_OPERATIONS = {
  createPayment,
  getPayment,
  cancelPayment,
  refundPayment,
  createPayout,
  getPayout,
  listBanks,
  streamEvents,
}
