/** A shop and its test on clients that hey-api generated from both documents. */
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
