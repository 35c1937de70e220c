import { afterEach, describe, expect, it } from 'vitest'
import type { WallTime } from '../../src/domain/time.ts'
import { WaitTimeoutError } from '../../src/testing/index.ts'
import { createReceiver } from '../../src/testing/receiver.ts'
import { verifyWebhook } from '../../src/webhooks/index.ts'
import { closeAll, PLACES } from './places.ts'

afterEach(closeAll)

describe.each(PLACES)('%s', (_, place) => {
  it('completes a payment, and its receiver verifies the webhook', async () => {
    const psp = await place()
    const { payment } = await psp.payments.create({ amount: 15_000, method: 'sbp', order_id: 'A-1' })
    expect(payment.status).toBe('pending')
    await psp.clock.advance('2s')
    const event = await psp.waitFor('payment.succeeded', { order_id: 'A-1' })
    expect(event.data).toMatchObject({ id: payment.id, status: 'succeeded', amount: 15_000 })
    expect(psp.receiver.webhooks).toHaveLength(1)
    const [webhook] = psp.receiver.webhooks
    expect(webhook).toMatchObject({ id: event.id, event: 'payment.succeeded', attempt: 1, verified: { valid: true } })
    expect(verifyWebhook(webhook?.body ?? '', webhook?.headers ?? {}, psp.webhookSecret)).toMatchObject({ valid: true })
    expect(await psp.deliveries.list()).toMatchObject([{ status: 'delivered', attempts: [{ status: 200 }] }])
  })

  it('waits for an event in the future', async () => {
    const psp = await place()
    const waiting = psp.waitFor('payment.failed', { order_id: 'B-1' })
    const { payment } = await psp.payments.create({ amount: 100, order_id: 'B-1' })
    await psp.payments.decline(payment.id, 'insufficient_funds')
    expect((await waiting).data.metadata['failure_code']).toBe('insufficient_funds')
    const payout = psp.waitFor('payout.succeeded', (event) => event.data.recipient.phone === '+79991234567')
    await psp.payouts.create({ amount: 100, phone: '+79991234567', bank_id: '100000000111' })
    await psp.clock.advance('1s')
    expect((await payout).event).toBe('payout.succeeded')
  })

  it('lists the events that happened instead', async () => {
    const psp = await place()
    const { payment } = await psp.payments.create({ amount: 100, method: 'sbp', order_id: 'C-1' })
    await psp.payments.create({ amount: 100, method: 'sbp', order_id: 'C-2' })
    await psp.payments.pay(payment.id)
    const error: WaitTimeoutError = await psp
      .waitFor('payment.succeeded', { order_id: 'C-2', amount: 5 }, { timeout: 50 })
      .then(
        () => expect.unreachable(),
        (reason) => reason,
      )
    expect(error).toBeInstanceOf(WaitTimeoutError)
    expect(error.name).toBe('WaitTimeoutError')
    expect(error.seen).toMatchObject([{ event: 'payment.succeeded', object_id: payment.id }])
    expect(error.message.split('\n')).toEqual([
      'payment.succeeded with order_id "C-2", amount "5" did not happen within 50ms.',
      'Events that happened instead:',
      '  payment.succeeded  order_id "C-1"; its amount is 100',
      expect.stringMatching(/^The payment [0-9a-f-]{36} is pending\.$/),
      "The clock is frozen. The next step is due at 2026-05-06T12:00:01.000Z: await clock.advance('10s'), or clock.advance({ until: 'idle' }).",
    ])
    const nothing = await place()
    await expect(nothing.waitFor('payment.expired', {}, { timeout: 20 })).rejects.toThrow(
      'No event happened.\nThe clock is frozen and no step is scheduled, so time alone changes nothing.',
    )
    await expect(nothing.waitFor('payment.expired', { order_id: 'X' }, { timeout: 20 })).rejects.toThrow(
      'no such payment',
    )
  })

  it('rejects an unknown event name at once, with the closest name', async () => {
    const psp = await place()
    const ask = (name: string) => psp.waitFor(name as 'payment.succeeded', {}, { timeout: 600_000 })
    await expect(ask('payment.paid')).rejects.toThrow('Did you mean payment.succeeded?')
    await expect(ask('payment.suceeded')).rejects.toThrow('Did you mean payment.succeeded?')
    await expect(ask('payment.created')).rejects.toThrow('The events are payment.succeeded, payment.failed,')
    await expect(ask('x')).rejects.not.toThrow('Did you mean')
  })

  it('rejects an unknown field at once, with the closest name', async () => {
    const psp = await place()
    const ask = (where: Record<string, string>) => psp.waitFor('payment.failed', where, { timeout: 600_000 })
    await expect(ask({ ordr_id: '7' })).rejects.toThrow(
      '"ordr_id". Did you mean order_id? Their fields are: id, event,',
    )
    await expect(ask({ failure_code: 'card_lost' })).rejects.toThrow('Did you mean metadata.failure_code?')
    await expect(ask({ 'amount.value': '1' })).rejects.toThrow(TypeError)
  })

  it('responds as configured, and the retry schedule continues', async () => {
    const psp = await place()
    psp.receiver.respond(503, { times: 2 })
    psp.receiver.respond(({ event }) => ({ status: event === 'payment.cancelled' ? 202 : 500, body: 'ok' }), {
      times: 1,
    })
    const { payment } = await psp.payments.create({ amount: 100 })
    await psp.payments.cancel(payment.id)
    const { id } = await psp.waitFor('payment.cancelled')
    await psp.clock.advance('70s')
    const [delivery] = await psp.deliveries.list({ event_id: id })
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([503, 503, 202])
    expect(psp.receiver.of({ id }).map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    expect(psp.receiver.of({ event: 'payment.failed' })).toEqual([])
    expect(psp.receiver.of({ object: payment.id })).toHaveLength(3)
  })

  it('responds with `times` before the permanent response', async () => {
    const psp = await place()
    psp.receiver.respond(202)
    psp.receiver.respond(503, { times: 1 })
    const { payment } = await psp.payments.create({ amount: 100 })
    await psp.payments.cancel(payment.id)
    const { id } = await psp.waitFor('payment.cancelled')
    await psp.clock.advance('70s')
    const [delivery] = await psp.deliveries.list({ event_id: id })
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([503, 202])
  })

  it('rejects a forged webhook', async () => {
    const psp = await place()
    await psp.faults.add({ target: 'webhook', fault: 'wrong_secret', times: 1 })
    const { payment } = await psp.payments.create({ amount: 100 })
    await psp.payments.cancel(payment.id)
    await psp.waitFor('payment.cancelled')
    expect(psp.receiver.webhooks).toMatchObject([{ verified: { valid: false, reason: 'mismatch' } }])
    expect(await psp.deliveries.list()).toMatchObject([{ status: 'waiting', attempts: [{ status: 400 }] }])
  })

  it('separates the events, rules, faults and receivers of shops', async () => {
    const psp = await place()
    const [a, b] = [await psp.shops.create({ name: 'A' }), await psp.shops.create()]
    await a.rules.add({ plan: ['failed:call_issuer', 'succeeded'], match: { order_id: 'same' } })
    await a.faults.add({ target: 'api', fault: 'status:503', match: { operation: 'banks' } })
    const made = []
    for (const shop of [a, b, a])
      made.push(await shop.payments.create({ amount: 100, method: 'sbp', order_id: 'same' }))
    expect(made.map(({ simulator }) => simulator)).toEqual(['failed', 'succeeded', 'succeeded'])
    await psp.clock.advance({ until: 'idle' })
    expect((await b.events.list()).map(({ event }) => event)).toEqual(['payment.succeeded'])
    expect((await a.events.list()).map(({ event }) => event).sort()).toEqual(['payment.failed', 'payment.succeeded'])
    expect([a, b, psp].map(({ receiver }) => receiver.webhooks.length)).toEqual([2, 1, 0])
    expect([...a.receiver.webhooks, ...b.receiver.webhooks].every(({ verified }) => verified.valid)).toBe(true)
    expect([await a.rules.list(), await b.rules.list(), await psp.rules.list()]).toMatchObject([[{}], [], []])
    await b.rules.clear()
    expect(await a.rules.list()).toHaveLength(1)
    await a.rules.clear()
    expect(await a.rules.list()).toEqual([])
    expect(new Set([a.apiKey, b.apiKey, psp.apiKey]).size).toBe(3)
    expect((await psp.shops.get(a.shopId)).name).toBe('A')
  })

  it('has a complete fetch, with paths, aborts and streams', async () => {
    const psp = await place()
    const auth = { headers: { Authorization: `Bearer ${psp.apiKey}` } }
    expect((await psp.fetch('/v1/public/banks/sbp', auth)).status).toBe(200)
    expect((await psp.fetch(`${psp.url}/v1/public/banks/sbp`)).status).toBe(401)
    const leaving = new AbortController()
    const stream = await psp.fetch('/v1/public/events', { ...auth, signal: leaving.signal })
    const reader = stream.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(': connected\n\n')
    leaving.abort()
    await expect(reader?.read()).rejects.toThrow(/abort/)
    await expect(psp.fetch('/v1/public/banks/sbp', { ...auth, signal: AbortSignal.abort() })).rejects.toThrow(/abort/)
  })

  it('deletes objects and keeps shops and receivers at a reset', async () => {
    const psp = await place()
    const pay = async () => {
      const { payment } = await psp.payments.create({ amount: 100, order_id: 'again' })
      await psp.payments.pay(payment.id)
      return psp.waitFor('payment.succeeded', { order_id: 'again' })
    }
    const first = await pay()
    await psp.reset()
    expect([await psp.payments.list(), await psp.events.list(), psp.receiver.webhooks]).toEqual([[], [], []])
    expect((await pay()).id).not.toBe(first.id)
    expect(psp.receiver.webhooks).toHaveLength(1)
  })

  it('is idle if nothing waits, and can be closed twice', async () => {
    const psp = await place()
    const { payment } = await psp.payments.create({ amount: 100 })
    await psp.payments.pay(payment.id)
    await psp.idle()
    expect(psp.receiver.webhooks).toHaveLength(1)
    const waiting = psp.waitFor('payout.failed')
    const rejected = expect(waiting).rejects.toThrow('The sandbox was closed while a test waited for payout.failed')
    await Promise.all([psp.close(), psp.close()])
    await psp.close()
    await rejected
  })
})

it('the receiver finds a webhook although another body is not a message', async () => {
  const { receiver, handleWebhook } = createReceiver({ now: () => 0 as WallTime, secret: () => 'whs_1', url: () => '' })
  for (const body of ['{}', '5', 'null', '{"data":null}', 'no JSON', '{"data":{"id":"p1"}}']) {
    expect(await handleWebhook([], Buffer.from(body))).toMatchObject({ status: 400 })
  }
  expect(receiver.of({ object: 'p1' }).map(({ body }) => String(body))).toEqual(['{"data":{"id":"p1"}}'])
})
