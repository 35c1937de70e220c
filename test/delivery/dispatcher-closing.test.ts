import { describe, expect, test } from 'vitest'
import { manualTransport, reaches, rig, turns } from './fixtures.ts'
import { receiver } from './receiver.ts'

describe('a delivery that is attempted twice', () => {
  test('joins an attempt in flight instead of repeating it', async () => {
    const { transport, sent } = manualTransport()
    const box = await rig({ transport })
    box.endpoint('http://127.0.0.1:1/')
    box.pay()
    await reaches(sent, 1)
    const { id } = box.deliveries()[0] ?? { id: '' }
    const both = [box.dispatcher.deliver(id), box.dispatcher.deliver(id)]
    sent[0]?.answer(200)
    await Promise.all(both)
    expect(sent).toHaveLength(1)
    expect(box.deliveries()[0]?.attempts).toHaveLength(1)
  })

  test('does not wait for the first attempt if it is a replay', async () => {
    const { transport, sent } = manualTransport()
    const box = await rig({ transport })
    box.endpoint('http://127.0.0.1:1/')
    box.pay()
    await reaches(sent, 1)
    box.run('replay_event', { event_id: box.deliveries()[0]?.event_id ?? '' })
    await reaches(sent, 2)
    expect(sent).toHaveLength(2)
  })
})

test('a reset abandons every attempt at once, and new attempts do not count the earlier ones', async () => {
  const { transport, sent } = manualTransport()
  const box = await rig({ transport })
  box.endpoint('http://127.0.0.1:1/')
  for (let i = 0; i < 65; i++) box.pay()
  await reaches(sent, 64)
  expect(box.dispatcher.count()).toEqual({ sending: 64, queued: 1 })
  const ids = [box.deliveries()[0]?.id ?? '', box.deliveries()[64]?.id ?? '']
  const waiting = Promise.allSettled(ids.map((id) => box.dispatcher.waitForAttempt(id)))
  const idle = box.dispatcher.idle()
  box.run('reset', {})
  await idle
  expect(await waiting).toMatchObject(ids.map(() => ({ status: 'rejected', reason: { code: 'not_found' } })))
  expect(box.dispatcher.count()).toEqual({ sending: 0, queued: 0 })
  box.pay()
  await reaches(sent, 65)
  for (const { answer } of sent) answer(200)
  await box.timeline.idle()
  expect([sent.length, box.deliveries().map(({ status }) => status), box.errors]).toEqual([65, ['delivered'], []])
})

describe('closing the dispatcher', () => {
  test('ignores queued attempts and late responses', async () => {
    const { transport, sent } = manualTransport()
    const box = await rig({ transport })
    box.endpoint('http://127.0.0.1:1/')
    const payment = box.pay()
    box.refund(payment.id, 1)
    for (let i = 0; i < 70; i++) box.pay()
    await reaches(sent, 64)
    expect(sent).toHaveLength(64)
    await box.dispatcher.close({ grace_ms: 1 })
    for (const { answer } of sent) answer(200)
    await turns()
    expect(sent).toHaveLength(64)
    expect(box.deliveries().every(({ status, attempts }) => status === 'waiting' && attempts.length === 0)).toBe(true)
    await box.dispatcher.deliver(box.deliveries()[0]?.id ?? '')
    expect(sent).toHaveLength(64)
  })

  test('waits for attempts in flight, and starts no more', async () => {
    const box = await rig()
    let answer = () => {}
    const to = await receiver((response) => {
      answer = () => void response.end()
    })
    box.endpoint(to.url)
    const payment = box.pay()
    box.refund(payment.id, 1)
    await to.got(1)
    const closing = box.dispatcher.close({ grace_ms: 10_000 })
    answer()
    await closing
    expect(to.received).toHaveLength(1)
    expect(box.deliveries().map(({ status }) => status)).toEqual(['delivered', 'waiting'])
  })

  test('gives up after the grace period, and the next start sends the attempt again', async () => {
    const box = await rig()
    let hang = true
    const to = await receiver((response) => void (hang || response.end()))
    box.endpoint(to.url)
    box.pay()
    await to.got(1)
    await box.dispatcher.close({ grace_ms: 20 })
    expect(box.deliveries()[0]).toMatchObject({ status: 'waiting', attempts: [] })
    hang = false
    const again = await rig({ log: box.log })
    await again.timeline.idle()
    expect(again.deliveries()[0]).toMatchObject({ status: 'delivered', attempts: [{ number: 1 }] })
  })
})
