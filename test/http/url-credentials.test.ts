// Each operation refuses a URL with a user name and password, and no response or log contains the password.
import { expect, test } from 'vitest'
import { openSandbox } from './fixtures.ts'

const URL_WITH = 'https://user:hunter2@shop.example/hooks'

test.each([
  ['POST', '/v1/public/payments', { amount: 1, webhook_url: URL_WITH }],
  ['POST', '/v1/public/payments', { amount: 1, return_url: URL_WITH }],
  ['POST', '/_psp/shops', { endpoints: [{ url: URL_WITH }] }],
  ['POST', '/_psp/shops/SHOP/endpoints', { url: URL_WITH }],
  ['POST', '/_psp/listeners', { url: URL_WITH }],
  ['POST', '/_psp/trigger', { event: 'payment.succeeded', set: { return_url: URL_WITH } }],
  ['POST', '/_psp/trigger', { event: 'payment.succeeded', set: { webhook_url: URL_WITH } }],
])('%s %s %j is refused, and its response does not contain the password', async (method, path, body) => {
  const { ask, call, shop, get } = await openSandbox()
  const send = path.startsWith('/_psp/') ? call : ask
  const response = await send(method, path.replace('SHOP', shop), body)
  expect(response.status).toBe(400)
  expect(response.body.error.message).toContain('a URL without user name and password')
  expect(response.body.error.message).not.toContain('hunter2')
  expect(JSON.stringify((await get('/requests')).body)).not.toContain('hunter2')
})

test('a replay and a change of an endpoint refuse a URL with a password', async () => {
  const { post, patch, shop } = await openSandbox()
  const { body: made } = await post('/trigger', { event: 'payment.succeeded' })
  const replayed = await post(`/events/${made.event_id}/replay`, { url: URL_WITH })
  expect(replayed.body.error.message).toContain('a URL without user name and password')
  const { body: endpoint } = await post(`/shops/${shop}/endpoints`, { url: 'https://shop.example/' })
  expect((await patch(`/endpoints/${endpoint.id}`, { url: URL_WITH })).status).toBe(400)
})

test('the request log masks the user name and password of a URL', async () => {
  const { ask, get } = await openSandbox()
  await ask('POST', '/v1/public/payments', { amount: 1, description: `see ${URL_WITH}` })
  const shown = JSON.stringify((await get('/requests')).body)
  expect(shown).toContain('https://***@shop.example/hooks')
  expect(shown).not.toContain('hunter2')
})
