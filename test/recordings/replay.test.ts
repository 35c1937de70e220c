import { describe, expect, test } from 'vitest'
import { mapFields, parseFieldMap } from '../../src/recordings/field-map.ts'
import { type ReplayItem, type ReplayPace, replayDuration, replayEvents } from '../../src/recordings/replay-events.ts'

function item(id: string, at: number, orderingKey = id): ReplayItem {
  return { id, event_id: id, event: 'payment.succeeded', orderingKey, at, body: '{}' }
}

/** A clock that jumps to the next timer whenever nothing else can run. */
function jumpingClock(start: number) {
  let now = start
  return {
    monotonic: () => now,
    setTimeout(run: () => void, ms: number) {
      let isOff = false
      setImmediate(() => {
        if (isOff) return
        now += ms
        run()
      })
      return {
        cancel() {
          isOff = true
        },
      }
    },
  }
}

async function replay(
  items: readonly ReplayItem[],
  pace: ReplayPace,
  abortAfter = Number.POSITIVE_INFINITY,
  start = 0,
) {
  const systemClock = jumpingClock(start) as never as Parameters<typeof replayEvents>[1]['systemClock']
  const controller = new AbortController()
  const sent: [string, number][] = []
  const open = new Set<string>()
  const overlaps: string[] = []
  await replayEvents(items, {
    pace,
    systemClock,
    signal: controller.signal,
    async send({ id, orderingKey }) {
      sent.push([id, Math.round(systemClock.monotonic())])
      if (open.has(orderingKey)) overlaps.push(orderingKey)
      open.add(orderingKey)
      await Promise.resolve()
      open.delete(orderingKey)
      if (sent.length >= abortAfter) controller.abort()
    },
  })
  return { sent, overlaps }
}

describe('replaying recorded events', () => {
  const items = [item('b', 60_000), item('a', 0), item('c', 90_000)]

  test('a replay keeps the pauses of the recording, divided by the speed', async () => {
    expect((await replay(items, 1)).sent).toEqual([
      ['a', 0],
      ['b', 60_000],
      ['c', 90_000],
    ])
    expect((await replay(items, 100)).sent.map(([, at]) => at)).toEqual([0, 600, 900])
    expect(replayDuration(items, 100)).toBe(900)
  })

  test('a replay sends the first event at once, whenever it was recorded and whenever the replay begins', async () => {
    const later = [item('a', 1000), item('b', 4000), item('c', 4500)]
    expect((await replay(later, 1, Number.POSITIVE_INFINITY, 700)).sent).toEqual([
      ['a', 700],
      ['b', 3700],
      ['c', 4200],
    ])
  })

  test('a replay without events sends nothing', async () => {
    expect((await replay([], 1)).sent).toEqual([])
  })

  test('a pause that is longer than a system timer is waited for', async () => {
    const days = 60 * 24 * 60 * 60 * 1000
    expect((await replay([item('a', 0), item('b', days)], 1)).sent).toEqual([
      ['a', 0],
      ['b', days],
    ])
  })

  test('an instant replay sends the events of one object one after another, in the order of the recording', async () => {
    const many = Array.from({ length: 200 }, (_, at) => item(`e${at}`, 200 - at, `object ${at % 3}`))
    const { sent, overlaps } = await replay(many, 'instant')
    expect([sent.length, overlaps]).toEqual([200, []])
    const first = sent.map(([id]) => Number(id.slice(1))).filter((number) => number % 3 === 0)
    expect(first).toEqual(first.toSorted((a, b) => b - a))
  })

  test('a replay that is aborted sends nothing more', async () => {
    expect((await replay(items, 1, 1)).sent).toHaveLength(1)
    expect(
      (
        await replay(
          Array.from({ length: 100 }, (_, at) => item(`e${at}`, at, 'one')),
          'instant',
          3,
        )
      ).sent,
    ).toHaveLength(3)
  })
})

describe('maps of fields', () => {
  const body = '{"id":"evt_1", "data":{"order_id":"ord_1", "metadata":{"order_id":"ord_9","cart":7}}}'

  test('only the values of the mapped fields change', () => {
    const maps = [
      parseFieldMap('order_id', 'ord_1,local_1\r\n\n"ord_2","local_2"\n', 'map.csv'),
      parseFieldMap('metadata.cart', '{"7":"8"}', 'map.json'),
    ]
    expect(mapFields(body, maps)).toEqual({
      body: '{"id":"evt_1", "data":{"order_id":"local_1", "metadata":{"order_id":"ord_9","cart":"8"}}}',
      unmapped: ['ord_9'],
    })
    expect(mapFields(body, []).body).toBe(body)
  })

  test('a map that cannot be read names the line', () => {
    expect(() => parseFieldMap('a', 'x,y\nz\n', 'map.csv')).toThrow(
      'map.csv line 2 must have two values, separated by a comma.',
    )
    expect(() => parseFieldMap('a', '{"x":', 'map.json')).toThrow('map.json is not valid JSON.')
    expect(() => parseFieldMap('a', '{"x":{}}', 'map.json')).toThrow(
      'map.json: the value of "x" is neither a string nor a number.',
    )
  })
})
