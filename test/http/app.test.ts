// The router, which finds one handler for each request.
import { expect, test } from 'vitest'
import { createApp } from '../../src/http/app.ts'
import { PUBLIC_OPERATIONS } from '../../src/http/public/operations.ts'
import { createRequestLog } from '../../src/http/request-log.ts'
import { frozenSandbox, openSandboxAdapter } from '../contract/adapter.ts'
import { createPayment, get, PAYMENTS, post } from '../contract/caller.ts'

test('the router with one regular expression finds exactly one handler for each public request', async () => {
  const { engine, timeline, close } = await frozenSandbox()
  const { api: app } = createApp({
    engine,
    timeline,
    systemClock: { monotonic: () => 0, setTimeout: () => {} },
    random: { uuid: () => '', token: () => '' },
    requestLog: createRequestLog(
      () => 1,
      () => 0,
    ),
    control: { host: '127.0.0.1', loopback: true },
  } as never)
  for (const { method, path } of Object.values(PUBLIC_OPERATIONS)) {
    for (const prefix of ['/v1/public', '/api/v1/public']) {
      expect(app.router.match(method, `${prefix}${path.replace(':id', 'x')}`)[0]).toHaveLength(1)
    }
  }
  expect(app.router.name).toBe('SharedRouter')
  await close()
})

test('the payment page exists, and other methods and paths at it get 405 and 404', async () => {
  const adapter = await openSandboxAdapter()
  const { payment } = (await createPayment(adapter)).body
  const page = await get(adapter, `/pay/${payment.id}`, { key: null })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])
  const wrong = await adapter.fetch(`/pay/${payment.id}`, { method: 'DELETE' })
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  const nothing = await get(adapter, '/pay/a/b/c', { key: null })
  expect([nothing.status, nothing.body.error.code]).toEqual([404, 'not_found'])
  await adapter.close()
})

test('a payment that is read again has its current status and format', async () => {
  const adapter = await openSandboxAdapter()
  const { id } = (await createPayment(adapter, { method: 'sbp' })).body.payment
  const read = async () => (await get(adapter, `${PAYMENTS}/${id}`)).body
  const first = await read()
  expect(await read()).toEqual(first)

  await adapter.arrange.settings({ naming: 'shop' })
  const renamed = await read()
  expect(renamed).toHaveProperty('shop_id', first.shop_id)
  expect(renamed).not.toHaveProperty('terminal_id')

  await post(adapter, `${PAYMENTS}/${id}/cancel`, {})
  expect((await read()).status).toBe('cancelled')
  await adapter.close()
})
