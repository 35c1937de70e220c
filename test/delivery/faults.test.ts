import { describe, expect, test } from 'vitest'
import { rig, verifyV2 } from './fixtures.ts'
import { receiver } from './receiver.ts'

describe('a webhook fault', () => {
  test.each([
    ['tamper', /^t=\d+,v1=[0-9a-f]{64},v2=[0-9a-f]{64}$/],
    ['wrong_secret', /^t=\d+,v1=[0-9a-f]{64},v2=[0-9a-f]{64}$/],
    ['v1_only', /^t=\d+,v1=[0-9a-f]{64}$/],
    ['unsigned', /^undefined$/],
  ])('%s produces a webhook that does not verify', async (fault, header) => {
    const box = await rig()
    const to = await receiver()
    const { secret } = box.endpoint(to.url)
    box.fault(fault)
    box.pay()
    const delivery = await box.over()
    expect(delivery.attempts[0]?.fault).toBe(fault)
    expect(String(to.received[0]?.headers['x-psp-signature'])).toMatch(header)
    expect(verifyV2(to.received[0], secret)).toBe(false)
    // The fault was counted, so the next webhook is valid again.
    box.pay()
    await box.timeline.idle()
    expect(verifyV2(to.received[1], secret)).toBe(true)
  })

  test('tamper stores the bytes that were sent', async () => {
    const box = await rig()
    const to = await receiver()
    box.endpoint(to.url)
    box.fault('tamper')
    box.pay({ amount: 15000 })
    const { attempts } = await box.over()
    expect(JSON.parse(String(to.received[0]?.body)).data.amount).toBe(15001)
    expect(attempts[0]?.request_body?.text).toBe(to.received[0]?.body.toString())
    expect(attempts[0]?.fault_ids).toEqual([expect.stringMatching(/^flt_/)])
  })

  test.each([
    ['stale:10m', -600],
    ['future:1h', 3600],
  ])('%s changes the signed time', async (fault, seconds) => {
    const box = await rig()
    const to = await receiver()
    const { secret } = box.endpoint(to.url)
    box.fault(fault)
    box.pay()
    const { attempts } = await box.over()
    const sent = Math.floor((attempts[0]?.sent_at ?? 0) / 1000)
    expect(to.received[0]?.headers['x-psp-timestamp']).toBe(String(sent + seconds))
    expect(verifyV2(to.received[0], secret)).toBe(true)
  })

  test('late_response stores the response, but the webhook is sent again', async () => {
    const box = await rig()
    const place = await receiver()
    box.endpoint(place.url)
    box.fault('late_response')
    box.pay()
    const late = await box.over()
    expect(late).toMatchObject({ status: 'waiting', attempts: [{ status: 200, fault: 'late_response' }] })
    expect(late.attempts[0]?.error).toContain('after the deadline')
    await box.advance(10_000)
    expect(place.received).toHaveLength(2)
    expect(place.received[1]?.body).toEqual(place.received[0]?.body)
    expect(box.deliveries()[0]?.status).toBe('delivered')
  })

  test('drop sends nothing and records a failed attempt', async () => {
    const box = await rig()
    const to = await receiver()
    box.endpoint(to.url)
    box.fault('drop', { times: 2 })
    box.pay()
    await box.timeline.advance({ until: 'idle' })
    const [delivery] = box.deliveries()
    expect(delivery?.attempts.map(({ fault, status }) => [fault, status])).toEqual([
      ['drop', undefined],
      ['drop', undefined],
      [undefined, 200],
    ])
    expect(delivery?.attempts[0]?.error).toMatch(/drop/)
    expect(to.received).toHaveLength(1)
  })

  test('duplicate sends additional copies as one attempt', async () => {
    const box = await rig()
    const to = await receiver()
    box.endpoint(to.url)
    box.fault('duplicate:20')
    box.pay()
    const delivery = await box.over()
    expect(to.received).toHaveLength(21)
    expect(new Set(to.received.map(({ headers }) => headers['x-psp-event-id'])).size).toBe(1)
    expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ fault: 'duplicate:20' }] })
  })

  test('duplicate stores the response to each copy, and counts one attempt', async () => {
    const box = await rig()
    let taken = 0
    const to = await receiver((response) => {
      taken += 1
      response.writeHead(taken === 1 ? 200 : 500).end(`copy ${taken} ${'x'.repeat(5000)}`)
    })
    box.endpoint(to.url)
    box.fault('duplicate:2')
    box.pay()
    const delivery = await box.over()
    expect(delivery.status).toBe('delivered')
    expect(delivery.attempts).toHaveLength(1)
    const [attempt] = delivery.attempts
    const statuses = [attempt?.status, ...(attempt?.copies ?? []).map(({ status }) => status)]
    expect(statuses.toSorted()).toEqual([200, 500, 500])
    for (const copy of attempt?.copies ?? []) {
      expect(copy.response_body).toMatchObject({ text: expect.stringMatching(/^copy \d x+$/), truncated: true })
      expect(copy.error === undefined).toBe(copy.status === 200)
    }
  })

  test('the retry schedule counts attempts, not copies', async () => {
    const box = await rig()
    const to = await receiver((response) => void response.writeHead(500).end())
    box.endpoint(to.url)
    box.fault('duplicate:3')
    box.pay()
    await box.timeline.advance({ until: 'idle' })
    const [delivery] = box.deliveries()
    expect(delivery?.attempts.map(({ number, copies }) => [number, copies?.length])).toEqual([
      [1, 3],
      ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => [number, undefined]),
    ])
  })

  test('delay moves the attempt on the sandbox clock, and the retry schedule counts from there', async () => {
    const box = await rig()
    const to = await receiver((response) => void response.writeHead(500).end())
    box.endpoint(to.url)
    box.fault('delay:30s')
    box.pay()
    await box.timeline.idle()
    expect(to.received).toEqual([])
    await box.timeline.advance({ until: 'idle' })
    const [delivery] = box.deliveries()
    const start = delivery?.created_at ?? 0
    expect(delivery?.attempts.slice(0, 3).map(({ at, fault }) => [(at - start) / 1000, fault])).toEqual([
      [30, 'delay:30s'],
      [40, undefined],
      [100, undefined],
    ])
  })

  test('removing a delay releases the attempts that it deferred', async () => {
    const box = await rig()
    const to = await receiver()
    box.endpoint(to.url)
    const { id } = box.fault('delay:3h')
    box.pay()
    await box.timeline.idle()
    box.run('remove_faults', { id })
    await to.got(1)
  })

  test('reorder defers an attempt until the next one is sent', async () => {
    const box = await rig()
    const order: string[] = []
    const to = await receiver((response, { body }) => {
      order.push(JSON.parse(body.toString()).event)
      response.end()
    })
    box.endpoint(to.url)
    box.fault('reorder', { times: undefined })
    const payment = box.pay()
    await box.timeline.idle()
    expect(order).toEqual([])
    box.refund(payment.id, 5000)
    await box.timeline.idle()
    expect(order).toEqual(['payment.refunded', 'payment.succeeded'])
    expect(box.deliveries().map(({ status }) => status)).toEqual(['delivered', 'delivered'])
  })

  test('hold keeps an attempt until the fault is removed, and later events are still sent', async () => {
    const box = await rig()
    const order: string[] = []
    const to = await receiver((response, { body }) => {
      order.push(JSON.parse(body.toString()).event)
      response.end()
    })
    box.endpoint(to.url)
    const { id } = box.fault('hold', { match: { event: 'payment.succeeded' }, times: undefined })
    const payment = box.pay()
    await box.timeline.idle()
    box.refund(payment.id, 5000)
    await box.timeline.idle()
    expect(order).toEqual(['payment.refunded'])
    box.run('remove_faults', { id })
    await to.got(2)
    expect(order).toEqual(['payment.refunded', 'payment.succeeded'])
  })

  test('a fault combines with others, and applies only if it matches', async () => {
    const box = await rig()
    const to = await receiver()
    const { id, secret } = box.endpoint(to.url)
    box.fault('duplicate:1', { match: { event: 'payment.refunded', endpoint_id: id } })
    box.fault('stale:10m', { match: { event: 'payment.*' }, times: 2 })
    const payment = box.pay()
    await box.timeline.idle()
    box.refund(payment.id, 5000)
    const delivery = await box.over()
    expect(to.received).toHaveLength(3)
    expect(delivery.attempts[0]?.fault).toBe('stale:10m, duplicate:1')
    expect(to.received.every((request) => verifyV2(request, secret))).toBe(true)
  })

  test('an attempt without an active webhook fault makes no extra commit', async () => {
    const box = await rig()
    const to = await receiver()
    box.endpoint(to.url)
    box.run('add_fault', { target: 'api', fault: 'cut' })
    const used = box.fault('drop', { match: { event: 'payout.failed' } })
    box.run('remove_faults', { id: used.id })
    const before = box.log.lastLine
    box.pay()
    await box.timeline.idle()
    // create, act, record_attempt
    expect(box.log.lastLine - before).toBe(3)
  })
})
