// Attempts, replays and retries of deliveries, as whole rows.
import { expect, test } from 'vitest'
import type { Attempt, Delivery, DuplicateRecord } from '../../src/domain/delivery.ts'
import type { SandboxTime, WallTime } from '../../src/domain/time.ts'
import { START, startWorld } from './bench-world.ts'

const attempt = (number: number, more: Partial<Attempt> = {}): Attempt => ({
  number,
  at: START,
  sent_at: 5000 as WallTime,
  ms: 1,
  request_headers: [],
  ...more,
})

/** A paid payment with its event, and one endpoint with its delivery. */
function paidWorld(more: { webhook_url?: string } = {}) {
  const world = startWorld()
  const { run, shop } = world
  const endpoint = run('create_endpoint', { shop_id: shop.id, input: { url: 'http://a/' } })
  const { object } = world.create(more)
  run('act_on_payment', { payment_id: object.id, act: { action: 'pay' } })
  const rows = () => [...world.engine.world.rows('deliveries')]
  const event = world.events().at(-1)
  const [delivery] = rows()
  if (event === undefined || delivery === undefined) throw new Error('no delivery')
  const row = (id = delivery.id) => world.engine.world.get('deliveries', id) as Delivery
  const timer = (id = delivery.id) => world.engine.world.get('timers', `deliver:${id}`)
  return { ...world, world, endpoint, event, delivery, rows, row, timer }
}

test('an attempt is added to its delivery, which is delivered, retried or exhausted', () => {
  const { run, delivery, timer, row } = paidWorld()
  const seq = timer()?.seq
  run('change_settings', { values: { webhook_retries: ['10s'] } })
  const first = attempt(1)
  const due = (START + 10_000) as SandboxTime
  expect(run('record_attempt', { delivery_id: delivery.id, attempt: first, delivered: false })).toStrictEqual({
    ...delivery,
    attempts: [first],
    next_attempt_at: due,
  })
  expect(timer()).toEqual({ id: `deliver:${delivery.id}`, kind: 'deliver', object_id: delivery.id, due, seq })
  const { next_attempt_at, ...over } = delivery
  const second = attempt(2)
  run('record_attempt', { delivery_id: delivery.id, attempt: second, delivered: false })
  expect(row()).toStrictEqual({ ...over, attempts: [first, second], status: 'exhausted' })
  expect(timer()).toBeUndefined()

  const other = paidWorld()
  other.run('record_attempt', { delivery_id: other.delivery.id, attempt: first, delivered: true })
  expect(other.row()).toStrictEqual({ ...over, id: other.delivery.id, attempts: [first], status: 'delivered' })
  expect(other.timer()).toBeUndefined()
})

test('an attempt of a cancelled delivery is stored, and nothing is retried', () => {
  const { run, delivery, endpoint, row, timer } = paidWorld()
  run('update_endpoint', { endpoint_id: endpoint.id, change: { active: false } })
  run('record_attempt', { delivery_id: delivery.id, attempt: attempt(1), delivered: false })
  expect([row().status, row().attempts, row().next_attempt_at, timer()]).toEqual([
    'cancelled',
    [attempt(1)],
    undefined,
    undefined,
  ])
})

test('copies are added to their attempt, and a cleared delivery has none', () => {
  const { run, delivery, row } = paidWorld()
  const copies: DuplicateRecord[] = [{ sent_at: 1 as WallTime, ms: 2 }]
  run('record_attempt', { delivery_id: delivery.id, attempt: attempt(1), delivered: false })
  run('record_attempt', { delivery_id: delivery.id, attempt: attempt(2), delivered: false })
  run('record_duplicates', { delivery_id: delivery.id, number: 2, copies })
  expect(row().attempts).toEqual([attempt(1), { ...attempt(2), copies }])
  expect(run('record_duplicates', { delivery_id: 'none', number: 1, copies })).toBeNull()
})

test('a waiting delivery is postponed, and keeps its place among those that are due at the same time', () => {
  const { run, delivery, row, timer } = paidWorld()
  const seq = timer()?.seq
  const due = (START + 7) as SandboxTime
  run('postpone_delivery', { delivery_id: delivery.id, due })
  expect([row(), timer()]).toEqual([{ ...delivery, next_attempt_at: due }, expect.objectContaining({ due, seq })])
  run('postpone_delivery', { delivery_id: delivery.id, due, in_backlog: true })
  expect(row().in_backlog).toBe(true)
  run('record_attempt', { delivery_id: delivery.id, attempt: attempt(1), delivered: true })
  const delivered = row()
  for (const delivery_id of [delivery.id, 'none']) expect(run('postpone_delivery', { delivery_id, due })).toBeNull()
  expect([row(), timer()]).toEqual([delivered, undefined])
})

