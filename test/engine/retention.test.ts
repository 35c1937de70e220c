import { expect, test } from 'vitest'
import { DECISIONS } from '../../src/engine/decisions.ts'
import { seededRandomness } from '../../src/random.ts'
import { startWorld } from './bench-world.ts'

test('a decision that scans for finished rows after unfinished ones is repeatable', () => {
  const world = startWorld()
  world.run('create_endpoint', { shop_id: world.shop.id, input: { url: 'http://127.0.0.1:1/' } })
  const event = () => world.events().at(-1)?.id ?? ''
  for (let i = 0; i < 7; i++) {
    world.create()
    world.advance(60_000)
  }
  const [made] = world.run('replay_event', { event_id: event() })
  const delivery = world.log.world.get('deliveries', made?.id ?? '')
  if (delivery === undefined) throw new Error('no delivery')
  world.log.append(world.now, 'test', {
    clear: [],
    deletes: [],
    puts: [{ table: 'deliveries', row: { ...delivery, status: 'delivered' } }],
    stream: [],
    result: undefined,
  })
  world.run('change_settings', { values: { 'retention.events': 5 } })
  const decide = () =>
    DECISIONS.replay_event({ event_id: event() }, world.log.world, {
      now: world.now,
      random: seededRandomness(5),
      commitNumber: 1000,
    })
  const first = decide()
  expect(first.retention_cursor?.deliveries).toEqual(expect.stringMatching(/^dlv_/))
  expect(decide()).toEqual(first)
  // Once it is stored, the scan continues after the skipped rows and finds the finished one.
  world.log.append(world.now, 'replay_event', first)
  expect(decide().deletes).toContainEqual({ table: 'deliveries', id: delivery.id })
})

test('the sample events of endpoint tests count towards the limit of events', () => {
  const world = startWorld()
  const endpoint = world.run('create_endpoint', { shop_id: world.shop.id, input: { url: 'http://127.0.0.1:1/' } })
  world.run('change_settings', { values: { 'retention.events': 2 } })
  for (let i = 0; i < 6; i++) {
    const { id } = world.run('test_endpoint', { endpoint_id: endpoint.id })
    const attempt = { number: 1, at: world.now, sent_at: 0 as never, ms: 1, status: 200, request_headers: [] }
    world.run('record_attempt', { delivery_id: id, attempt, delivered: true })
  }
  expect(world.events().length).toBe(2)
})
