import { afterEach, beforeEach, expect, it } from 'vitest'
import { TABLE_NAMES } from '../../../src/engine/tables.ts'
import { assembleSandbox, type Sandbox } from '../../../src/sandbox.ts'
import { LAST_INSTANT } from '../../../src/time/clock.ts'
import { storedTables } from '../../stored-tables.ts'

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await assembleSandbox({ clock: { mode: 'frozen' } })
})
afterEach(() => sandbox.close())

async function call(method: string, path: string, body?: unknown) {
  const response = await sandbox.fetch(
    new Request(`http://127.0.0.1:7770/_psp/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    }),
  )
  return { status: response.status, body: (await response.json()) as { error?: { message: string }; tables?: object } }
}

it.each(TABLE_NAMES)('refuses null for the table %s, and changes nothing', async (table) => {
  const { body: state } = await call('GET', 'export')
  const before = JSON.stringify(storedTables(sandbox.engine.world))
  const refused = await call('PUT', 'import', { ...state, tables: { ...state.tables, [table]: null } })
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining(`tables.${table}`) } },
  })
  expect(JSON.stringify(storedTables(sandbox.engine.world))).toBe(before)
})

it.each(['a/b', '..', '.', 'a b', 'a%2Fb', 'a#b', 'a\u0000b', 'x'.repeat(201)])('refuses the id %j', async (id) => {
  await call('POST', 'trigger', { event: 'payment.succeeded' })
  const { body: state } = await call('GET', 'export')
  const { payments } = state.tables as { payments: object[] }
  const changed = payments.map((payment) => ({ ...payment, id }))
  expect(await call('PUT', 'import', { ...state, tables: { ...state.tables, payments: changed } })).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringMatching(/tables\.payments\[0\]\.id: expected/) } },
  })
})

it('brings back a snapshot taken at the last instant the clock can show', async () => {
  await sandbox.timeline.advance({ to: LAST_INSTANT })
  sandbox.engine.execute('create_payment', {
    caller: { shop_id: sandbox.startShop().shop_id, mode: 'test' },
    input: { amount: 100, currency: 'RUB', method: 'any', metadata: {} },
  })
  await call('PUT', 'snapshots/top')
  expect((await call('POST', 'snapshots/top/restore')).status).toBe(200)
})
