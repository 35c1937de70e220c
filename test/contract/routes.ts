// Spec 4: paths and methods.
import { expect } from 'vitest'
import { BANK, call, createPayment, createPayout, get, PAYMENTS, post } from './caller.ts'
import { section } from './case.ts'

const of = section('4')

const OPERATIONS = [
  ['POST', '/payments', 'POST'],
  ['GET', '/payments/1', 'GET, HEAD'],
  ['POST', '/payments/1/cancel', 'POST'],
  ['POST', '/payments/1/refund', 'POST'],
  ['POST', '/payouts', 'POST'],
  ['GET', '/payouts/1', 'GET, HEAD'],
  ['GET', '/banks/sbp', 'GET, HEAD'],
  ['GET', '/events', 'GET, HEAD'],
] as const

export const ROUTE_CASES = [
  ...OPERATIONS.flatMap(([method, path, allow]) =>
    ['/v1/public', '/api/v1/public'].flatMap((prefix) => [
      of(`${method} ${prefix}${path} is there`, async (adapter) => {
        const reply = await call(adapter, method, `${prefix}${path}`, { key: null })
        expect(reply.status).toBe(401)
      }),
      of(`another method on ${prefix}${path} is 405 with Allow, before 401`, async (adapter) => {
        for (const wrong of ['DELETE', 'PUT', 'PATCH', 'OPTIONS', method === 'GET' ? 'POST' : 'GET']) {
          const reply = await call(adapter, wrong, `${prefix}${path}`, { key: null })
          expect(reply.status).toBe(405)
          expect(reply.body.error.code).toBe('method_not_allowed')
          expect(reply.headers.get('allow')).toBe(allow)
        }
      }),
    ]),
  ),
  of('an unknown path is 404 even without a key', async (adapter) => {
    for (const path of ['/v1/public', '/v1/public/nothing', '/v2/public/payments', '/api/payments', '/payments']) {
      const reply = await get(adapter, path, { key: null })
      expect(reply.status).toBe(404)
      expect(reply.body.error.code).toBe('not_found')
    }
  }),
  of('a trailing or doubled slash makes another path', async (adapter) => {
    for (const path of ['/v1/public/payments/', '/v1/public//payments', '/v1/public/banks/sbp/']) {
      expect((await post(adapter, path, { amount: 1 })).status).toBe(404)
    }
  }),
  of('both spellings of the path use the same state', async (adapter) => {
    const { body } = await post(adapter, '/api/v1/public/payments', { amount: 100 })
    expect((await get(adapter, `${PAYMENTS}/${body.payment.id}`)).body).toEqual(body.payment)
  }),
  of('HEAD has the response of GET without a body', async (adapter) => {
    const { body } = await createPayment(adapter)
    const reply = await call(adapter, 'HEAD', `${PAYMENTS}/${body.payment.id}`)
    expect(reply.status).toBe(200)
    expect(reply.text).toBe('')
    expect((await call(adapter, 'HEAD', '/v1/public/banks/sbp', { key: null })).status).toBe(401)
    expect((await call(adapter, 'HEAD', `${PAYMENTS}`)).status).toBe(405)
  }),
  of('an id can be in upper case', async (adapter) => {
    const { body } = await createPayment(adapter)
    const reply = await get(adapter, `${PAYMENTS}/${body.payment.id.toUpperCase()}`)
    expect(reply.body).toEqual(body.payment)
    const payout = (await createPayout(adapter, { bank_id: BANK })).body.payout
    expect((await get(adapter, `/v1/public/payouts/${payout.id.toUpperCase()}`)).body).toEqual(payout)
  }),
  of('an id that is not a UUID or does not exist is 404', async (adapter) => {
    const none = '00000000-0000-4000-8000-000000000000'
    for (const id of [none, '1', 'x'.repeat(3000), '%00', '%D1%8F', '__proto__', 'constructor', '*']) {
      for (const reply of [
        await get(adapter, `${PAYMENTS}/${id}`),
        await get(adapter, `/v1/public/payouts/${id}`),
        await post(adapter, `${PAYMENTS}/${id}/cancel`),
        await post(adapter, `${PAYMENTS}/${id}/refund`),
      ]) {
        expect(reply.status).toBe(404)
        expect(reply.body.error.code).toBe('not_found')
      }
    }
  }),
  of('an object of another shop, merchant or mode is 404', async (adapter) => {
    const { body } = await createPayment(adapter)
    const payout = (await createPayout(adapter)).body.payout
    const sibling = await adapter.arrange.shop({ merchant_id: adapter.shop.merchant_id })
    const stranger = await adapter.arrange.shop({})
    await adapter.arrange.shop({ merchant_id: adapter.shop.merchant_id, live_enabled: true })
    const live = await adapter.arrange.key(adapter.shop.shop_id, 'live')
    for (const key of [sibling.api_key, stranger.api_key, live]) {
      for (const path of [`${PAYMENTS}/${body.payment.id}`, `/v1/public/payouts/${payout.id}`]) {
        expect((await get(adapter, path, { key })).status).toBe(404)
      }
      expect((await post(adapter, `${PAYMENTS}/${body.payment.id}/cancel`, undefined, { key })).status).toBe(404)
      expect((await post(adapter, `${PAYMENTS}/${body.payment.id}/refund`, {}, { key })).status).toBe(404)
    }
    expect((await get(adapter, `${PAYMENTS}/${body.payment.id}`)).body.status).toBe('pending')
  }),
  of('a response is JSON in UTF-8 without caching and without access for other origins', async (adapter) => {
    for (const reply of [
      await createPayment(adapter),
      await get(adapter, '/nowhere'),
      await get(adapter, `${PAYMENTS}/1`),
    ]) {
      expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(reply.headers.get('cache-control')).toBe('no-store')
      expect(reply.headers.get('access-control-allow-origin')).toBeNull()
    }
  }),
]
