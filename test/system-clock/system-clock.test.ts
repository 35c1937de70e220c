import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { WallTime } from '../../src/domain/time.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { initialClock } from '../../src/time/clock.ts'
import { createTimeline } from '../../src/time/timeline.ts'
import { timer } from '../time/fixtures.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'

afterEach(() => void vi.useRealTimers())

describe('fake timers of a test suite', () => {
  test('do not stop a timeline in real mode', async () => {
    vi.useFakeTimers({ now: 0 })
    const systemClock = createSystemClock()
    const ran: string[] = []
    const timeline = createTimeline({
      systemClock,
      clock: initialClock({ mode: 'real' }, systemClock.now()),
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

  test('do not move the system clock', async () => {
    vi.useFakeTimers({ now: 0 })
    const systemClock = createSystemClock()
    const before = systemClock.monotonic()
    expect(systemClock.now()).toBeGreaterThan(1.7e12)
    await new Promise<void>((resolve) => systemClock.setTimeout(resolve, 2))
    await new Promise<void>((resolve) => {
      const interval = systemClock.setInterval(() => {
        interval.cancel()
        resolve()
      }, 1)
    })
    await new Promise<void>((resolve) => systemClock.nextTurn(resolve))
    expect(systemClock.monotonic()).toBeGreaterThan(before)
  })
})

test('a timeout longer than 31 bits of ms does not fire at once', async () => {
  const systemClock = createSystemClock()
  let fired = false
  const timeout = systemClock.setTimeout(() => {
    fired = true
  }, 2 ** 33)
  timeout.unref?.()
  await new Promise<void>((resolve) => systemClock.setTimeout(resolve, 5))
  timeout.cancel()
  expect(fired).toBe(false)
})

test('a timeout of 50 days has parts, which hold the process only until it is released', async () => {
  const parts: { readonly fn: () => void; readonly ms: number; isHeld: boolean; isCancelled: boolean }[] = []
  vi.stubGlobal('setTimeout', (fn: () => void, ms: number) => {
    const part = { fn, ms, isHeld: true, isCancelled: false }
    parts.push(part)
    return Object.assign(part, {
      unref() {
        part.isHeld = false
      },
    })
  })
  vi.stubGlobal('clearTimeout', (part: (typeof parts)[number]) => {
    part.isCancelled = true
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  // The module keeps the globals of its import.
  const module: string = '../../src/system-clock/system-clock.ts?stubbed'
  const { createSystemClock } = (await import(module)) as typeof import('../../src/system-clock/system-clock.ts')
  let fired = 0
  const longest = 2 ** 31 - 1
  const timeout = createSystemClock().setTimeout(() => void fired++, 2 * longest + 7)
  parts[0]?.fn()
  expect(parts.map(({ isHeld }) => isHeld)).toEqual([true, true])
  timeout.unref?.()
  parts[1]?.fn()
  expect(parts.map(({ ms, isHeld }) => [ms, isHeld])).toEqual([
    [longest, true],
    [longest, false],
    [7, false],
  ])
  expect(fired).toBe(0)
  timeout.cancel()
  expect(parts.map(({ isCancelled }) => isCancelled)).toEqual([false, false, true])
  parts[2]?.fn()
  expect([fired, parts.length]).toEqual([1, 3])
})

test('the manual system clock fires timeouts and intervals at their moments, in order', async () => {
  const systemClock = manualSystemClock(1000)
  const log: [string, number][] = []
  systemClock.setTimeout(() => log.push(['b', systemClock.now()]), 20)
  systemClock.setTimeout(() => log.push(['a', systemClock.now()]), 10)
  const interval = systemClock.setInterval(() => log.push(['i', systemClock.now()]), 15)
  systemClock.setTimeout(() => log.push(['never', systemClock.now()]), 5).cancel()
  await systemClock.advance(31)
  interval.cancel()
  await systemClock.advance(100)
  expect(log).toEqual([
    ['a', 1010],
    ['i', 1015],
    ['b', 1020],
    ['i', 1030],
  ])
  systemClock.set(0)
  expect([systemClock.now(), systemClock.monotonic(), systemClock.waiting()]).toEqual([0 as WallTime, 131, 0])
})
