// Streams that are open when the state is replaced stay open, and send nothing from before the replacement.
import { describe, expect, test } from 'vitest'
import type { ForwardRequest } from '../../src/delivery/forward-messages.ts'
import { createPayment } from '../contract/caller.ts'
import { sseReader } from '../delivery/fixtures.ts'
import { openReplaceable, REPLACEMENTS, turns } from './fixtures.ts'

type Box = Awaited<ReturnType<typeof openReplaceable>>

async function pay({ adapter, control }: Box): Promise<string> {
  const { id } = (await createPayment(adapter, { method: 'sbp' })).body.payment
  await control('POST', `/payments/${id}/act`, { action: 'pay' })
  return id
}

async function open({ adapter }: Box, path: string) {
  const response = await adapter.fetch(path, { headers: { authorization: `Bearer ${adapter.shop.api_key}` } })
  return sseReader(response.body as ReadableStream<Uint8Array>)
}

async function listener(box: Box) {
  await box.control('POST', '/listeners', { id: 'lst_one', url: 'http://localhost:3000/' })
  return open(box, '/_psp/listeners/lst_one/stream')
}

describe.each(REPLACEMENTS)('%s', (way) => {
  test('a stalled event stream sends no message from before the replacement', async () => {
    const box = await openReplaceable()
    await box.keep()
    const stream = await open(box, '/v1/public/events')
    box.fault('stream', 'stall')
    await pay(box)
    await turns()
    await box.replace(way)
    // A reset of everything replaces the key, and the stream of the old key ends.
    if (way === 'reset with all') return expect(await stream.end()).toBe(true)
    const id = await pay(box)
    expect((await stream.next()).data).toMatchObject({ payload: { id } })
  })

  test('a deliveries stream reports the replacement, and a result of an earlier delivery is refused', async () => {
    const box = await openReplaceable()
    const { control, keep, replace } = box
    const stream = await listener(box)
    await pay(box)
    const before = (await stream.next()).data as unknown as ForwardRequest
    await keep()
    await replace(way)
    const report = ({ delivery_id, attempt, generation }: ForwardRequest, status: number) =>
      control('POST', '/listeners/lst_one/results', { delivery_id, attempt, generation, status, ms: 1 })
    if (way === 'reset with all') {
      expect((await report(before, 500)).status).toBe(404)
      return
    }
    expect((await stream.next()).event).toBe('reset')
    if (way === 'reset') {
      expect((await report(before, 500)).status).toBe(404)
      return
    }
    const after = (await stream.next()).data as unknown as ForwardRequest
    expect([after.delivery_id, after.attempt]).toEqual([before.delivery_id, before.attempt])
    expect((await report(before, 500)).status).toBe(404)
    expect((await report(after, 200)).body).toEqual({ status: 'delivered', next_attempt_at: null })
  })

  test('a delivery from before the replacement is not sent when its listener connects', async () => {
    const box = await openReplaceable()
    await box.control('POST', '/listeners', { id: 'lst_one', url: 'http://localhost:3000/' })
    await box.keep()
    const before = await pay(box)
    await turns()
    await box.replace(way)
    const stream = await listener(box)
    const after = await pay(box)
    const { data } = await stream.next()
    expect([data['object_id'], before]).toEqual([after, expect.not.stringContaining(after)])
  })
})

test('an event stream drops messages that were not sent before a reset', async () => {
  const box = await openReplaceable()
  const stream = await open(box, '/v1/public/events')
  const { engine } = box.sandbox
  const caller = { shop_id: box.adapter.shop.shop_id, mode: 'test' } as const
  const input = { amount: 100, currency: 'RUB', method: 'sbp', metadata: {} } as const
  const { object } = engine.execute('create_payment', { caller, input })
  engine.execute('act_on_payment', { payment_id: object.id, act: { action: 'pay' } })
  engine.execute('reset', {})
  const id = await pay(box)
  expect((await stream.next()).data).toMatchObject({ payload: { id } })
})
