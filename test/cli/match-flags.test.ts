// `--match` of rules and faults: its fields in help, and in a sandbox.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jsonOf, psp, startTestServer, type TestServer } from './helpers.ts'

let rig: TestServer
beforeAll(async () => {
  rig = await startTestServer()
})
afterAll(() => rig.close())

test.each([
  ['rules add', ['payment_method', 'metadata.<name>', 'shop_id']],
  ['faults add', ['payment_method', 'metadata.<name>', 'status', 'endpoint_id', 'payment_id']],
])('`psp %s --help` names the fields', async (path, fields) => {
  const { stdout } = await psp(`${path} --help`)
  for (const field of fields) expect(stdout).toContain(field)
})

test('a fault aims at an order that does not exist yet', async () => {
  const line = 'faults add api status:503 --times 1 --match order_id=A-1 --match metadata.cart=7 --json'
  expect(jsonOf(await rig.psp(line))).toMatchObject({ match: { order_id: 'A-1', 'metadata.cart': '7' } })
  const create = (order: string) =>
    rig.psp(['payments', 'create', '--amount', '100', '--order-id', order, '--metadata', 'cart=7'])
  expect([(await create('B-2')).code, (await create('A-1')).code, (await create('A-1')).code]).toEqual([0, 1, 0])
})