test('a manual retry is due now, and the scheduled retry follows at its time if it fails', () => {
  const { run, delivery, row, timer, world } = paidWorld()
  run('record_attempt', { delivery_id: delivery.id, attempt: attempt(1), delivered: false })
  const due = row().next_attempt_at as SandboxTime
  world.at(3)
  const now = (START + 3) as SandboxTime
  const waiting = { ...delivery, attempts: [attempt(1)], next_attempt_at: now, resume_at: due }
  expect(run('retry_delivery', { delivery_id: delivery.id })).toStrictEqual(waiting)
  expect(timer()?.due).toBe(now)
  // A second request while the first attempt is in flight keeps the time of the schedule.
  expect(run('retry_delivery', { delivery_id: delivery.id })).toStrictEqual(waiting)
  const manual = attempt(2, { at: now, manual: true })
  run('record_attempt', { delivery_id: delivery.id, attempt: manual, delivered: false })
  expect(row()).toStrictEqual({ ...delivery, attempts: [attempt(1), manual], next_attempt_at: due })
  expect(timer()?.due).toBe(due)
})

test('manual retries use none of the intervals of the retry schedule', () => {
  const { run, delivery, row } = paidWorld()
  run('change_settings', { values: { webhook_retries: ['10s', '1m'] } })
  const record = (number: number, at: number, more: Partial<Attempt> = {}) =>
    run('record_attempt', {
      delivery_id: delivery.id,
      attempt: attempt(number, { at: at as SandboxTime, ...more }),
      delivered: false,
    })
  record(1, START)
  for (const number of [2, 3]) {
    run('retry_delivery', { delivery_id: delivery.id })
    record(number, START, { manual: true })
    expect(row().next_attempt_at).toBe(START + 10_000)
  }
  record(4, START + 10_000)
  expect(row().next_attempt_at).toBe(START + 70_000)
  record(5, START + 70_000)
  expect(row().status).toBe('exhausted')
})

test('a manual retry that succeeds ends the retry schedule, and a finished delivery gets no second one', () => {
  const { run, delivery, row, timer } = paidWorld()
  run('record_attempt', { delivery_id: delivery.id, attempt: attempt(1), delivered: false })
  run('retry_delivery', { delivery_id: delivery.id })
  const { next_attempt_at, ...over } = delivery
  const manual = attempt(2, { manual: true })
  run('record_attempt', { delivery_id: delivery.id, attempt: manual, delivered: true })
  const attempts = [attempt(1), manual]
  expect(row()).toStrictEqual({ ...over, attempts, status: 'delivered' })
  expect(run('retry_delivery', { delivery_id: delivery.id })).toStrictEqual({
    ...over,
    attempts,
    next_attempt_at: START,
    no_retries: true,
  })
  run('record_attempt', { delivery_id: delivery.id, attempt: attempt(3, { manual: true }), delivered: false })
  expect([row().status, timer()]).toEqual(['exhausted', undefined])
})

test('a delivery that was accepted once stays delivered if a later manual attempt fails', () => {
  const { run, delivery, row, timer } = paidWorld()
  const accepted = attempt(1, { status: 200 })
  run('record_attempt', { delivery_id: delivery.id, attempt: accepted, delivered: true })
  for (const number of [2, 3]) {
    run('retry_delivery', { delivery_id: delivery.id })
    const refused = attempt(number, { manual: true, error: 'Connection refused.' })
    run('record_attempt', { delivery_id: delivery.id, attempt: refused, delivered: false })
    expect([row().status, row().attempts.at(-1), timer()]).toEqual(['delivered', refused, undefined])
  }
})

test('a delivery is exhausted if its only 2xx response was incomplete', () => {
  const { run, delivery, row } = paidWorld()
  run('change_settings', { values: { webhook_retries: [] } })
  const incomplete = attempt(1, { status: 200, error: 'The response ended too early.' })
  run('record_attempt', { delivery_id: delivery.id, attempt: incomplete, delivered: false })
  expect(row().status).toBe('exhausted')
})

test('a delivery that is cancelled during a manual retry has no scheduled retry', () => {
  const { run, delivery, endpoint, row, timer } = paidWorld()
  run('record_attempt', { delivery_id: delivery.id, attempt: attempt(1), delivered: false })
  run('retry_delivery', { delivery_id: delivery.id })
  run('update_endpoint', { endpoint_id: endpoint.id, change: { active: false } })
  const { next_attempt_at, ...over } = delivery
  expect(row()).toStrictEqual({ ...over, attempts: [attempt(1)], status: 'cancelled' })
  run('record_attempt', { delivery_id: delivery.id, attempt: attempt(2, { manual: true }), delivered: false })
  expect([row().resume_at, timer()]).toEqual([undefined, undefined])
})

