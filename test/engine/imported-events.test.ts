// Imported events: how many are stored, and which replace earlier ones.
import { expect, test } from 'vitest'
import { START, startWorld } from './bench-world.ts'

const event = (id: string, n = 0) =>
  ({
    id,
    event_id: `evt_${id}`,
    event: 'x',
    received_at: n,
    source: 'a.har',
    signature: 'missing',
    body: '{}',
  }) as never

const stored = (world: ReturnType<typeof startWorld>) =>
  [...world.engine.world.rows('imported_events')].map(({ id, received_at, created_at }) => [
    id,
    received_at,
    created_at,
  ])

const ask = (world: ReturnType<typeof startWorld>, ids: string[], more: object = {}) =>
  world.run('import_events', { events: ids.map((id) => event(id)), ...more })

test('an import adds new events, and replaces those with a known id', () => {
  const world = startWorld()
  expect(ask(world, ['a', 'b'])).toEqual({ imported: 2, known: 0, total: 2 })
  world.at(5)
  const again = world.run('import_events', { events: [event('b', 7), event('c')] })
  expect(again).toEqual({ imported: 1, known: 1, total: 3 })
  expect(stored(world)).toEqual([
    ['a', 0, START],
    ['b', 7, START + 5],
    ['c', 0, START + 5],
  ])
})

test('an import that replaces removes the earlier events, and no event is known', () => {
  const world = startWorld()
  ask(world, ['a', 'b'])
  expect(ask(world, ['b', 'c'], { replace: true })).toEqual({ imported: 2, known: 0, total: 2 })
  expect(stored(world).map(([id]) => id)).toEqual(['b', 'c'])
  world.run('remove_imported_events', {})
  expect(stored(world)).toEqual([])
})

test('an import fills the limit, and is refused as a whole above it', () => {
  const world = startWorld()
  world.run('change_settings', { values: { 'retention.imported': 3 } })
  ask(world, ['a'])
  expect(() => ask(world, ['a', 'b', 'c', 'd'])).toThrow(
    expect.objectContaining({
      code: 'bad_request',
      message:
        'Nothing was imported: there would be 4 imported events, and the setting retention.imported is 3. Replace the earlier events, or raise the setting.',
    }),
  )
  expect(stored(world).map(([id]) => id)).toEqual(['a'])
  expect(ask(world, ['a', 'b', 'c']).total).toBe(3)
  expect(() => ask(world, ['d', 'e', 'f', 'g'], { replace: true })).toThrow(/there would be 4 imported events/)
  expect(ask(world, ['d', 'e', 'f'], { replace: true }).total).toBe(3)
})
