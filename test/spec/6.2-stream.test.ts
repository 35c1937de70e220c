// Spec 6.2: the event stream.
import { describe, expect, test } from 'vitest'
import { rig, sseReader } from '../delivery/fixtures.ts'

type Box = Awaited<ReturnType<typeof rig>>

const readerOf = (box: Box) => ({ key_id: box.key.id, shop_id: box.shop.id, mode: 'test' as const })
const open = (box: Box, more: object = {}) => sseReader(box.streams.open({ ...readerOf(box), ...more }))

describe('6.2 the realtime stream', () => {
  test('the stream opens at once with a comment', async () => {
    const stream = open(await rig())
    await stream.pull()
    expect(stream.raw()).toBe(': connected\n\n')
  })

  test('a message consists of an event line and a data line', async () => {
    const box = await rig()
    const stream = open(box)
    const { object } = box.run('create_payment', {
      caller: box.caller,
      input: { amount: 15000, currency: 'RUB', method: 'sbp', order_id: 'a\nb', metadata: {} },
    })
    await stream.next()
    const payload = { id: object.id, status: 'pending', amount: 15000, currency: 'RUB', order_id: 'a\nb' }
    const data = JSON.stringify({ kind: 'payment.created', payload, at: '2026-05-06T12:00:00.000Z' })
    expect(stream.raw()).toBe(`: connected\n\nevent: payment.created\ndata: ${data}\n\n`)
  })

  test('the stream contains each change in order, including intermediate ones', async () => {
    const box = await rig()
    const stream = open(box)
    const payment = box.pay()
    box.refund(payment.id, payment.amount)
    const messages = await stream.take(5)
    expect(messages.map(({ event, data }) => [event, (data['payload'] as { status: string }).status])).toEqual([
      ['payment.created', 'pending'],
      ['payment.status_changed', 'processing'],
      ['payment.status_changed', 'succeeded'],
      ['refund.created', 'succeeded'],
      ['payment.status_changed', 'refunded'],
    ])
    expect(messages[2]?.data).toMatchObject({
      kind: 'payment.status_changed',
      payload: { previous_status: 'processing' },
    })
    expect(messages[3]?.data).toMatchObject({ payload: { payment_id: payment.id, amount: payment.amount } })
  })

  test('the stream contains the changes of payouts', async () => {
    const box = await rig()
    const stream = open(box)
    const { object } = box.run('create_payout', {
      caller: box.caller,
      input: { amount: 100, currency: 'RUB', phone: '+79990000000', bank_id: '100000000004' },
    })
    box.run('settle_payout', { payout_id: object.id, status: 'succeeded' })
    const messages = await stream.take(2)
    expect(messages.map(({ event }) => event)).toEqual(['payout.created', 'payout.status_changed'])
    expect(messages[1]?.data).toMatchObject({
      payload: { id: object.id, status: 'succeeded', previous_status: 'pending' },
    })
  })

  test('a new connection with the same key ends the earlier one', async () => {
    const box = await rig()
    const old = open(box)
    const stream = open(box)
    expect(await old.end()).toBe(true)
    box.pay()
    expect((await stream.next()).event).toBe('payment.created')
    expect(box.streams.counts().connections).toBe(1)
  })

  test('a second connection is rejected until the first ends, if the setting requires it', async () => {
    const box = await rig()
    box.run('change_settings', { values: { stream_second: 'reject' } })
    const first = open(box)
    expect(() => open(box)).toThrow(expect.objectContaining({ code: 'stream_busy', status: 409 }))
    await first.cancel()
    open(box)
  })

  test('a stream contains only the shop and mode of its key', async () => {
    const box = await rig()
    const other = box.run('create_shop', {})
    const streams = [
      open(box, { key_id: 'live', mode: 'live' }),
      sseReader(box.streams.open({ key_id: other.key.id, shop_id: other.shop.id, mode: 'test' })),
    ]
    const mine = open(box)
    box.pay()
    await mine.take(3)
    box.streams.close()
    for (const stream of streams) {
      await stream.end()
      expect(stream.raw()).toBe(': connected\n\n')
    }
  })

  test('streams of several keys of a shop contain the same changes', async () => {
    const box = await rig()
    const streams = [open(box), open(box, { key_id: 'second' })]
    box.pay()
    for (const stream of streams) expect(await stream.take(3)).toHaveLength(3)
  })

  test('revoking a key ends its stream', async () => {
    const box = await rig()
    const stream = open(box)
    const kept = open(box, { key_id: box.run('create_key', { shop_id: box.shop.id, mode: 'test' }).key.id })
    box.run('revoke_key', { key_id: box.key.id })
    expect(await stream.end()).toBe(true)
    box.pay()
    expect(await kept.take(3)).toHaveLength(3)
  })
})
