import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { type StartOptions, startSandbox } from '../../src/testing/index.ts'

interface Run {
  readonly state: string
  readonly bodies: readonly string[]
}

async function failingReceiver() {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString()
    bodies.push(body)
    const again = bodies.filter((other) => other === body).length
    response.writeHead(request.url === '/a' && again < 3 ? 500 : 200).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { bodies, server, port: (server.address() as AddressInfo).port }
}

/** @param waits for each webhook before the next call; otherwise webhooks are in flight while the shop continues */
async function play(options: StartOptions, waits: boolean): Promise<Run> {
  const { bodies, server, port } = await failingReceiver()
  const psp = await startSandbox({ randomSeed: 7, clock: 'frozen', listen: false, ...options } as StartOptions)
  try {
    const shop = await psp.shops.create({ endpoints: [`http://127.0.0.1:${port}/a`, `http://127.0.0.1:${port}/b`] })
    await psp.faults.add({ target: 'webhook', fault: 'delay:5m', times: 1 })
    for (let n = 0; n < 6; n++) {
      const { payment } = await shop.payments.create({ amount: 1000 + n, method: 'cards' })
      await shop.payments.pay(payment.id)
      if (waits) await psp.idle()
      if (n % 2 === 0) await shop.payments.refund(payment.id, { amount: 10 })
    }
    await shop.payouts.create({ amount: 100, phone: '+79991234567', bank_id: '100000000111' })
    await psp.clock.advance('2h')
    await shop.payments.create({ amount: 5, order_id: 'last' }).then(({ payment }) => shop.payments.cancel(payment.id))
    const exported = await psp.fetch('/_psp/export')
    return { state: (await exported.text()).replaceAll(`:${port}/`, ':1/'), bodies: bodies.toSorted() }
  } finally {
    await psp.close()
    server.closeAllConnections()
    server.close()
  }
}

it('two runs of one scenario are identical to the byte, however fast the receivers are', async () => {
  const one = await play({}, true)
  const other = await play({}, false)
  expect(one.bodies.length).toBeGreaterThan(20)
  expect(other.bodies).toEqual(one.bodies)
  expect(other.state).toBe(one.state)
  expect(one.state).toContain('"exported_at":"2026-05-06T14:00:00.000Z"')
})

it('an export contains no system time of the copies that the fault `duplicate` sends', async () => {
  const playOnce = async () => {
    const psp = await startSandbox({ randomSeed: 7, clock: 'frozen', listen: false })
    onTestFinished(() => psp.close())
    const shop = await psp.shops.create()
    await shop.faults.add({ target: 'webhook', fault: 'duplicate:2', times: 1 })
    await shop.payments.create({ amount: 5 })
    await psp.clock.advance('10s')
    return await (await psp.fetch('/_psp/export')).text()
  }
  const state = await playOnce()
  expect(state.match(/"sent_at":\d+/g)).toEqual(Array(3).fill('"sent_at":1778068804000'))
  expect(await playOnce()).toBe(state)
})

it('a different seed produces different ids', async () => {
  const [one, other] = [await play({}, true), await play({ randomSeed: 8 }, true)]
  expect(other.bodies).not.toEqual(one.bodies)
})

it('an export can be imported, and continues from there', async () => {
  const { state } = await play({}, true)
  const psp = await startSandbox({ listen: false })
  try {
    const headers = { 'Content-Type': 'application/json' }
    const imported = await psp.fetch('/_psp/import', { method: 'PUT', headers, body: state })
    expect(await imported.json()).toEqual({ status: 'ok' })
    expect(await psp.clock.get()).toMatchObject({ mode: 'frozen', now: '2026-05-06T14:00:00.000Z' })
  } finally {
    await psp.close()
  }
})
