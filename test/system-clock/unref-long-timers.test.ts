import { afterEach, describe, expect, test, vi } from 'vitest'
import type { WallTime } from '../../src/domain/time.ts'
import { EXPIRY_TIMERS } from '../../src/engine/tables.ts'
import { systemWall } from '../../src/system-clock/system-clock.ts'
import { firstClock } from '../../src/time/clock.ts'
import { createTimeline } from '../../src/time/timeline.ts'
import { manualWall } from '../time/manual-system-clock.ts'
import { timer } from '../time/rig.ts'

afterEach(() => void vi.useRealTimers())

describe('fake timers of a test suite', () => {
  test('do not stop a timeline in real mode', async () => {
    vi.useFakeTimers({ now: 0 })
    const wall = systemWall()
    const ran: string[] = []
    const timeline = createTimeline({
      wall,
      clock: firstClock({ mode: 'real' }, wall.now()),
      isExpiry: (kind) => EXPIRY_TIMERS.includes(kind),
      run: (step) => void ran.push(step.object_id),
      save() {},
      onError() {},
    })
    await timeline.start()
    timeline.arm({ ...timer('soon', 0), due: (timeline.now() + 15) as never })
    await timeline.idle()
    timeline.arm({ ...timer('later', 0), due: (timeline.now() + 3_600_000) as never })
    await timeline.advance({ until: 'idle' })
    await timeline.stop()
    expect(ran).toEqual(['soon', 'later'])
  })

  test('do not move the wall', async () => {
    vi.useFakeTimers({ now: 0 })
    const wall = systemWall()
    const before = wall.monotonic()
    expect(wall.now()).toBeGreaterThan(1.7e12)
    await new Promise<void>((resolve) => wall.setTimeout(resolve, 2))
    await new Promise<void>((resolve) => {
      const interval = wall.setInterval(() => {
        interval.cancel()
        resolve()
      }, 1)
    })
    await new Promise<void>((resolve) => wall.nextTurn(resolve))
    expect(wall.monotonic()).toBeGreaterThan(before)
  })
})

test('a timeout longer than 31 bits of ms does not fire at once', async () => {
  const wall = systemWall()
  let fired = false
  const timeout = wall.setTimeout(() => {
    fired = true
  }, 2 ** 33)
  timeout.unref?.()
  await new Promise<void>((resolve) => wall.setTimeout(resolve, 5))
  timeout.cancel()
  expect(fired).toBe(false)
})

test('the manual wall fires timeouts and intervals at their moments, in order', async () => {
  const wall = manualWall(1000)
  const log: [string, number][] = []
  wall.setTimeout(() => log.push(['b', wall.now()]), 20)
  wall.setTimeout(() => log.push(['a', wall.now()]), 10)
  const interval = wall.setInterval(() => log.push(['i', wall.now()]), 15)
  wall.setTimeout(() => log.push(['never', wall.now()]), 5).cancel()
  await wall.advance(31)
  interval.cancel()
  await wall.advance(100)
  expect(log).toEqual([
    ['a', 1010],
    ['i', 1015],
    ['b', 1020],
    ['i', 1030],
  ])
  wall.set(0)
  expect([wall.now(), wall.monotonic(), wall.waiting()]).toEqual([0 as WallTime, 131, 0])
})
