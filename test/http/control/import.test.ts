import { expect, expectTypeOf, it } from 'vitest'
import type * as z from 'zod'
import { PAYMENT_METHODS } from '../../../src/domain/payment-methods.ts'
import type { TABLE_ROWS } from '../../../src/engine/row-schemas.ts'
import { TABLE_NAMES, type TableName, type Tables } from '../../../src/engine/tables.ts'
import type { Sandbox } from '../../../src/sandbox.ts'
import { LAST_INSTANT } from '../../../src/time/clock.ts'
import { storedTables } from '../../stored-tables.ts'
import { openSandbox } from '../fixtures.ts'

type KeysOf<T> = T extends unknown ? keyof T : never
type Unchecked = { [T in TableName]: Exclude<KeysOf<Tables[T]>, KeysOf<z.output<(typeof TABLE_ROWS)[T]>>> }[TableName]

it('the schema of each table has every field that a row may have', () => {
  // The compiler names the field that is missing.
  expectTypeOf<Unchecked>().toEqualTypeOf<never>()
})

/** Imports the tables. Returns `ok`, or the message of the error. */
async function importTables(sandbox: Sandbox, tables: object): Promise<string> {
  const response = await sandbox.fetch(
    new Request('http://127.0.0.1:7770/_psp/import', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ format: 'psp-sandbox/1', tables }),
    }),
  )
  const body = (await response.json()) as { status?: string; error?: { message: string } }
  return body.error?.message ?? String(body.status)
}

// biome-ignore lint/suspicious/noExplicitAny: tests change any field
const tablesOf = (sandbox: Sandbox): any => JSON.parse(JSON.stringify(storedTables(sandbox.engine.world)))

it('an import accepts the rows that all operations of a sandbox store', async () => {
  const { sandbox, post, pay, hooks, ask, idle, patch } = await openSandbox()
  await hooks(500, 302)
  await patch('/settings', { 'delays.refund': '1h', buyer: 'manual' })
  await post('/listeners', { url: 'x' })
  await post('/faults', { target: 'webhook', fault: 'tamper', times: 1 })
  await post('/rules', { plan: ['pending', 'failed:card_lost@1m'], match: { operation: 'payout' }, every: 1 })
  for (const method of PAYMENT_METHODS) {
    const id = await pay({
      method,
      description: 'x',
      customer_id: 'c',
      return_url: 'https://x.example/',
      webhook_url: 'http://127.0.0.1:1/',
    })
    sandbox.engine.execute('open_page', { payment_id: id })
    await post(`/payments/${id}/act`, { action: 'pay' })
    await ask('POST', `/v1/public/payments/${id}/refund`, { amount: 10, reason: 'r' })
  }
  await post('/trigger', { event: 'payment.failed' })
  const payout = { amount: 100, phone: '+79161234567', bank_id: '100000000111', full_name: 'Anna' }
  for (let i = 0; i < 2; i++) await ask('POST', '/v1/public/payouts', payout)
  await idle()
  const tables = tablesOf(sandbox)
  expect(await importTables(sandbox, tables)).toBe('ok')
  expect(tables.deliveries.some(({ attempts }: { attempts: unknown[] }) => attempts.length > 0)).toBe(true)
})

it('an import accepts refunds that raced and long addresses, but no larger sum of refunds', async () => {
  const { sandbox, shop, post, pay, ask, patch, idle } = await openSandbox()
  await patch('/settings', { reserve_pending_refunds: false, 'delays.refund': '1h' })
  const url = `http://127.0.0.1:1/${'x'.repeat(300)}`
  const { body: endpoint } = await post(`/shops/${shop}/endpoints`, { url })
  expect((await patch(`/endpoints/${endpoint.id}`, { active: false })).body.url).toBe(url)
  const id = await pay()
  await post(`/payments/${id}/act`, { action: 'pay' })
  for (let n = 0; n < 2; n++) await ask('POST', `/v1/public/payments/${id}/refund`, { amount: 100 })
  await idle()
  const tables = tablesOf(sandbox)
  const [payment] = tables.payments
  expect(payment.amount_refunded).toBe(2 * payment.amount)
  expect(await importTables(sandbox, tables)).toBe('ok')
  payment.amount_refunded++
  expect(await importTables(sandbox, tables)).toMatch(
    /tables\.payments\[0\]\.amount_refunded: expected at most the amount/,
  )
})

it.each([
  ...['a/b', '..', '.', 'a b', 'a%2Fb', 'a#b', 'a\u0000b', 'a\u0000/../b\n', '\u001b[2J', '\u0085', ''],
  'x'.repeat(201),
])('an import with the id %j is refused', async (id) => {
  const { sandbox, pay } = await openSandbox()
  await pay()
  const tables = tablesOf(sandbox)
  tables.payments[0].id = id
  expect(await importTables(sandbox, tables)).toMatch(/tables\.payments\[0\]\.id: expected /)
})

