// A day of a shop: every operation, every outcome, and the usual mistakes.
import type { Shop } from './recorded-sandbox.ts'

const PAYOUT = { amount: 5000, phone: '+79161234567', bank_id: '100000000111', full_name: 'Иван Иванов' }
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

/** Sends about 75 requests in each round. Rounds run at the same time. */
export async function shopTraffic(shop: Shop, other: Shop, live: Shop, rounds: number): Promise<void> {
  const stream = await shop.stream()
  await Promise.all(
    Array.from({ length: rounds }, async (_, round) => {
      await paidAndRefunded(shop, String(round))
      await declined(shop, String(round))
      await mistakes(shop)
      await payouts(shop, String(round))
      await signed(other, live, String(round))
    }),
  )
  await stream.until('payout.status_changed')
  stream.close()
}

async function paidAndRefunded(shop: Shop, round: string): Promise<void> {
  const body = {
    amount: 150_000,
    method: 'sbp',
    order_id: `A-${round}`,
    metadata: { cart: '7' },
    return_url: 'https://a.example/b',
  }
  const { id } = await shop.call('POST', 'payments', body, { key: `k-${round}` })
  const path = `payments/${id}`
  await shop.call('POST', 'payments', body, { key: `k-${round}` })
  await shop.call('POST', 'payments', { ...body, amount: 1 }, { key: `k-${round}` })
  await shop.call('POST', `${path}/refund`, { amount: 1 })
  await shop.until(path, 'succeeded')
  await shop.call('POST', `${path}/cancel`)
  await shop.call('POST', `${path}/refund`, { amount: 50_000, reason: 'damaged' }, { key: `r-${round}` })
  await shop.call('POST', `${path}/refund`, { amount: 50_000, reason: 'damaged' }, { key: `r-${round}` })
  await shop.call('POST', `${path}/refund`, { amount: 1_000_000 })
  await shop.call('POST', `${path}/refund`, { amount: 1000 }, { headers: { 'X-PSP-Simulate': 'failed' } })
  await shop.call('POST', `${path}/refund`, { amount: 1000 }, { headers: { 'X-PSP-Simulate': 'pending' } })
  await shop.call('GET', path)
  const card = await shop.call('POST', 'payments', { amount: 5000, method: 'cards' })
  await shop.until(`payments/${card.id}`, 'succeeded')
  await shop.call('POST', `payments/${card.id}/refund`)
  await shop.call('POST', `payments/${card.id}/refund`)
  await shop.call('GET', `payments/${card.id}`)
}

async function declined(shop: Shop, round: string): Promise<void> {
  const plans = ['failed:insufficient_funds', 'refused:do_not_honor', 'requires_action', 'error:aml_blocked', 'pending']
  for (const plan of plans) {
    const options = { headers: { 'X-PSP-Simulate': plan } }
    const { id, status } = await shop.call(
      'POST',
      'payments',
      { amount: 700, method: 'tpay', customer_id: `c-${round}` },
      options,
    )
    if (status !== 201) continue
    const path = `payments/${id}`
    if (plan.startsWith('failed')) await shop.until(path, 'failed')
    else if (plan === 'pending') await shop.until(path, 'processing')
    else await shop.call('GET', path)
    await shop.call('POST', `${path}/cancel`)
    await shop.call('GET', path)
  }
  const any = await shop.call('POST', 'payments', { amount: 12_345 })
  await shop.until(`payments/${any.id}`, 'succeeded')
  const recurrent = await shop.call('POST', 'payments', { amount: 900, method: 'recurrent' })
  await shop.until(`payments/${recurrent.id}`, 'succeeded')
  const cancelled = await shop.call('POST', 'payments', { amount: 900 })
  await shop.call('POST', `payments/${cancelled.id}/cancel`)
  await shop.call('GET', `payments/${cancelled.id}`)
  // A magic amount.
  await shop.call('POST', 'payments', { amount: 150_051 })
}

async function mistakes(shop: Shop): Promise<void> {
  await shop.call('POST', 'payments', { amount: 'ten' })
  await shop.call('POST', 'payments', '{"amount":')
  await shop.call('POST', 'payments', { amount: 100, method: 'cash' })
  await shop.call('POST', 'payments', { amount: 100 }, { headers: { 'Content-Type': 'text/plain' } })
  await shop.call('POST', 'payments', { amount: 100 }, { authorization: null })
  await shop.call(
    'POST',
    'payments',
    { amount: 100 },
    { authorization: 'Bearer sk_test_nobody_0000000000000000000000000000000' },
  )
  await shop.call('POST', 'payments', { amount: 100 }, { sign: `sha256=${'0'.repeat(64)}` })
  await shop.call('GET', `payments/${UNKNOWN}`)
  await shop.call('GET', 'payments/not-a-uuid')
  await shop.call('DELETE', 'payments')
  await shop.call('GET', 'nothing')
  await shop.call('GET', 'banks/sbp')
}

async function payouts(shop: Shop, round: string): Promise<void> {
  const made = await shop.call('POST', 'payouts', PAYOUT, { key: `p-${round}` })
  await shop.call('POST', 'payouts', PAYOUT, { key: `p-${round}` })
  await shop.until(`payouts/${made.id}`, 'succeeded')
  await shop.call('POST', 'payouts', { ...PAYOUT, bank_id: '12' })
  await shop.call('POST', 'payouts', { ...PAYOUT, bank_id: '100000000241' })
  const failed = await shop.call('POST', 'payouts', { ...PAYOUT, phone: '+70000000051' })
  await shop.until(`payouts/${failed.id}`, 'failed')
  await shop.call('GET', `payouts/${UNKNOWN}`)
}

async function signed(other: Shop, live: Shop, round: string): Promise<void> {
  await other.call('POST', 'payments', { amount: 100, order_id: `S-${round}` }, { sign: '' })
  const { id } = await other.call('POST', 'payments', { amount: 100, order_id: `S-${round}` })
  await other.call('GET', `payments/${id}`)
  const real = await live.call('POST', 'payments', { amount: 100, method: 'sbp' })
  await live.until(`payments/${real.id}`, 'succeeded')
}
