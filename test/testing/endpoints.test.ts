// Webhooks of an application under test, whose address is known only once it listens.
import { afterEach, describe, expect, it } from 'vitest'
import { type StartOptions, startSandbox, type TestSandbox } from '../../src/testing/index.ts'
import { verifyWebhook } from '../../src/webhooks/index.ts'
import { receiver } from '../delivery/receiver.ts'
import { refusingPort } from '../ports.ts'

const open: TestSandbox[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})
async function start(options?: StartOptions): Promise<TestSandbox> {
  const sandbox = await startSandbox(options)
  open.push(sandbox)
  return sandbox
}

const PLACES: readonly (readonly [string, () => Promise<TestSandbox>])[] = [
  ['in process', () => start({ clock: 'frozen' })],
  ['over HTTP', async () => start({ url: (await start({ clock: 'frozen', receiver: false })).url })],
]

describe.each(PLACES)('%s', (_, place) => {
  it('an endpoint can be added later, listed and removed', async () => {
    const psp = await place()
    const app = await receiver()
    const added = await psp.endpoints.add(`localhost:${app.port}/hooks`, { events: ['payment.succeeded'] })
    expect(added.url).toBe(`http://localhost:${app.port}/hooks`)
    expect(await psp.endpoints.list()).toMatchObject([{ id: added.id, events: ['payment.succeeded'], signature: 'v2' }])
    const { payment } = await psp.payments.create({ amount: 100, order_id: 'A-1' })
    await psp.payments.pay(payment.id)
    await psp.waitFor('payment.succeeded', { order_id: 'A-1' })
    const [request, ...more] = app.received
    expect(more).toEqual([])
    expect(verifyWebhook(request?.body ?? '', request?.headers, psp.webhookSecret)).toMatchObject({ valid: true })
    expect(psp.receiver.webhooks).toHaveLength(1)
    await psp.endpoints.remove(added.id)
    expect(await psp.endpoints.list()).toEqual([])
  })

  it('an invalid address is rejected with the correct form, also at the start', async () => {
    const psp = await place()
    await expect(psp.endpoints.add('hooks')).rejects.toThrow('endpoints: "hooks" is a word, not an address.')
    await expect(psp.endpoints.add('')).rejects.toThrow('Write localhost:3000/hooks')
    await expect(psp.endpoints.add(3000 as never)).rejects.toThrow('endpoints: expected a URL as a string, got number.')
  })
})

it('startSandbox and shops.create take the same forms of addresses', async () => {
  const port = await refusingPort()
  const psp = await start({ endpoints: [`localhost:${port}/a`] })
  const shop = await psp.shops.create({ endpoints: [`:${port}/b`] })
  expect([await psp.endpoints.list(), await shop.endpoints.list()]).toMatchObject([
    [{ url: `http://localhost:${port}/a` }],
    [{ url: `http://localhost:${port}/b` }],
  ])
  await expect(start({ endpoints: ['ftp://localhost/x'] })).rejects.toThrow(
    'the scheme must be http or https, not ftp.',
  )
})
