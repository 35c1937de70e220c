import { describe, expect, test } from 'vitest'
import { refusingPort } from '../ports.ts'
import { rig } from './fixtures.ts'
import { receiver } from './receiver.ts'

describe('a bad receiver does not delay others', () => {
  test('if it hangs, resets, is dead or does not read', async () => {
    const box = await rig()
    box.run('change_settings', { values: { webhook_timeout: '30s' } })
    const hanging = await receiver(() => {})
    const resetting = await receiver((response) => void response.socket?.resetAndDestroy())
    const good = await receiver()
    const bad = [hanging.url, resetting.url, `http://127.0.0.1:${await refusingPort()}/`]
    for (const url of bad) box.endpoint(url)
    for (let i = 0; i < 200; i++) box.pay()
    for (let i = 0; i < 20; i++) box.pay({ webhook_url: good.url })
    await good.got(20)
    expect(hanging.received.length).toBeLessThanOrEqual(64)
    await expect.poll(() => box.deliveries().filter(({ status }) => status === 'delivered').length).toBe(20)
  })

  test('a hanging path does not block another path of the same server', async () => {
    const box = await rig()
    const to = await receiver((response, { path }) => void (path === '/ok' && response.end()))
    const base = `http://127.0.0.1:${to.port}`
    for (let i = 0; i < 100; i++) box.pay({ webhook_url: `${base}/hang` })
    box.pay({ webhook_url: `${base}/ok` })
    await expect.poll(() => to.received.some(({ path }) => path === '/ok')).toBe(true)
    expect(to.received.filter(({ path }) => path === '/hang').length).toBeLessThanOrEqual(64)
  })

  test('many servers that hang leave capacity for one that responds', async () => {
    const box = await rig()
    const hanging = await Promise.all(Array.from({ length: 6 }, () => receiver(() => {})))
    for (const { url } of hanging) for (let i = 0; i < 64; i++) box.pay({ webhook_url: url })
    const good = await receiver()
    for (let i = 0; i < 5; i++) box.pay({ webhook_url: good.url })
    await good.got(5)
    expect(box.dispatcher.count().sending).toBeLessThanOrEqual(256 + 7 * 4)
  })
})

describe('the order of deliveries', () => {
  test('first attempts of one object are sent in the order of its events', async () => {
    const box = await rig()
    const order: string[] = []
    const held: (() => void)[] = []
    const to = await receiver((response, { body }) => {
      order.push(JSON.parse(body.toString()).event)
      held.push(() => void response.writeHead(500).end())
    })
    box.endpoint(to.url)
    const payment = box.pay()
    box.refund(payment.id, 5000)
    box.refund(payment.id, 5000)
    await to.got(1)
    expect(order).toEqual(['payment.succeeded'])
    expect(box.dispatcher.count()).toEqual({ sending: 1, queued: 2 })
    // A failed first attempt also makes way, and its retries are not ordered.
    held[0]?.()
    await to.got(2)
    held[1]?.()
    await to.got(3)
    held[2]?.()
    await box.timeline.idle()
    expect(order).toEqual(['payment.succeeded', 'payment.refunded', 'payment.refunded'])
  })

  test('objects and receivers do not wait for each other', async () => {
    const box = await rig()
    const hanging = await receiver(() => {})
    const good = await receiver()
    box.endpoint(hanging.url)
    box.endpoint(good.url)
    const payment = box.pay()
    box.refund(payment.id, 5000)
    box.pay()
    await good.got(3)
    expect(hanging.received).toHaveLength(2)
  })
})
