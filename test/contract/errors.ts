// Spec 7: the error object, and errors that only the simulator causes.
import { expect } from 'vitest'
import { createPayment, createPayout, expectLogged, get, PAYMENTS, post } from './caller.ts'
import { section } from './case.ts'

const of = section('7')

export const ERROR_CASES = [
  of('an error is { error: { code, message } } and nothing else', async (adapter) => {
    for (const reply of [
      await get(adapter, '/nowhere'),
      await get(adapter, `${PAYMENTS}/1`),
      await get(adapter, PAYMENTS),
      await get(adapter, `${PAYMENTS}/1`, { key: null }),
      await createPayment(adapter, { amount: 0 }),
      await createPayout(adapter, { bank_id: '123456789012' }),
    ]) {
      expect(Object.keys(reply.body)).toEqual(['error'])
      expect(Object.keys(reply.body.error)).toEqual(['code', 'message'])
      expect(reply.body.error.message).toMatch(/\w.*[.…]$/s)
    }
  }),
  ...(
    [
      ['aml_blocked', 403],
      ['forbidden_purpose', 403],
      ['rate_limited', 429],
      ['router_error', 502],
      ['internal_error', 500],
    ] as const
  ).map(([code, status]) =>
    of(`error:${code} refuses the request with ${status}, and nothing is made`, async (adapter) => {
      const headers = { 'X-PSP-Simulate': `error:${code}`, 'Idempotency-Key': 'k' }
      const reply = await createPayment(adapter, {}, { headers })
      expect([reply.status, reply.body.error.code]).toEqual([status, code])
      expect(reply.headers.get('retry-after')).toBe(status === 429 ? '1' : null)
      await expectLogged(adapter, { status, code, decided_by: 'header' })
      expect((await createPayment(adapter, {}, { headers: { 'Idempotency-Key': 'k' } })).status).toBe(201)
    }),
  ),
  of('a magic description or amount can reject a request', async (adapter) => {
    const purpose = await createPayment(adapter, { description: 'x FORBIDDEN_PURPOSE y' })
    expect([purpose.status, purpose.body.error.code]).toEqual([403, 'forbidden_purpose'])
    const blocked = await createPayment(adapter, { amount: 10_093 })
    expect([blocked.status, blocked.body.error.code]).toEqual([403, 'aml_blocked'])
    await expectLogged(adapter, { decided_by: 'magic amount 93' })
  }),
  of('a fault status:<code> responds instead of the operation, as many times as it is set', async (adapter) => {
    for (const [status, code] of [
      [500, 'internal_error'],
      [503, 'simulated_fault'],
      [429, 'rate_limited'],
    ] as const) {
      await adapter.arrange.fault('api', `status:${status}`, 1)
      const reply = await createPayment(adapter)
      expect([reply.status, reply.body.error.code]).toEqual([status, code])
      expect(reply.headers.get('retry-after')).toBe(status === 500 ? null : '1')
      expect((await createPayment(adapter)).status).toBe(201)
    }
  }),
  of('a fault cut breaks the connection after the commit', async (adapter) => {
    await adapter.arrange.fault('api', 'cut', 1)
    const headers = { 'Idempotency-Key': 'k' }
    await expect(createPayment(adapter, {}, { headers })).rejects.toThrow()
    expect((await createPayment(adapter, {}, { headers })).status).toBe(200)
  }),
  of('a fault reset breaks the connection in the middle of the response', async (adapter) => {
    await adapter.arrange.fault('api', 'reset', 1)
    await expect(createPayment(adapter)).rejects.toThrow()
    expect((await createPayment(adapter)).status).toBe(201)
  }),
  of('a refund or cancel in the wrong state has an error code for the reason', async (adapter) => {
    const { id } = (await createPayment(adapter)).body.payment
    expect((await post(adapter, `${PAYMENTS}/${id}/refund`)).body.error.code).toBe('not_refundable')
  }),
]
