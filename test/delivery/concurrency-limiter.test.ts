import { expect, test } from 'vitest'
import { createConcurrencyLimiter } from '../../src/delivery/concurrency-limiter.ts'

function start(limits: Partial<Parameters<typeof createConcurrencyLimiter>[0]> = {}) {
  const lanes = createConcurrencyLimiter({ total: 6, per_origin: 4, per_receiver: 2, reserved: 1, ...limits })
  const started: string[] = []
  return {
    started,
    enter(origin: string, receiver: string, name: string) {
      lanes.acquire({ origin, receiver }, () => void started.push(name))
    },
    leave: (origin: string, receiver: string) => lanes.release({ origin, receiver }),
  }
}

test('receivers and origins have separate limits, and waiting attempts start in order', () => {
  const { enter, leave, started } = start()
  for (const n of [1, 2, 3, 4]) enter('o', 'a', `a${n}`)
  for (const n of [1, 2, 3]) enter('o', 'b', `b${n}`)
  enter('o', 'c', 'c1')
  expect(started).toEqual(['a1', 'a2', 'b1', 'b2'])
  leave('o', 'a')
  expect(started.slice(4)).toEqual(['c1'])
  leave('o', 'b')
  leave('o', 'c')
  expect(started.slice(5)).toEqual(['a3', 'b3'])
})

test('an origin has its reserve even if the total is used up, and waits for the rest', () => {
  const { enter, leave, started } = start()
  for (const n of [1, 2]) for (const origin of ['o', 'p', 'q']) enter(origin, origin, `${origin}${n}`)
  for (const n of [1, 2]) enter('r', 'r', `r${n}`)
  expect(started).toEqual(['o1', 'p1', 'q1', 'o2', 'p2', 'q2', 'r1'])
  leave('o', 'o')
  expect(started).toHaveLength(7)
  leave('p', 'p')
  expect(started.slice(7)).toEqual(['r2'])
})

test('every waiting attempt starts in the end', () => {
  const { enter, leave, started } = start({ total: 2, per_origin: 2 })
  const places = ['a', 'b', 'c', 'd'].map((origin) => [origin, `${origin}!`] as const)
  for (let n = 0; n < 50; n++) for (const [origin, receiver] of places) enter(origin, receiver, origin)
  for (let i = 0; i < started.length; i++) {
    const origin = started[i] ?? ''
    leave(origin, `${origin}!`)
  }
  expect(started).toHaveLength(200)
})

test('by default 64 attempts of a receiver, 128 of an origin and 256 in total are in flight, and 4 of each other origin', () => {
  const limiter = createConcurrencyLimiter()
  const inFlight = new Map<string, number>()
  const enter = (origin: string, receiver: string, count: number) => {
    const key = `${origin} ${receiver}`
    for (let n = 0; n < count; n++) {
      limiter.acquire({ origin, receiver }, () => void inFlight.set(key, (inFlight.get(key) ?? 0) + 1))
    }
    return inFlight.get(key) ?? 0
  }
  expect([enter('o', 'a', 65), enter('o', 'b', 63), enter('o', 'c', 2)]).toEqual([64, 63, 1])
  expect([enter('p', 'a', 64), enter('p', 'b', 59), enter('q', 'a', 7)]).toEqual([64, 59, 5])
  expect([enter('q', 'b', 1), enter('r', 'a', 5)]).toEqual([0, 4])
})
