// Spec 5.7: the same key and request return the same object.
import { expect } from 'vitest'
import type { Adapter } from './adapter.ts'
import { type CallResponse, createPayment, createPayout, get, PAYMENTS, post, succeeded } from './caller.ts'
import { section } from './case.ts'

const of = section('5.7')

const key = (value: string) => ({ headers: { 'Idempotency-Key': value } })
const conflict = ({ status, body }: CallResponse) =>
  expect([status, body?.error?.code]).toEqual([409, 'idempotent_conflict'])

export const IDEMPOTENCY_CASES = [
  of('a repeat gets 200 with the current object', async (adapter) => {
    const first = await createPayment(adapter, { method: 'sbp' }, key('k'))
    expect([first.status, first.body.idempotent]).toEqual([201, false])
    await adapter.arrange.advance(10_000)
    const again = await createPayment(adapter, { method: 'sbp' }, key('k'))
    expect([again.status, again.body.idempotent]).toEqual([200, true])
    expect(again.body.payment).toMatchObject({ id: first.body.payment.id, status: 'succeeded' })
    expect(again.body.payment_url).toBe(first.body.payment_url)
  }),
  of('a repeat of a payout or refund returns it', async (adapter) => {
    const payout = await createPayout(adapter, {}, key('p'))
    expect((await createPayout(adapter, {}, key('p'))).body).toEqual({ ...payout.body, idempotent: true })
    const path = `${PAYMENTS}/${await succeeded(adapter)}/refund`
    const refund = await post(adapter, path, { amount: 100 }, key('r'))
    const again = await post(adapter, path, { amount: 100 }, key('r'))
    expect([again.status, again.body]).toEqual([200, { ...refund.body, idempotent: true }])
    const empty = await post(adapter, path, undefined, key('e'))
    expect((await post(adapter, path, {}, key('e'))).body.id).toBe(empty.body.id)
  }),
  of('a repeat can differ in key order, white space and the spelling of the path', async (adapter) => {
    const first = await post(adapter, PAYMENTS, '{"amount":5,"metadata":{"a":"1","b":"2"}}', key('k'))
    const again = await post(adapter, `/api${PAYMENTS}`, '{ "metadata": {"b":"2","a":"1"}, "amount": 5.0 }', key('k'))
    expect([again.status, again.body.payment.id]).toEqual([200, first.body.payment.id])
  }),
  of('a key with another body, operation, path or shop is a conflict', async (adapter) => {
    await createPayment(adapter, {}, key('k'))
    conflict(await createPayment(adapter, { amount: 1 }, key('k')))
    conflict(await createPayment(adapter, { order_id: null }, key('k')))
    conflict(await createPayment(adapter, { currency: 'RUB' }, key('k')))
    conflict(await createPayout(adapter, {}, key('k')))
    conflict(await post(adapter, `${PAYMENTS}/${await succeeded(adapter)}/refund`, {}, key('k')))
    const sibling = await adapter.arrange.shop({ merchant_id: adapter.shop.merchant_id })
    conflict(await createPayment(adapter, {}, { ...key('k'), key: sibling.api_key }))
  }),
  of('a refund of another payment with the same key is a conflict', async (adapter) => {
    const [one, two] = [await succeeded(adapter), await succeeded(adapter)]
    expect((await post(adapter, `${PAYMENTS}/${one}/refund`, { amount: 1 }, key('r'))).status).toBe(201)
    conflict(await post(adapter, `${PAYMENTS}/${two}/refund`, { amount: 1 }, key('r')))
    expect((await post(adapter, `/api${PAYMENTS}/${one.toUpperCase()}/refund`, { amount: 1 }, key('r'))).status).toBe(
      200,
    )
  }),
  of('other merchants and modes have separate keys', async (adapter) => {
    const first = await createPayment(adapter, {}, key('k'))
    const stranger = await adapter.arrange.shop({})
    const theirs = await createPayment(adapter, {}, { ...key('k'), key: stranger.api_key })
    expect(theirs.status).toBe(201)
    expect(theirs.body.payment.id).not.toBe(first.body.payment.id)
    await adapter.arrange.shop({ merchant_id: adapter.shop.merchant_id, live_enabled: true })
    const live = await adapter.arrange.key(adapter.shop.shop_id, 'live')
    expect((await createPayment(adapter, {}, { ...key('k'), key: live })).status).toBe(201)
  }),
  of('a key has 1 to 64 characters without one pair of quotes', async (adapter) => {
    const first = await createPayment(adapter, {}, key('"quoted"'))
    expect((await createPayment(adapter, {}, key('quoted'))).body.payment.id).toBe(first.body.payment.id)
    expect((await createPayment(adapter, {}, key('x'.repeat(64)))).status).toBe(201)
    expect((await createPayment(adapter, {}, key(`"${'y'.repeat(64)}"`))).status).toBe(201)
    for (const value of ['x'.repeat(65), '""', '']) {
      const { status, body } = await createPayment(adapter, {}, key(value))
      expect([status, body.error.code]).toEqual([400, 'bad_request'])
      expect(body.error.message).toContain('Idempotency-Key')
    }
  }),
  of('a rejected request does not use its key, but a synchronous refusal of the bank does', async (adapter) => {
    expect((await createPayment(adapter, { amount: 0 }, key('a'))).status).toBe(400)
    expect((await createPayment(adapter, { amount: 10_093 }, key('a'))).status).toBe(403)
    expect((await createPayment(adapter, {}, key('a'))).status).toBe(201)
    const refused = await createPayment(adapter, { amount: 10_073 }, key('b'))
    const again = await createPayment(adapter, { amount: 10_073 }, key('b'))
    expect(again.status).toBe(200)
    expect(again.body).toEqual({ ...refused.body, idempotent: true })
    conflict(await createPayment(adapter, {}, key('b')))
  }),
  ...(
    [
      ['payments', async (adapter: Adapter) => createPayment(adapter, {}, key('many'))],
      ['payouts', async (adapter: Adapter) => createPayout(adapter, {}, key('many'))],
      [
        'refunds',
        async (adapter: Adapter, id: string) => post(adapter, `${PAYMENTS}/${id}/refund`, { amount: 1 }, key('many')),
      ],
    ] as const
  ).map(([what, ask]) =>
    of(`twenty at once make one object: ${what}`, async (adapter) => {
      const id = await succeeded(adapter)
      const replies = await Promise.all(Array.from({ length: 20 }, () => ask(adapter, id)))
      expect(replies.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
      const ids = replies.map(({ body }) => (body.payment ?? body.payout ?? body).id)
      expect(new Set(ids).size).toBe(1)
      const path =
        what === 'payouts' ? `/v1/public/payouts/${ids[0]}` : `${PAYMENTS}/${what === 'refunds' ? id : ids[0]}`
      const { body } = await get(adapter, path)
      if (what === 'refunds') expect(body.refunds).toMatchObject([{ id: ids[0] }])
      else expect(body.id).toBe(ids[0])
    }),
  ),
  of('a key expires after idempotency_ttl', async (adapter) => {
    const first = await createPayment(adapter, {}, key('k'))
    await adapter.arrange.advance(24 * 3600 * 1000 - 1)
    expect((await createPayment(adapter, {}, key('k'))).status).toBe(200)
    await adapter.arrange.advance(1)
    const later = await createPayment(adapter, {}, key('k'))
    expect(later.status).toBe(201)
    expect(later.body.payment.id).not.toBe(first.body.payment.id)
  }),
  of('a retry with the same key after a cut connection returns the object', async (adapter) => {
    const headers = { 'Idempotency-Key': 'cut', 'X-PSP-Simulate': 'cut' }
    await expect(createPayment(adapter, {}, { headers })).rejects.toThrow(/fetch/)
    const again = await createPayment(adapter, {}, { headers })
    expect([again.status, again.body.idempotent]).toEqual([200, true])
    expect((await get(adapter, `${PAYMENTS}/${again.body.payment.id}`)).status).toBe(200)
  }),
]
