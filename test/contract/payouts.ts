// Spec 4.5 to 4.7: payouts and the directory of banks.
import { expect } from 'vitest'
import { BANK, createPayout, get, PAYOUTS } from './caller.ts'
import { section } from './case.ts'

const create = section('4.5')
const read = section('4.6')
const banks = section('4.7')

export const PAYOUT_CASES = [
  create('a payout is pending and then succeeds', async (adapter) => {
    const { status, body } = await createPayout(adapter, { full_name: 'Иван П.' })
    expect(status).toBe(201)
    expect(Object.keys(body).sort()).toEqual(['idempotent', 'mode', 'payout', 'simulator'])
    expect(body).toMatchObject({
      mode: 'test',
      idempotent: false,
      simulator: 'succeeded',
      payout: {
        amount: 100,
        currency: 'RUB',
        method: 'payouts_sbp',
        status: 'pending',
        fail_reason: '',
        recipient: { phone: '+79991234567', bank_id: BANK, full_name: 'Иван П.' },
      },
    })
    expect(body.payout).not.toHaveProperty('completed_at')
    await adapter.arrange.advance(10_000)
    const paid = (await get(adapter, `${PAYOUTS}/${body.payout.id}`)).body
    expect(paid).toMatchObject({ id: body.payout.id, status: 'succeeded', fail_reason: '' })
    expect(Date.parse(paid.completed_at)).toBeGreaterThan(Date.parse(paid.created_at))
  }),
  create('a synchronously refused payout is 201 with failure_reason', async (adapter) => {
    const { status, body } = await createPayout(adapter, { phone: '+70000000073' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      failure_reason: 'do_not_honor',
      payout: { status: 'failed', fail_reason: 'do_not_honor' },
    })
  }),
  create('an unknown bank_id is 502, creates nothing and does not use the key', async (adapter) => {
    const headers = { 'Idempotency-Key': 'once' }
    const { status, body } = await createPayout(adapter, { bank_id: '123456789012' }, { headers })
    expect([status, body.error.code]).toEqual([502, 'router_error'])
    expect((await createPayout(adapter, {}, { headers })).status).toBe(201)
  }),
  create('the setting unknown_bank changes the result of an unknown bank_id', async (adapter) => {
    await adapter.arrange.settings({ unknown_bank: 'bank_unknown' })
    const { payout } = (await createPayout(adapter, { bank_id: '123456789012' })).body
    await adapter.arrange.advance(10_000)
    expect((await get(adapter, `${PAYOUTS}/${payout.id}`)).body).toMatchObject({
      status: 'failed',
      fail_reason: 'bank_unknown',
    })
    await adapter.arrange.settings({ unknown_bank: 'accept' })
    expect((await createPayout(adapter, { bank_id: '123456789012' })).body.simulator).toBe('succeeded')
  }),
  create('a payout is 422 if the shop has no route or the bank does not support it', async (adapter) => {
    const method = await createPayout(adapter, { bank_id: '100000000241' })
    expect([method.status, method.body.error.code]).toEqual([422, 'method_not_supported'])
    const closed = await adapter.arrange.shop({ payout_route: false })
    const route = await createPayout(adapter, {}, { key: closed.api_key })
    expect([route.status, route.body.error.code]).toEqual([422, 'route_not_configured'])
  }),
  create('a payout in live mode has a bank', async (adapter) => {
    await adapter.arrange.shop({ merchant_id: adapter.shop.merchant_id, live_enabled: true })
    const key = await adapter.arrange.key(adapter.shop.shop_id, 'live')
    const { body } = await createPayout(adapter, {}, { key })
    expect(body).toMatchObject({ mode: 'live', bank: expect.any(String), bank_ref: expect.any(String) })
    expect(body).not.toHaveProperty('simulator')
  }),
  read('the id of another kind of object is not a payout', async (adapter) => {
    expect((await get(adapter, `${PAYOUTS}/${(await createPayout(adapter)).body.payout.id}`)).status).toBe(200)
  }),
  banks('the list has 218 banks sorted by name with three fields each', async (adapter) => {
    const { status, body } = await get(adapter, '/v1/public/banks/sbp')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['items'])
    expect(body.items).toHaveLength(218)
    for (const bank of body.items) {
      expect(Object.keys(bank)).toEqual(['member_id', 'name', 'name_en'])
      expect(bank.member_id).toMatch(/^\d{12}$/)
    }
    const names = body.items.map(({ name }: { name: string }) => name)
    expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'ru')))
  }),
  banks('the setting banks limits the list to 30', async (adapter) => {
    await adapter.arrange.settings({ banks: 'top30' })
    expect((await get(adapter, '/v1/public/banks/sbp')).body.items).toHaveLength(30)
  }),
]
