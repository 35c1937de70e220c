// Spec 6.1, Delivery: the attempts of a delivery, its receivers, replays and limits.
import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../src/domain/delivery.ts'
import { addMs } from '../../src/domain/time.ts'
import type { Tables } from '../../src/engine/tables.ts'
import { startWorld } from '../engine/bench-world.ts'

type World = ReturnType<typeof startWorld>

const deliveries = (world: World) => [...world.engine.world.rows('deliveries')] as Tables['deliveries'][]

function attempt(world: World, delivery: Tables['deliveries'], status: number) {
  const due = delivery.next_attempt_at ?? world.now
  const made: Attempt = {
    number: delivery.attempts.length + 1,
    at: due,
    sent_at: 0 as Attempt['sent_at'],
    ms: 1,
    status,
    request_headers: [],
  }
  return world.run('record_attempt', { delivery_id: delivery.id, attempt: made, delivered: status < 300 })
}

function paid(world: World, webhook_url?: string) {
  const { object } = world.create(webhook_url === undefined ? {} : { webhook_url })
  world.advance(2000)
  return object
}

describe('6.1 delivery of webhooks', () => {
  it('a delivery makes nine attempts at the exact offsets and is then exhausted', () => {
    const world = startWorld()
    world.run('create_endpoint', { shop_id: world.shop.id, input: { url: 'http://127.0.0.1:1/' } })
    paid(world)
    let delivery = deliveries(world)[0] as Tables['deliveries']
    const start = delivery.created_at
    const offsets = []
    while (delivery.status === 'waiting') {
      offsets.push(((delivery.next_attempt_at ?? 0) - start) / 1000)
      delivery = attempt(world, delivery, 500)
    }
    expect(offsets).toEqual([0, 10, 70, 370, 2170, 9370, 30970, 117370, 290170])
    expect(delivery.status).toBe('exhausted')
    expect(world.timers()).toEqual([])
  })

  it('a delivery stops at the first success', () => {
    const world = startWorld()
    world.run('create_endpoint', { shop_id: world.shop.id, input: { url: 'http://127.0.0.1:1/' } })
    paid(world)
    attempt(world, deliveries(world)[0] as Tables['deliveries'], 503)
    const done = attempt(world, deliveries(world)[0] as Tables['deliveries'], 204)
    expect(done).toMatchObject({ status: 'delivered', attempts: [{ status: 503 }, { status: 204 }] })
    expect(world.timers()).toEqual([])
  })

  it('an endpoint gets only its selected events, or all if none is selected', () => {
    const world = startWorld()
    const shop_id = world.shop.id
    const all = world.run('create_endpoint', { shop_id, input: { url: 'http://127.0.0.1:1/all' } })
    world.run('create_endpoint', { shop_id, input: { url: 'http://127.0.0.1:1/failed', events: ['payment.failed'] } })
    paid(world)
    expect(deliveries(world).map(({ endpoint_id }) => endpoint_id)).toEqual([all.id])
  })

  it('an endpoint of another shop gets no events, even if the merchant is the same', () => {
    const world = startWorld()
    const other = world.run('create_shop', { merchant_id: world.merchant.id })
    world.run('create_endpoint', { shop_id: other.shop.id, input: { url: 'http://127.0.0.1:1/' } })
    paid(world)
    expect(deliveries(world)).toEqual([])
  })

  it('a payment with a webhook_url sends its events there instead of the endpoints', () => {
    const world = startWorld()
    world.run('create_endpoint', {
      shop_id: world.shop.id,
      input: { url: 'http://127.0.0.1:1/', events: ['payout.failed'] },
    })
    paid(world, 'http://127.0.0.1:2/own')
    expect(deliveries(world)).toMatchObject([{ url: 'http://127.0.0.1:2/own' }])
    expect(deliveries(world)[0]).not.toHaveProperty('endpoint_id')
  })

  it('deleting an endpoint cancels its waiting deliveries', () => {
    const world = startWorld()
    const { id } = world.run('create_endpoint', { shop_id: world.shop.id, input: { url: 'http://127.0.0.1:1/' } })
    paid(world)
    attempt(world, deliveries(world)[0] as Tables['deliveries'], 500)
    world.run('delete_endpoint', { endpoint_id: id })
    expect(deliveries(world)[0]?.status).toBe('cancelled')
    expect(world.timers()).toEqual([])
  })

  it('a replay sends the same bytes as a new delivery with one attempt', () => {
    const world = startWorld()
    world.run('create_endpoint', { shop_id: world.shop.id, input: { url: 'http://127.0.0.1:1/' } })
    paid(world)
    attempt(world, deliveries(world)[0] as Tables['deliveries'], 200)
    world.at(60_000)
    const event = world.events()[0]
    const [again] = world.run('replay_event', { event_id: event?.id ?? '' })
    expect(again).toMatchObject({
      event_id: event?.id,
      status: 'waiting',
      no_retries: true,
      next_attempt_at: world.now,
    })
    expect(world.events()).toEqual([event])
    expect(attempt(world, again as Tables['deliveries'], 500).status).toBe('exhausted')
  })

  it('a listener gets the events that it missed, once', () => {
    const world = startWorld()
    paid(world)
    const listen = {
      id: 'lst_1',
      shop_id: world.shop.id,
      url: 'http://127.0.0.1:1/',
      events: [],
      signature: 'v2',
    } as const
    world.at(10_000)
    world.run('open_listener', { ...listen, backfill: 60_000 })
    world.run('open_listener', { ...listen, backfill: 60_000 })
    expect(deliveries(world)).toMatchObject([{ endpoint_id: 'lst_1', event: 'payment.succeeded', status: 'waiting' }])
  })

  it('the store removes the oldest finished events above the limit', () => {
    const world = startWorld()
    world.run('change_settings', { values: { 'retention.events': 3 } })
    for (let i = 0; i < 6; i++) paid(world)
    expect(world.events()).toHaveLength(3)
    expect(world.events()[0]?.created_at).toBe(addMs(world.now, -4000))
  })

  it('the store removes the oldest finished deliveries above the limit, also if an event is sent repeatedly', () => {
    const world = startWorld()
    world.run('change_settings', { values: { 'retention.events': 4 } })
    world.run('create_endpoint', { shop_id: world.shop.id, input: { url: 'http://127.0.0.1:1/' } })
    paid(world)
    const [first] = deliveries(world) as [Tables['deliveries']]
    const sendAgain = () => {
      const [made] = world.run('replay_event', { event_id: first.event_id }) as [Tables['deliveries']]
      return made
    }
    const waiting = sendAgain()
    attempt(world, first, 200)
    for (let i = 0; i < 10; i++) attempt(world, sendAgain(), 200)
    expect(deliveries(world)).toHaveLength(4)
    expect(deliveries(world)[0]).toEqual(waiting)
    expect(world.events()).toHaveLength(1)
  })

  it.each([20, 200])(
    'the store finds finished events behind %i unfinished ones, and these after they end',
    (unfinished) => {
      const world = startWorld()
      world.run('create_endpoint', { shop_id: world.shop.id, input: { url: 'http://127.0.0.1:1/' } })
      for (let i = 0; i < unfinished; i++) paid(world)
      const stuck = deliveries(world)
      world.run('change_settings', { values: { 'retention.events': unfinished + 5 } })
      const more = () => {
        paid(world)
        attempt(world, deliveries(world).at(-1) as Tables['deliveries'], 200)
      }
      for (let i = 0; i < unfinished + 50; i++) more()
      expect(world.events().length).toBeLessThanOrEqual(unfinished + 6)
      expect(deliveries(world).length).toBeLessThanOrEqual(unfinished + 6)
      expect(deliveries(world).slice(0, unfinished)).toEqual(stuck)
      for (const delivery of stuck) attempt(world, delivery, 200)
      for (let i = 0; i < unfinished; i++) more()
      expect(deliveries(world).filter(({ id }) => stuck.some((old) => old.id === id)).length).toBeLessThan(
        unfinished / 4,
      )
    },
  )

  it('the store shrinks to a lowered limit', () => {
    const world = startWorld()
    for (let i = 0; i < 8; i++) paid(world)
    world.run('change_settings', { values: { 'retention.events': 3 } })
    for (let i = 0; i < 8; i++) paid(world)
    expect(world.events()).toHaveLength(3)
  })
})
