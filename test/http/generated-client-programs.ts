/** A shop's program on types that were generated from the document; `// WRONG` marks what must not compile. */
export const TYPED_SHOP = `
import createClient from 'openapi-fetch'
import type { components, paths, webhooks } from './public.d.ts'

export type Payment = components['schemas']['Payment']
export type Hook = webhooks['payment.refunded']['post']['requestBody']['content']['application/json']

export async function shop(baseUrl: string, key: string) {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } })
  const made = await client.POST('/v1/public/payments', {
    params: { header: { 'Idempotency-Key': 'typed' } },
    body: { amount: 150_000, method: 'sbp', metadata: { cart: '7' } },
  })
  if (made.data === undefined) throw new Error(made.error.error.message)
  const id: string = made.data.payment.id
  const read = await client.GET('/v1/public/payments/{id}', { params: { path: { id } } })
  const status: 'pending' | 'processing' | 'succeeded' | 'failed' | 'expired' | 'cancelled' | 'refunded' | undefined =
    read.data?.status
  const refused = await client.POST('/v1/public/payments/{id}/refund', { params: { path: { id } } })
  const cancelled = await client.POST('/v1/public/payments/{id}/cancel', { params: { path: { id } } })
  const banks = await client.GET('/v1/public/banks/sbp')
  const payout = await client.POST('/v1/public/payouts', {
    body: { amount: 100, phone: '+79991234567', bank_id: '100000000111' },
  })
  return {
    id,
    status,
    refused: refused.error?.error.code,
    cancelled: cancelled.data?.status,
    banks: banks.data?.items.length,
    payout: payout.data?.payout.status,
  }
}

export async function wrong(client: ReturnType<typeof createClient<paths>>, hook: Hook) {
  await client.POST('/v1/public/payments', { body: { amount: '1' } }) // WRONG
  await client.POST('/v1/public/payments', { body: { amount: 1, method: 'cash' } }) // WRONG
  await client.POST('/v1/public/payments', {}) // WRONG
  await client.GET('/v1/public/payment/{id}', { params: { path: { id: '' } } }) // WRONG
  await client.GET('/v1/public/payments/{id}', {}) // WRONG
  await client.GET('/v1/public/payments') // WRONG
  return hook.data.refunds.map(({ amount }) => amount.toFixed()).concat(hook.data.nothing) // WRONG
}
`

/** The same for the control API. */
export const TYPED_LEVERS = `
import createClient from 'openapi-fetch'
import type { paths } from './control.d.ts'

export async function levers(baseUrl: string) {
  const client = createClient<paths>({ baseUrl })
  const shop = await client.POST('/_psp/shops', { body: { name: 'Typed' } })
  const settings = await client.PATCH('/_psp/settings', { body: { 'delays.bank': '2s' } })
  const clock = await client.POST('/_psp/clock/advance', { body: { by: '1s' } })
  const list = await client.GET('/_psp/payments', { params: { query: { limit: 1 } } })
  const gone = await client.DELETE('/_psp/rules/{id}', { params: { path: { id: 'none' } } })
  return {
    key: shop.data?.api_key,
    delay: settings.data?.['delays.bank'],
    steps: clock.data?.steps,
    items: list.data?.items.length,
    gone: gone.error?.error.code,
  }
}

export async function wrong(client: ReturnType<typeof createClient<paths>>) {
  await client.POST('/_psp/shop', { body: {} }) // WRONG
  await client.GET('/_psp/payments', { params: { query: { limit: '1' } } }) // WRONG
}
`
