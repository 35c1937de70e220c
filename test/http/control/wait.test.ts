// POST /_psp/shops/:id/wait: when it responds, and how it explains a timeout.
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { waitRoutes } from '../../../src/http/control/wait.ts'
import { createSystemClock } from '../../../src/system-clock/system-clock.ts'
import { manualSystemClock } from '../../time/manual-system-clock.ts'
import { BASE, openSandbox, serve } from '../fixtures.ts'

const PAID = 'payment.succeeded'

it('the response contains the first matching past event, after the first attempt of its webhook', async () => {
  const { post, pay, hooks, shop } = await openSandbox({ clock: { mode: 'real' } })
  const hook = await hooks()
  for (const order_id of ['A-1', 'A-2', 'A-1'])
    await post(`/payments/${await pay({ order_id, metadata: { cart: '7' } })}/act`, { action: 'pay' })
  const { body } = await post(`/shops/${shop}/wait`, { event: PAID, where: { order_id: 'A-1', 'metadata.cart': 7 } })
  expect(body).toMatchObject({ event: { event: PAID, shop_id: shop, data: { order_id: 'A-1' } }, message: null })
  expect(JSON.parse(String(hook.received[0]?.body)).id).toBe(body.event.id)
})

it('the response is sent as soon as a later event happens and its receiver has responded', async () => {
  let respond = () => {}
  const isSent = new Promise<void>((sent) => {
    respond = sent
  })
  const transport = async () => {
    await isSent
    return { status: 200 }
  }
  const options = { clock: { mode: 'real' }, endpoints: ['http://127.0.0.1:9/hooks'], transport } as const
  const { post, pay, shop, get } = await openSandbox(options)
  let isOver = false
  const waited = post(`/shops/${shop}/wait`, { event: PAID, timeout: '1m' }).finally(() => {
    isOver = true
  })
  await post(`/payments/${await pay()}/act`, { action: 'pay' })
  expect((await get('/events')).body.items).toHaveLength(1)
  expect(isOver).toBe(false)
  respond()
  expect((await waited).body.event.event).toBe(PAID)
})

it('a timeout is explained by the nearest other events of the shop and by the frozen clock', async () => {
  const { post, pay, shop } = await openSandbox()
  const other = (await post('/shops', {})).body
  const foreign = await pay({ order_id: 'B-1' }, other.api_key)
  for (const id of [await pay({ order_id: 'A-1' }), foreign]) await post(`/payments/${id}/act`, { action: 'decline' })
  const body = { event: PAID, where: { order_id: 'A-2' }, timeout: '10ms' }
  expect((await post(`/shops/${shop}/wait`, body)).body).toEqual({
    event: null,
    message: `payment.succeeded with order_id "A-2" did not happen within 10ms.
Events that happened instead:
  payment.failed  order_id "A-1"
The clock is frozen, and no step is scheduled. First create, pay or decline the object.`,
  })
})

it('a timeout names the next step of a frozen clock, and does not mention a clock that runs', async () => {
  const { post, pay, shop } = await openSandbox()
  const body = { event: PAID, timeout: '10ms' }
  await pay()
  const due =
    /^payment\.succeeded did not happen within 10ms\.\n(?:.|\n)*The clock is frozen\. The next step is due at (\S+): advance the clock\.$/
  const at = due.exec((await post(`/shops/${shop}/wait`, body)).body.message)?.[1]
  const { steps } = (await post('/clock/advance', { to: at })).body
  expect(steps).toBeGreaterThan(0)
  await post('/clock', { mode: 'real' })
  const { message } = (await post(`/shops/${shop}/wait`, { ...body, event: 'payout.failed' })).body
  expect(message).toBe('payout.failed did not happen within 10ms.\nNo event happened.')
})

it('a timeout names the URL whose response is missing', async () => {
  const transport = () => new Promise<never>(() => {})
  const { post, pay, shop } = await openSandbox({ endpoints: ['http://127.0.0.1:9/hooks'], transport })
  await post(`/payments/${await pay()}/act`, { action: 'pay' })
  const { message } = (await post(`/shops/${shop}/wait`, { event: PAID, timeout: '10ms' })).body
  expect(message).toMatch(
    /^payment.succeeded evt_\S+ happened, but the first attempt of these webhooks did not end within 10ms:\n {2}/,
  )
  expect(message).toContain('  http://127.0.0.1:9/hooks  due ')
})

