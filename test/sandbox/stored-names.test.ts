// Rows are stored as they are in memory, and data directories are not converted.
import { expect, test } from 'vitest'
import { assembleSandbox } from '../../src/sandbox.ts'
import { clientOf } from '../client-of.ts'
import { refusingPort } from '../ports.ts'

test('a stored delivery and its attempts have the field names that earlier versions wrote', async () => {
  const sandbox = await assembleSandbox({ clock: { mode: 'frozen' } })
  const shop = sandbox.defaultShop()
  const client = clientOf(sandbox)
  await client.control.endpoints.create(shop.shop_id, { url: `http://127.0.0.1:${await refusingPort()}/` })
  await client.payments.create({ amount: 100 })
  await client.control.clock.advance({ by: '10s' })
  const response = await sandbox.fetch(new Request('http://127.0.0.1:7770/_psp/export'))
  const { tables } = (await response.json()) as { tables: { deliveries: { attempts: object[] }[] } }
  const [delivery] = tables.deliveries
  await sandbox.close({ grace_ms: 0 })
  expect(delivery).toMatchObject({ next_attempt_at: expect.any(Number), created_at: expect.any(Number) })
  expect(Object.keys(delivery?.attempts[0] ?? {})).toEqual(
    expect.arrayContaining(['number', 'at', 'sent_at', 'ms', 'error', 'request_headers']),
  )
})
