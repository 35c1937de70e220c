import { expect, test } from 'vitest'
import { eventFieldIssue } from '../../src/domain/event-fields.ts'
import { WEBHOOK_EVENTS } from '../../src/domain/events.ts'
import { openSandbox } from '../http/fixtures.ts'

const PAID = ['payment.succeeded']
const SENT = ['payout.succeeded']

test.each([
  ['order_id', PAID],
  ['object_id', PAID],
  ['data.order_id', PAID],
  ['metadata.cart.size', PAID],
  ['refunds.0.amount', PAID],
  ['recipient.phone', SENT],
  ['recipient.phone', ['payment.failed', ...SENT]],
])('the field %s can select an event', (field, events) => {
  expect(eventFieldIssue(field, events)).toBeUndefined()
})

test('each field of each sent event can select an event', async () => {
  const { post, get } = await openSandbox()
  for (const event of WEBHOOK_EVENTS) await post('/trigger', { event })
  const { items } = (await get('/events')).body
  expect(new Set(items.map(({ event }: { event: string }) => event))).toEqual(new Set(WEBHOOK_EVENTS))
  for (const { event, data, ...own } of items) {
    for (const field of Object.keys({ event, ...own, ...data })) {
      expect(eventFieldIssue(field, [event])).toBeUndefined()
    }
  }
})

test.each([
  ['orderid', PAID, 'order_id'],
  ['failure_code', PAID, 'metadata.failure_code'],
  ['phone', SENT, 'recipient.phone'],
  ['order_id', SENT, undefined],
  ['recipient.fone', SENT, 'recipient.phone'],
  ['status.code', PAID, undefined],
  ['__proto__', PAID, undefined],
])('the field %s cannot select an event: %s', (field, events, near) => {
  const told = eventFieldIssue(field, events)
  expect(told).toContain(JSON.stringify(field))
  expect(/Did you mean (\S+)\?/.exec(told ?? '')?.[1]).toBe(near)
})