it('an unknown event, field or shop and a long timeout are rejected at once', async () => {
  const { post, shop } = await openSandbox()
  const wait = async (body: object, id = shop) => (await post(`/shops/${id}/wait`, body)).body.error
  expect(await wait({ event: 'payment.suceeded' })).toMatchObject({ message: expect.stringContaining(PAID) })
  expect(await wait({ event: PAID, where: { order: 'A-1' } })).toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining('where: '),
  })
  expect(await wait({ event: PAID, timeout: '11m' })).toMatchObject({ message: expect.stringContaining('at most 10m') })
  expect(await wait({ event: PAID }, 'missing')).toMatchObject({ code: 'not_found' })
})

/** Returns a system clock, and promises for the start and for the end of the timer of a wait of 10 minutes. */
function observedClock() {
  let start = () => {}
  let end = () => {}
  const isStarted = new Promise<void>((resolve) => {
    start = resolve
  })
  const isEnded = new Promise<void>((resolve) => {
    end = resolve
  })
  const real = createSystemClock()
  const systemClock: typeof real = {
    ...real,
    setTimeout(fn, ms) {
      if (ms !== 600_000) return real.setTimeout(fn, ms)
      start()
      return { cancel: end }
    },
  }
  return { systemClock, isStarted, isEnded }
}

const LONG_WAIT = JSON.stringify({ event: PAID, timeout: '10m' })

it('a wait ends if its client closes the connection', async () => {
  const { systemClock, isStarted, isEnded } = observedClock()
  const { sandbox, shop, pay, post } = await openSandbox({ systemClock })
  const server = await serve(sandbox)
  onTestFinished(() => server.close({ grace_ms: 0 }))
  const client = connect(server.port, '127.0.0.1')
  const head = ['Host: 127.0.0.1', 'Content-Type: application/json', `Content-Length: ${LONG_WAIT.length}`]
  client.write(`POST /_psp/shops/${shop}/wait HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${LONG_WAIT}`)
  await isStarted
  client.destroy()
  await isEnded
  await post(`/payments/${await pay()}/act`, { action: 'pay' })
  expect((await post(`/shops/${shop}/wait`, { event: PAID })).body.message).toBeNull()
})

it('a wait in the same process ends if its request is aborted', async () => {
  const { systemClock, isStarted, isEnded } = observedClock()
  const { sandbox, shop } = await openSandbox({ systemClock })
  const abort = new AbortController()
  const headers = { 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: LONG_WAIT, signal: abort.signal }
  const response = sandbox.fetch(new Request(`${BASE}/_psp/shops/${shop}/wait`, request))
  await isStarted
  abort.abort()
  await expect(response).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  await isEnded
})

it('a wait that is over listens neither to commits nor to its client, and leaves no timer', async () => {
  const { sandbox, shop: id } = await openSandbox()
  const systemClock = manualSystemClock()
  const listeners = new Set<object>()
  const controlHub = {
    attach(sink: object) {
      listeners.add(sink)
      return () => listeners.delete(sink)
    },
  }
  const raw = new Request(BASE)
  const removed: string[] = []
  raw.signal.removeEventListener = (type: string) => void removed.push(type)
  const { world } = sandbox.engine
  const services = { controlHub, systemClock, engine: sandbox.engine, timeline: { clock: () => ({ mode: 'real' }) } }
  const call = { c: { req: { raw } }, services, world, body: { event: PAID, timeout: 10 }, param: () => id }
  const waited = waitRoutes[0]?.run(call as never)
  expect(listeners.size).toBe(1)
  await systemClock.advance(10)
  expect(await waited).toMatchObject({ body: { event: null } })
  expect([listeners.size, removed, systemClock.waiting()]).toEqual([0, ['abort'], 0])
})

it.each(['rules', 'faults'])('%s are listed and removed by the shop in their match', async (kind) => {
  const { post, get, remove, shop } = await openSandbox()
  const body = kind === 'rules' ? { plan: 'failed' } : { target: 'api', fault: 'status:503' }
  for (const match of [{ shop_id: 'other' }, { shop_id: shop }, {}]) await post(`/${kind}`, { ...body, match })
  const matches = async (query = '') =>
    (await get(`/${kind}${query}`)).body.items.map((item: { match: object }) => item.match)
  expect(await matches(`?shop_id=${shop}`)).toEqual([{ shop_id: shop }])
  expect(await remove(`/${kind}?shop_id=${shop}`)).toMatchObject({ status: 204 })
  expect(await matches()).toEqual([{}, { shop_id: 'other' }])
})
