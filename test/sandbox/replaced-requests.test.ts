// A request that is in progress when the state is replaced changes nothing afterwards, and gets an error that says so.
import { describe, expect, test } from 'vitest'
import { lazyRunInSandbox } from '../../src/scenarios/lazy-run-in-sandbox.ts'
import { createPayment, statusAndCode } from '../contract/caller.ts'
import { openOnMemoryDisk, openReplaceable, REPLACEMENTS, sendFirstPart, turns } from './fixtures.ts'

const RESET = [409, 'sandbox_reset']

describe.each(REPLACEMENTS)('%s', (way) => {
  test('a create that a latency fault delays makes no payment', async () => {
    const { adapter, fault, keep, replace, payments, systemClock } = await openReplaceable()
    await keep()
    fault('api', 'latency:60s')
    const held = createPayment(adapter, {}, { headers: { 'Idempotency-Key': 'one' } })
    await turns()
    expect(await replace(way)).toBe(200)
    const reply = await held
    expect(statusAndCode(reply)).toEqual(RESET)
    expect(reply.body.error.message).toMatch(/reset, restore or import .* send it again/i)
    await systemClock.advance(61_000)
    expect(payments()).toEqual([])
    const again = await createPayment(adapter, { amount: 1 }, { headers: { 'Idempotency-Key': 'one' } })
    expect(again.status).toBe(201)
  })

  test('a create makes no payment if the new state also has the fault that delays the create', async () => {
    const { adapter, fault, keep, replace, payments, systemClock } = await openReplaceable()
    fault('api', 'latency:60s', { times: 2 })
    await keep()
    const held = createPayment(adapter)
    await turns()
    await replace(way)
    expect(statusAndCode(await held)).toEqual(RESET)
    await systemClock.advance(61_000)
    expect(payments()).toEqual([])
  })

  test('a create whose body is still being received makes no payment', async () => {
    const { adapter, keep, replace, payments } = await openReplaceable()
    await keep()
    const request = await sendFirstPart(adapter, 'POST', '/v1/public/payments', '{"amount":100}', {
      authorization: `Bearer ${adapter.shop.api_key}`,
    })
    await replace(way)
    expect((await request.finish()).status).toBe(409)
    expect(payments()).toEqual([])
  })

  test('a control request whose body is still being received changes nothing', async () => {
    const { adapter, keep, replace, sandbox } = await openReplaceable()
    await keep()
    const request = await sendFirstPart(adapter, 'PATCH', '/_psp/settings', '{"buyer":"manual"}')
    await replace(way)
    expect((await request.finish()).status).toBe(409)
    expect(sandbox.engine.world.settings.buyer).toBe('auto')
  })

  test('an import whose body is still being received does not replace the state again', async () => {
    const { adapter, control, keep, replace, payments } = await openReplaceable()
    await keep()
    await createPayment(adapter)
    const { body: state } = await control('GET', '/export')
    const request = await sendFirstPart(adapter, 'PUT', '/_psp/import', JSON.stringify(state))
    await replace(way)
    expect((await request.finish()).status).toBe(409)
    expect(payments()).toEqual([])
  })

  test('a reset whose body is still being received runs, because it does not depend on the old state', async () => {
    const { adapter, keep, replace, payments } = await openReplaceable()
    await keep()
    const request = await sendFirstPart(adapter, 'POST', '/_psp/reset', '{"all":false}')
    await replace(way)
    expect((await request.finish()).status).toBe(200)
    expect(payments()).toEqual([])
  })

  test('a create whose response a late_response fault delays gets an error, because its payment is gone', async () => {
    const { adapter, fault, keep, replace, payments } = await openReplaceable()
    await keep()
    fault('api', 'late_response:60s')
    const held = createPayment(adapter)
    await turns()
    expect(payments()).toHaveLength(1)
    await replace(way)
    expect(statusAndCode(await held)).toEqual(RESET)
    expect(payments()).toEqual([])
  })

  test('a create whose response waits for a webhook (before_response) gets an error, because its payment is gone', async () => {
    const { adapter, fault, keep, replace, payments } = await openReplaceable({ endpoints: ['http://127.0.0.1:9/'] })
    await keep()
    fault('webhook', 'before_response')
    const held = createPayment(adapter)
    await turns()
    expect(payments()).toHaveLength(1)
    await replace(way)
    expect(statusAndCode(await held)).toEqual(RESET)
  })

  test('the request log contains no request from before the replacement', async () => {
    const { adapter, fault, keep, replace, control } = await openReplaceable()
    await keep()
    fault('api', 'latency:60s')
    const held = createPayment(adapter)
    await turns()
    await replace(way)
    await held
    expect((await control('GET', '/requests')).body.items).toEqual([])
  })

  test('a form of the hosted page whose body is still being received pays nothing', async () => {
    const { adapter, keep, replace, sandbox } = await openReplaceable()
    const { id } = (await createPayment(adapter, { method: 'sbp' })).body.payment
    await keep()
    const page = await (await adapter.fetch(`/pay/${id}`, { headers: { accept: 'text/html' } })).text()
    const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const request = await sendFirstPart(adapter, 'POST', `/pay/${id}/pay`, `token=${token}`, {
      'content-type': 'application/x-www-form-urlencoded',
    })
    await replace(way)
    const { status, headers } = await request.finish()
    expect([status, headers.get('location')]).toEqual([303, expect.stringContaining(id)])
    const payment = sandbox.engine.world.get('payments', id)
    expect(payment?.status ?? 'gone').toBe(way.startsWith('reset') ? 'gone' : 'pending')
  })

  test('a card that waits for its 3-D Secure step pays nothing', async () => {
    const { adapter, keep, replace, sandbox } = await openReplaceable()
    const { id } = (await createPayment(adapter, { method: 'cards' })).body.payment
    await keep()
    const show = async () => (await adapter.fetch(`/pay/${id}`, { headers: { accept: 'text/html' } })).text()
    const token = /name="token" value="([^"]+)"/.exec(await show())?.[1] ?? ''
    const form = (part: string, fields: Record<string, string>) =>
      adapter.fetch(`/pay/${id}/${part}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ token, ...fields }).toString(),
      })
    await form('pay', { number: '2200000000010011', expiry: '12/34', cvc: '123', holder: 'A B' })
    expect(await show()).toContain('name="answer"')
    await replace(way)
    await form('confirm', { answer: 'yes', code: '123456' })
    expect(sandbox.engine.world.get('payments', id)?.status ?? 'gone').toBe(
      way.startsWith('reset') ? 'gone' : 'pending',
    )
    if (!way.startsWith('reset')) expect(await show()).not.toContain('name="answer"')
  })

  test('a buyer whose redirect is delayed is sent to the payment page immediately', async () => {
    const { adapter, fault, keep, replace } = await openReplaceable()
    const made = await createPayment(adapter, { method: 'sbp', return_url: 'https://shop.example/back' })
    const { id } = made.body.payment
    await keep()
    await adapter.fetch(`/_psp/payments/${id}/act`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"action":"pay"}',
    })
    fault('redirect', 'delay:60s')
    const back = adapter.fetch(`/pay/${id}/return`)
    await turns()
    await replace(way)
    const { status, headers } = await back
    expect([status, headers.get('location')]).toEqual([303, expect.not.stringContaining('shop.example')])
  })
})

test('a create that is stored but not yet durable when the state is replaced gets an error', async () => {
  const { adapter, sandbox } = await openOnMemoryDisk(true)
  const held = createPayment(adapter)
  await turns(2)
  expect([...sandbox.engine.world.rows('payments')]).toHaveLength(1)
  sandbox.engine.execute('reset', {})
  expect(statusAndCode(await held)).toEqual(RESET)
})

test('a snapshot that waits for a write when the state is replaced is not created', async () => {
  const { adapter, sandbox } = await openOnMemoryDisk(true)
  sandbox.engine.execute('add_rule', { plan: 'failed' })
  const taken = adapter.fetch('/_psp/snapshots/one', { method: 'PUT' })
  await turns(2)
  sandbox.engine.execute('reset', {})
  expect((await taken).status).toBe(409)
  expect(sandbox.store.snapshots.list()).toEqual([])
})

describe('a scenario in progress', () => {
  const play = (adapter: { fetch(path: string, init: RequestInit): Promise<Response> }, steps: object[]) =>
    adapter.fetch('/_psp/trigger', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ scenario: { name: 'steps', description: 'Steps.', steps } }),
    })

  test.each(REPLACEMENTS)('takes no further step after a %s', async (way) => {
    const { adapter, keep, replace, payments, systemClock, control } = await openReplaceable({
      runScenario: lazyRunInSandbox,
    })
    await keep()
    const played = play(adapter, [
      { id: 'first', do: 'payments.create', with: { amount: 100 } },
      { id: 'wait', do: 'wait', with: { event: 'payment.refunded', timeout: '5s' } },
      { id: 'second', do: 'payments.create', with: { amount: 200 } },
    ])
    while (payments().length === 0) await turns(1)
    await replace(way)
    await systemClock.advance(6000)
    expect((await played).status).toBe(409)
    expect(payments()).toEqual([])
    expect((await control('GET', `/shops/${adapter.shop.shop_id}/keys`)).body.items).toHaveLength(1)
  })

  test('continues after a reset by one of its steps', async () => {
    const { adapter, payments } = await openReplaceable({ runScenario: lazyRunInSandbox })
    const played = await play(adapter, [
      { id: 'first', do: 'payments.create', with: { amount: 100 } },
      { id: 'reset', do: 'store.reset' },
      { id: 'second', do: 'payments.create', with: { amount: 200 } },
    ])
    expect(played.status).toBe(201)
    expect(payments()).toMatchObject([{ amount: 200 }])
  })
})
