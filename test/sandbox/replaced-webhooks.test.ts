// Webhooks in flight when the state is replaced: their results are not recorded, and nothing more is sent.
import { describe, expect, test } from 'vitest'
import type { Delivery } from '../../src/domain/delivery.ts'
import { createPayment } from '../contract/caller.ts'
import { manualTransport } from '../delivery/fixtures.ts'
import { openReplaceable, REPLACEMENTS, type Replacement, turns } from './fixtures.ts'

const endpoints = ['http://127.0.0.1:9/hooks']

/** A paid payment whose webhook is in flight, or was about to be sent when the state was kept. */
async function inFlight(options: Parameters<typeof openReplaceable>[0] = {}) {
  const { transport, sent } = manualTransport()
  const box = await openReplaceable({ endpoints, transport, ...options })
  const { adapter, control, sandbox } = box
  const pay = async () => {
    const { id } = (await createPayment(adapter, { method: 'sbp' })).body.payment
    await control('POST', `/payments/${id}/act`, { action: 'pay' })
    return id as string
  }
  return { ...box, sent, pay, deliveries: () => [...sandbox.engine.world.rows('deliveries')] as Delivery[] }
}

/** A restored state has the delivery again, so it is attempted again. */
const isBack = (way: Replacement) => way === 'restore' || way === 'import'

describe.each(REPLACEMENTS)('%s', (way) => {
  test('the response of a receiver is not recorded', async () => {
    const { sent, pay, keep, replace, deliveries, control } = await inFlight()
    await pay()
    await keep()
    await turns()
    expect(sent).toHaveLength(1)
    await replace(way)
    await turns()
    expect(sent).toHaveLength(isBack(way) ? 2 : 1)
    sent[0]?.answer(500)
    await turns()
    expect(deliveries().map(({ status, attempts }) => [status, attempts.length])).toEqual(
      isBack(way) ? [['waiting', 0]] : [],
    )
    expect((await control('GET', '/health')).body.status).toBe('ok')
    sent[1]?.answer(200)
    await turns()
    expect(deliveries().map(({ status }) => status)).toEqual(isBack(way) ? ['delivered'] : [])
  })

  test('webhooks that wait behind one in flight are not sent', async () => {
    const { sent, pay, keep, replace, control } = await inFlight()
    await keep()
    const id = await pay()
    await control('POST', `/payments/${id}/act`, { action: 'pay' })
    for (const part of [10, 20]) {
      await control('POST', '/rules', { plan: 'succeeded' })
      await control('POST', '/trigger', { event: 'payment.refunded', set: { amount: part * 100 } })
    }
    await turns()
    const before = sent.length
    await replace(way)
    for (const one of sent) one.answer(200)
    await turns()
    expect(sent).toHaveLength(before)
  })

  test('further copies of the fault duplicate are not sent, and not recorded', async () => {
    const { sent, pay, keep, replace, deliveries, fault } = await inFlight()
    fault('webhook', 'duplicate:40', { times: 1 })
    await pay()
    await turns()
    await keep()
    expect(sent).toHaveLength(16)
    await replace(way)
    for (const one of sent.slice(0, 16)) one.answer(200)
    await turns()
    expect(deliveries().flatMap(({ attempts }) => attempts)).toEqual([])
    expect(sent.length).toBeLessThanOrEqual(17)
  })

  test('a webhook that a fault delays or reorders is not sent', async () => {
    const { sent, pay, keep, replace, fault, control } = await inFlight()
    await keep()
    fault('webhook', 'reorder', { times: 1 })
    await pay()
    await turns()
    fault('webhook', 'delay:5s', { times: 1 })
    await pay()
    await turns()
    expect(sent).toEqual([])
    await replace(way)
    await control('POST', '/clock/advance', { by: '10s' })
    await pay()
    await turns()
    expect(sent).toHaveLength(1)
  })

  test('a retry, a replay and a test that wait for their attempt get the error sandbox_reset', async () => {
    const { sent, pay, keep, replace, deliveries, control, adapter } = await inFlight()
    await pay()
    await turns()
    sent[0]?.answer(500)
    await turns()
    await keep()
    const [delivery] = deliveries() as [Delivery]
    const { items } = (await control('GET', `/shops/${adapter.shop.shop_id}/endpoints`)).body
    const waiting = [
      control('POST', `/deliveries/${delivery.id}/retry`),
      control('POST', `/events/${delivery.event_id}/replay`),
      control('POST', `/endpoints/${items[0].id}/test`),
    ]
    await turns()
    expect(sent).toHaveLength(4)
    await replace(way)
    for (const reply of await Promise.all(waiting)) {
      expect([reply.status, reply.body.error.code]).toEqual([409, 'sandbox_reset'])
    }
    for (const one of sent.slice(1)) one.answer(200)
    await turns()
    expect(deliveries().map(({ status, attempts }) => [status, attempts.length])).toEqual(
      isBack(way) ? [['waiting', 1]] : [],
    )
  })

  test('attempts from before the replacement do not count towards the limit of concurrent attempts', async () => {
    const { sent, pay, keep, replace } = await inFlight()
    await keep()
    for (let i = 0; i < 70; i++) await pay()
    await turns()
    expect(sent).toHaveLength(64)
    await replace(way)
    await pay()
    await turns()
    expect(sent).toHaveLength(65)
  })
})
