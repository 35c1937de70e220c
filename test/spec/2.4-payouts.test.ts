// Spec 2.4, 4.5, 4.6: payouts and their magic values.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import former from '../../fixtures/sbp-banks-former.json' with { type: 'json' }
import { type Adapter, openSandboxAdapter } from '../contract/adapter.ts'
import { BANK, createPayout, get, PAYOUTS, statusAndCode } from '../contract/caller.ts'

let adapter: Adapter
beforeEach(async () => {
  adapter = await openSandboxAdapter()
})
afterEach(() => adapter.close())

const read = async (id: string) => (await get(adapter, `${PAYOUTS}/${id}`)).body
const control = async (path: string) => (await get(adapter, `/_psp${path}`, { key: null })).body

test('2.4 a payout has no unknown fields, and only fail_reason is empty', async () => {
  const { payout } = (await createPayout(adapter, { full_name: 'Иванов Иван' })).body
  expect(payout).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    merchant_id: adapter.shop.merchant_id,
    shop_id: adapter.shop.shop_id,
    terminal_id: adapter.shop.shop_id,
    amount: 100,
    currency: 'RUB',
    method: 'payouts_sbp',
    status: 'pending',
    fail_reason: '',
    recipient: { phone: '+79991234567', bank_id: BANK, full_name: 'Иванов Иван' },
    created_at: '2026-05-06T12:00:00.000Z',
  })
  await adapter.arrange.settings({ naming: 'terminal', empty_dates: 'null', time_fraction: 0 })
  const shown = await read(payout.id)
  expect(shown).not.toHaveProperty('shop_id')
  expect(shown).toMatchObject({ completed_at: null, created_at: '2026-05-06T12:00:00Z' })
})

describe('4.5 magic phones', () => {
  test.each([
    ['05', 'failed', 'do_not_honor'],
    ['14', 'failed', 'recipient_not_found'],
    ['15', 'failed', 'bank_unknown'],
    ['16', 'failed', 'recipient_check_failed'],
    ['51', 'failed', 'balance_insufficient'],
    ['59', 'failed', 'fraud_suspected'],
    ['61', 'failed', 'limit_exceeded'],
    ['68', 'pending', ''],
    ['91', 'failed', 'recipient_bank_unavailable'],
    ['02', 'succeeded', ''],
  ])('a payout to +700000000%s ends as %s %s', async (digits, status, fail_reason) => {
    const { payout } = (await createPayout(adapter, { phone: `+700000000${digits}` })).body
    expect(payout.status).toBe('pending')
    await adapter.arrange.advance(10_000)
    expect(await read(payout.id)).toMatchObject({ status, fail_reason })
  })

  test('a payout to 01 succeeds after a minute, 73 is refused, 93 is blocked, and 97 cuts the connection', async () => {
    const slow = (await createPayout(adapter, { phone: '+70000000001' })).body.payout
    await adapter.arrange.advance(59_999)
    expect((await read(slow.id)).status).toBe('pending')
    await adapter.arrange.advance(1)
    expect((await read(slow.id)).status).toBe('succeeded')
    expect((await createPayout(adapter, { phone: '+70000000073' })).body.failure_reason).toBe('do_not_honor')
    expect(statusAndCode(await createPayout(adapter, { phone: '+70000000093' }))).toEqual([403, 'aml_blocked'])
    const headers = { 'Idempotency-Key': 'cut' }
    await expect(createPayout(adapter, { phone: '+70000000097' }, { headers })).rejects.toThrow()
    expect((await createPayout(adapter, { phone: '+70000000097' }, { headers })).status).toBe(200)
  })

  test('a payout to a name with MISMATCH fails the check', async () => {
    const { payout } = (await createPayout(adapter, { full_name: 'Mr MISMATCH' })).body
    await adapter.arrange.advance(10_000)
    expect((await read(payout.id)).fail_reason).toBe('recipient_check_failed')
  })
})

describe('4.5 magic banks', () => {
  test('a payout to a former member is accepted and then fails with bank_unknown', async () => {
    const ids = (former as readonly { member_id: string }[]).map(({ member_id }) => member_id)
    expect(ids.length).toBeGreaterThan(10)
    for (const bank_id of [...ids, '100000000998']) {
      const { status, body } = await createPayout(adapter, { bank_id })
      expect(status).toBe(201)
      await adapter.arrange.advance(2000)
      expect(await read(body.payout.id)).toMatchObject({ status: 'failed', fail_reason: 'bank_unknown' })
    }
  })

  test.each([
    ['100000000241', 422, 'method_not_supported'],
    ['100000000999', 502, 'router_error'],
    ['000000000000', 502, 'router_error'],
    ['123456789012', 502, 'router_error'],
    ['12345678901', 400, 'bad_request'],
  ])('a payout to the bank %s is %i %s and creates nothing', async (bank_id, status, code) => {
    expect(statusAndCode(await createPayout(adapter, { bank_id }))).toEqual([status, code])
    expect((await control('/payouts')).items).toEqual([])
  })

  test('the directory does not show the magic banks', async () => {
    const { text } = await get(adapter, '/v1/public/banks/sbp')
    expect(text).not.toContain('method_not_supported')
    for (const id of ['100000000998', '100000000999']) expect(text).not.toContain(id)
  })
})

test('4.5 the payout route of a shop can be switched off and on while it runs', async () => {
  const shop = `/_psp/shops/${adapter.shop.shop_id}`
  const patch = (payout_route: boolean) =>
    adapter.fetch(shop, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ payout_route }),
    })
  await patch(false)
  expect(statusAndCode(await createPayout(adapter))).toEqual([422, 'route_not_configured'])
  await patch(true)
  expect((await createPayout(adapter)).status).toBe(201)
})