test('a manual retry is refused if its event or its endpoint does not exist any more', () => {
  const { run, delivery, event, endpoint, log } = paidWorld()
  const remove = (table: 'events' | 'endpoints', id: string) =>
    log.append(START, 'x', { clear: [], deletes: [{ table, id }], puts: [], stream: [], result: null })
  const retry = (delivery_id: string) => () => run('retry_delivery', { delivery_id })
  const refused = (message: string) => expect.objectContaining({ code: 'not_allowed', message })
  remove('endpoints', endpoint.id)
  expect(retry(delivery.id)).toThrow(
    refused('The endpoint of this delivery was deleted. Replay the event to the current endpoints or to a url.'),
  )
  remove('events', event.id)
  expect(retry(delivery.id)).toThrow(
    refused('The event of this delivery is no longer kept, so its bytes cannot be sent again.'),
  )
  expect(retry('none')).toThrow(expect.objectContaining({ code: 'not_found', message: 'There is no delivery none.' }))
})

test('a replay goes to the given endpoint or URL, or else to the receivers of the event', () => {
  const { run, event, endpoint, shop, rows } = paidWorld()
  const replay = (more: object = {}) =>
    run('replay_event', { event_id: event.id, ...more }).map(({ url, endpoint_id, timestamp }) => [
      url,
      endpoint_id,
      timestamp,
    ])
  const add = (input: object) =>
    run('create_endpoint', { shop_id: shop.id, input: { url: 'http://b/', ...input } as never })
  const other = add({ events: ['payout.failed'] })
  const off = add({})
  run('update_endpoint', { endpoint_id: off.id, change: { active: false } })
  const own = add({ events: ['payout.failed', 'payment.succeeded'] })
  expect(replay()).toEqual([
    ['http://a/', endpoint.id, undefined],
    ['http://b/', own.id, undefined],
  ])
  expect(replay({ endpoint_id: other.id })).toEqual([['http://b/', other.id, undefined]])
  expect(replay({ url: 'http://c/' })).toEqual([['http://c/', undefined, undefined]])
  expect(
    rows()
      .slice(1)
      .every((row) => row.no_retries === true && row.event_id === event.id),
  ).toBe(true)
  const foreign = run('create_endpoint', { shop_id: run('create_shop', {}).shop.id, input: { url: 'http://d/' } })
  for (const id of [foreign.id, 'x'.repeat(65)]) {
    const message = `The event's shop has no endpoint ${id.slice(0, 64)}.`
    expect(() => replay({ endpoint_id: id })).toThrow(expect.objectContaining({ code: 'not_found', message }))
  }
  for (const { id } of [endpoint, own]) run('delete_endpoint', { endpoint_id: id })
  expect(() => replay()).toThrow(
    expect.objectContaining({
      code: 'not_allowed',
      message: 'No endpoint of the shop subscribes to this event. Add an endpoint, or pass a url.',
    }),
  )
})

test('a replay with an edited body stores it in the delivery, and the event keeps its body', () => {
  const { run, event, rows, events } = paidWorld()
  run('replay_event', { event_id: event.id, body: '{"edited":1}' })
  run('replay_event', { event_id: event.id })
  expect(rows().map(({ edited_body }) => edited_body)).toEqual([undefined, '{"edited":1}', undefined])
  expect(events()).toStrictEqual([event])
})

test('a replay goes to the webhook URL of the payment, if it has one', () => {
  const { run, event } = paidWorld({ webhook_url: 'http://own/' })
  const [replayed] = run('replay_event', { event_id: event.id })
  expect([replayed?.url, replayed?.endpoint_id]).toEqual(['http://own/', undefined])
})

test('a replay with the same time has the time of the first attempt, or else of the event', () => {
  const { run, event, delivery } = paidWorld()
  const replay = () => run('replay_event', { event_id: event.id, same_timestamp: true })[0]?.timestamp
  expect(replay()).toBe(Math.floor(START / 1000))
  run('record_attempt', {
    delivery_id: delivery.id,
    attempt: attempt(1, { sent_at: 8999 as WallTime }),
    delivered: false,
  })
  run('record_attempt', {
    delivery_id: delivery.id,
    attempt: attempt(2, { sent_at: 7999 as WallTime }),
    delivered: false,
  })
  expect(replay()).toBe(7)
})
