/** A program of a shop that uses openapi-fetch. `// WRONG` marks lines that must not compile. */
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

/** A program of a test that uses openapi-fetch. */
export const TYPED_CONTROL = `
import createClient from 'openapi-fetch'
import type { paths } from './control.d.ts'

export async function control(baseUrl: string) {
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

/** A program of a shop and its test that uses clients which hey-api generated from both documents. */
export const HEY_API_SHOP = `
import { createClient as createSandbox } from './control/client/index.ts'
import * as control from './control/sdk.gen.ts'
import { createClient as createShop } from './public/client/index.ts'
import * as shop from './public/sdk.gen.ts'
import type { PaymentStatusChangedMessage } from './public/types.gen.ts'

type Client = ReturnType<typeof createShop>

export async function run(baseUrl: string, key: string, message: string) {
  const client = createShop({ baseUrl, auth: key })
  const sandbox = createSandbox({ baseUrl })
  const headers = { 'Idempotency-Key': 'typescript' }
  const body = { amount: 150_000, method: 'sbp', metadata: { cart: '7' } } as const
  const made = (await shop.createPayment({ client, headers, body, throwOnError: true })).data
  const again = (await shop.createPayment({ client, headers, body, throwOnError: true })).data
  const path = { id: made.payment.id }
  const refused = await shop.refundPayment({ client, path })
  await control.actOnPayment({ client: sandbox, path, body: { action: 'pay', method: 'sbp' }, throwOnError: true })
  const paid = (await shop.getPayment({ client, path, throwOnError: true })).data
  const refund = (await shop.refundPayment({ client, path, body: { amount: 50_000 }, throwOnError: true })).data
  const other = (await shop.createPayment({ client, body: { amount: 100 }, throwOnError: true })).data
  const cancelled = await shop.cancelPayment({ client, path: { id: other.payment.id }, throwOnError: true })
  const banks = (await shop.listBanks({ client, throwOnError: true })).data
  const transfer = { amount: 100, phone: '+79991234567', bank_id: '100000000111' }
  const payout = (await shop.createPayout({ client, body: transfer, throwOnError: true })).data
  const settled = await control.settlePayout({
    client: sandbox,
    path: { id: payout.payout.id },
    body: { action: 'settle', status: 'succeeded' },
    throwOnError: true,
  })

  const clock = (await control.setClock({ client: sandbox, body: { mode: 'frozen' }, throwOnError: true })).data
  const advanced = (await control.advanceClock({ client: sandbox, body: { by: '20m' }, throwOnError: true })).data
  const settings = await control.changeSettings({ client: sandbox, body: { 'delays.bank': '2s' }, throwOnError: true })
  const fault = await control.createFault({
    client: sandbox,
    body: { target: 'webhook', fault: 'drop', match: { order_id: 'A-*' } },
    throwOnError: true,
  })
  const plan = ['failed:call_issuer', 'succeeded']
  const rule = await control.createRule({ client: sandbox, body: { plan }, throwOnError: true })
  const gone = await control.deleteRule({ client: sandbox, path: { id: 'none' } })
  const newShop = await control.createShop({ client: sandbox, body: { name: 'TypeScript' }, throwOnError: true })
  const page = await control.listPayments({ client: sandbox, query: { limit: 1 }, throwOnError: true })
  const event = JSON.parse(message) as PaymentStatusChangedMessage

  return {
    status: made.payment.status,
    replayed: again.idempotent,
    refused: refused.error?.error.code,
    paid: paid.status,
    captured: paid.captured_at?.slice(0, 4) === paid.created_at.slice(0, 4),
    refunded: refund.amount,
    cancelled: cancelled.data.status,
    banks: banks.items.length,
    payout: settled.data.status,
    clock: clock.mode,
    advanced: (Date.parse(advanced.now) - Date.parse(clock.now)) / 1000,
    delay: settings.data['delays.bank'],
    fault: fault.data.match['order_id'],
    rule: rule.data.plan,
    gone: gone.error?.error.code,
    key: newShop.data.api_key.slice(0, 8),
    listed: page.data.items.length,
    message: event.payload.previous_status,
    streamed: await firstEvent(client, sandbox),
  }
}

/** The stream is typed by the kinds of its messages. It connects when its first message is awaited. */
async function firstEvent(client: Client, sandbox: Client): Promise<string> {
  const connection = new AbortController()
  const { stream } = await shop.streamEvents({ client, signal: connection.signal })
  const next = stream.next()
  for (;;) {
    const { data } = await control.getHealth({ client: sandbox, throwOnError: true })
    if (data.event_streams?.connections === 1) break
  }
  await shop.createPayment({ client, body: { amount: 100, order_id: 'streamed' }, throwOnError: true })
  const { value: event } = await next
  connection.abort()
  return event && 'kind' in event && event.kind === 'payment.created' ? event.payload.order_id : 'none'
}
`
