// Spec 3.2: the end of a refund, automatic or by an action, and its events.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Adapter, openSandboxAdapter } from '../contract/adapter.ts'
import {
  get,
  PAYMENTS,
  planned,
  refundedEvents as refundedEventsOf,
  refund as refundOf,
  settle,
  statusAndCode,
  succeeded,
} from '../contract/caller.ts'

let adapter: Adapter
beforeEach(async () => {
  adapter = await openSandboxAdapter()
})
afterEach(() => adapter.close())

const refund = (id: string, body?: object, headers?: Record<string, string>) => refundOf(adapter, id, body, headers)

const refundedEvents = (id: string) => refundedEventsOf(adapter, id)

describe('2.3 and 3.2 the outcomes of a refund', () => {
  test('a refund succeeds at once and has completed_at', async () => {
    const id = await succeeded(adapter)
    const { body } = await refund(id, { amount: 100, reason: 'one of two' })
    expect(body).toMatchObject({ status: 'succeeded', reason: 'one of two', completed_at: body.created_at })
  })

  test('a failed refund releases its amount', async () => {
    const id = await succeeded(adapter)
    const { body } = await refund(id, { amount: 150_000 }, planned('failed'))
    expect(body).toMatchObject({ status: 'failed', completed_at: expect.any(String) })
    const payment = (await get(adapter, `${PAYMENTS}/${id}`)).body
    expect(payment).toMatchObject({ status: 'succeeded', amount_refunded: 0, refunds: [{ status: 'failed' }] })
    expect((await refund(id)).body.amount).toBe(150_000)
  })

  test('a pending refund is settled later and then sets completed_at, amount_refunded and status', async () => {
    const id = await succeeded(adapter)
    const { body } = await refund(id, {}, planned('pending'))
    expect((await get(adapter, `${PAYMENTS}/${id}`)).body).toMatchObject({ status: 'succeeded', amount_refunded: 0 })
    await adapter.arrange.advance(3_600_000)
    expect((await settle(adapter, 'refunds', body.id, { status: 'succeeded' })).body).toMatchObject({
      status: 'succeeded',
    })
    const payment = (await get(adapter, `${PAYMENTS}/${id}`)).body
    expect(payment).toMatchObject({ status: 'refunded', amount_refunded: 150_000 })
    const { created_at, completed_at } = payment.refunds[0]
    expect(Date.parse(completed_at) - Date.parse(created_at)).toBe(3_600_000)
    expect(statusAndCode(await settle(adapter, 'refunds', body.id, { status: 'failed' }))).toEqual([409, 'not_allowed'])
  })

  test('delays.refund delays the end of a refund', async () => {
    await adapter.arrange.settings({ 'delays.refund': '5s' })
    const id = await succeeded(adapter)
    expect((await refund(id)).body.status).toBe('pending')
    await adapter.arrange.advance(4999)
    expect((await get(adapter, `${PAYMENTS}/${id}`)).body.status).toBe('succeeded')
    await adapter.arrange.advance(1)
    expect((await get(adapter, `${PAYMENTS}/${id}`)).body.status).toBe('refunded')
  })

  test.each([
    [10_031, 'failed'],
    [10_032, 'pending'],
  ])('the refunds of the magic amount %i are %s', async (amount, status) => {
    const id = await succeeded(adapter, { amount })
    expect((await refund(id)).body.status).toBe(status)
  })
})

describe('3.2 and 6.1 events', () => {
  test('each refund sends one payment.refunded at its creation, even if it is pending or failed', async () => {
    const id = await succeeded(adapter)
    const pending = (await refund(id, { amount: 10 }, planned('pending'))).body
    await refund(id, { amount: 20 }, planned('failed'))
    await refund(id, { amount: 30 })
    await settle(adapter, 'refunds', pending.id, { status: 'succeeded' })
    await refund(id)
    const events = await refundedEvents(id)
    expect(events.map(({ data }) => data.refunds.map(({ status }) => status))).toEqual([
      ['pending'],
      ['pending', 'failed'],
      ['pending', 'failed', 'succeeded'],
      ['succeeded', 'failed', 'succeeded', 'succeeded'],
    ])
  })

  test('a repeated or rejected request sends no event', async () => {
    const id = await succeeded(adapter)
    await refund(id, { amount: 1 }, { 'Idempotency-Key': 'k' })
    await refund(id, { amount: 1 }, { 'Idempotency-Key': 'k' })
    await refund(id, { amount: 150_000 })
    expect(await refundedEvents(id)).toHaveLength(1)
  })
})
