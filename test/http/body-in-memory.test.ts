// An adapter in the same process passes the body as text, because the streams of a request take much longer to read.
import { expect, test } from 'vitest'
import { BASE, openSandbox } from './fixtures.ts'

test('a body that the adapter has in memory is read without the streams of the request', async () => {
  const send = await sender()
  const { status, body } = await send('{"amount":100,"order_id":"заказ"}')
  expect([status, body.payment?.order_id]).toEqual([201, 'заказ'])
})

test('a body in memory is rejected if it is larger than body_limit in bytes', async () => {
  const send = await sender({ body_limit: 1024 })
  const withSize = (bytes: number) => {
    const start = '{"amount":100,"order_id":"ж'
    return `${start}"${' '.repeat(bytes - Buffer.byteLength(start) - 2)}}`
  }
  expect((await send(withSize(1024))).status).toBe(201)
  const { status, body } = await send(withSize(1025))
  expect([status, body.error?.code]).toEqual([413, 'payload_too_large'])
})

test('an import reads the body that the adapter has in memory', async () => {
  const { sandbox } = await openSandbox()
  const control = (path: string, body?: string) =>
    sandbox.fetch(
      new Request(`${BASE}/_psp/${path}`, {
        method: body === undefined ? 'GET' : 'PUT',
        headers: { 'content-type': 'application/json' },
      }),
      body === undefined ? {} : { body },
    )
  const state = await (await control('export')).text()
  expect((await control('import', state)).status).toBe(200)
})

test('a control route requires a content type for a body that the adapter has in memory', async () => {
  const { sandbox } = await openSandbox()
  const request = new Request(`${BASE}/_psp/shops`, { method: 'POST' })
  expect((await sandbox.fetch(request, { body: '{}' })).status).toBe(415)
})

/** Returns a function that creates a payment with a request whose body is not in its streams. */
async function sender(settings = {}) {
  const { sandbox } = await openSandbox({ settings })
  const headers = { authorization: `Bearer ${sandbox.defaultShop().api_key}`, 'content-type': 'application/json' }
  return async (text: string) => {
    const request = new Request(`${BASE}/v1/public/payments`, { method: 'POST', headers })
    const response = await sandbox.fetch(request, { body: text })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
}