it.each([
  ['payments', 'currency', 'x'],
  ['payments', 'currency', ''],
  ['payments', 'currency', 'XAU'],
  ['payments', 'return_url', 'javascript:alert(1)'],
  ['payments', 'return_url', 'http://shop.example/'],
  ['payments', 'webhook_url', 'ftp://shop.example/'],
  ['payments', 'webhook_url', 'http://u:p@shop.example/'],
  ['endpoints', 'url', 'localhost:3000/hooks'],
  ['endpoints', 'url', 'http://u:p@shop.example/'],
  ['payouts', 'currency', 'rub'],
  ['payouts', 'recipient', { phone: '+7916', bank_id: '100000000111' }],
  ['payouts', 'recipient', { phone: '+79161234567', bank_id: '1' }],
  ['merchants', 'rate_limit', 1_000_001],
  ['merchants', 'name', ''],
  ['shops', 'name', ''],
  ['shops', 'signing_secret', 'whs_x'],
  ['shops', 'webhook_secret', 'thm_x'],
  ['keys', 'hint', 'x'],
  ['endpoints', 'secret', 'thm_x'],
  ['payments', 'order_id', ''],
  ['payments', 'customer_id', ''],
  ['payments', 'description', ''],
  ['refunds', 'reason', ''],
  ['deliveries', 'url', 'file:///etc/passwd'],
  ['deliveries', 'url', 'localhost:3000/hooks'],
  ['deliveries', 'url', 'http://u:p@shop.example/'],
  ['rules', 'match', { ordr_id: 'A-1' }],
  ['rules', 'match', { method: 'bitcoin' }],
  ['faults', 'match', { ordr_id: 'A-1' }],
  ['events', 'id', 'evt_Ёж'],
  ['shops', 'name', 'x'.repeat(201)],
  ['shops', 'ip_allow_list', Array(1001).fill('127.0.0.1')],
  ['rules', 'plan', Array(1001).fill('succeeded')],
])('an import with %s.%s %j is refused, as the API would refuse it', async (table, field, value) => {
  const { sandbox, pay, post, hooks, ask, idle } = await openSandbox()
  await hooks(200)
  const id = await pay()
  await ask('POST', '/v1/public/payouts', { amount: 100, phone: '+79161234567', bank_id: '100000000111' })
  await post(`/payments/${id}/act`, { action: 'pay' })
  await ask('POST', `/v1/public/payments/${id}/refund`)
  await post('/rules', { plan: 'succeeded' })
  await post('/faults', { target: 'api', fault: 'latency:0s' })
  await idle()
  const tables = tablesOf(sandbox)
  tables[table][0][field] = value
  expect(await importTables(sandbox, tables)).toMatch(new RegExp(`tables\\.${table}\\[0\\]\\.${field}[^:]*: expected `))
})

it('only the delivery of a listener may have a text as its URL, because the listener receives it on a stream', async () => {
  const { sandbox, pay, post, ask, idle } = await openSandbox()
  await post('/listeners', { id: 'mine', url: 'the console' })
  await post(`/payments/${await pay()}/act`, { action: 'pay' })
  await idle()
  const tables = tablesOf(sandbox)
  expect(tables.deliveries).toMatchObject([{ url: 'the console', endpoint_id: 'mine' }])
  expect(await importTables(sandbox, tables)).toBe('ok')
  const { listener: _, ...endpoint } = tables.endpoints[0]
  expect(await importTables(sandbox, { ...tables, endpoints: [{ ...endpoint, url: 'http://h/' }] })).toMatch(
    /tables\.deliveries\[0\]\.url: expected an absolute http or https URL/,
  )
  // The delivery stays after its listener has ended.
  await ask('DELETE', '/_psp/listeners/mine')
  const later = tablesOf(sandbox)
  expect(await importTables(sandbox, later)).toBe('ok')
})

it('an import accepts the longest secrets that the API accepts', async () => {
  const { sandbox, post } = await openSandbox()
  const secrets = { signing_secret: `thm_${'x'.repeat(200)}`, webhook_secret: `whs_${'x'.repeat(200)}` }
  expect((await post('/shops', secrets)).status).toBe(201)
  const tables = tablesOf(sandbox)
  expect(await importTables(sandbox, tables)).toBe('ok')
})

it.each(TABLE_NAMES)('an import with null for the table %s is refused and changes nothing', async (table) => {
  const { sandbox } = await openSandbox()
  const tables = tablesOf(sandbox)
  expect(await importTables(sandbox, { ...tables, [table]: null })).toContain(`tables.${table}`)
  expect(tablesOf(sandbox)).toEqual(tables)
})

it('a snapshot at the last instant that the clock can show is restored', async () => {
  const { sandbox, pay, put, post } = await openSandbox()
  await sandbox.timeline.advance({ to: LAST_INSTANT })
  await pay()
  await put('/snapshots/top')
  expect((await post('/snapshots/top/restore')).status).toBe(200)
})

it.each([
  ['another format', { format: { name: 'psp' }, tables: {} }, '{"name":"psp"}'],
  ['no format', { tables: {} }, 'nothing'],
])('a state with %s is refused with the format that is expected', async (_, state, found) => {
  const { put } = await openSandbox()
  const { status, body } = await put('/import', state)
  expect(status).toBe(400)
  expect(body.error.message).toContain(
    `format: expected psp-sandbox/1, as GET /_psp/export of this version writes it, got ${found}`,
  )
})
