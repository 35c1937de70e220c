import { describe, expect, test } from 'vitest'
import type { WallTime } from '../../src/domain/time.ts'
import type { ClockRow } from '../../src/engine/tables.ts'
import { type ClockRequest, clockChange, createClock, currentTime, initialClock } from '../../src/time/clock.ts'
import { parseClock } from '../../src/time/clock-syntax.ts'
import { at, START } from './fixtures.ts'

const systemTimeAt = (ms: number) => (START + ms) as WallTime
const row = (mode: ClockRow['mode'], speed = 1): ClockRow => ({
  id: 'clock',
  mode,
  speed,
  virtual: at(5000),
  wall: START,
})

describe('a change of mode', () => {
  test.each<[string, ClockRow, ClockRequest, Partial<ClockRow>]>([
    ['real stops where it is', row('real'), { mode: 'frozen' }, { mode: 'frozen', virtual: at(6000) }],
    ['real stops later', row('real'), { mode: 'frozen', now: at(9000) }, { mode: 'frozen', virtual: at(9000) }],
    ['frozen continues from there', row('frozen'), { mode: 'real' }, { mode: 'real', virtual: at(5000) }],
    ['scaled continues at 1', row('scaled', 60), { mode: 'real' }, { mode: 'real', speed: 1, virtual: at(65_000) }],
    ['real gets faster', row('real'), { mode: 'scaled', speed: 60 }, { mode: 'scaled', speed: 60, virtual: at(6000) }],
    ['slower than real time', row('frozen'), { mode: 'scaled', speed: 0.5 }, { mode: 'scaled', speed: 0.5 }],
  ])('a change of mode is anchored at the current time: %s', (_, current, request, expected) => {
    const next = clockChange(current, request, systemTimeAt(1000))
    expect(next).toMatchObject({ id: 'clock', wall: systemTimeAt(1000), ...expected })
    expect(currentTime(next, systemTimeAt(1000))).toBe(next.virtual)
  })

  test.each<[ClockRequest, string]>([
    [{ mode: 'frozen', now: at(5999) }, 'moves ahead only'],
    [{ mode: 'frozen', now: Number.NaN as never }, 'last possible time'],
    [{ mode: 'frozen', now: at(1e15) }, '9000-01-01'],
    [{ mode: 'scaled', speed: 0 }, 'speed'],
    [{ mode: 'scaled', speed: -1 }, 'speed'],
    [{ mode: 'scaled', speed: Number.POSITIVE_INFINITY }, 'speed'],
  ])('the request %j is rejected', (request, text) => {
    expect(() => clockChange(row('real'), request, systemTimeAt(1000))).toThrow(text)
  })
})

test('a new sandbox may start in the past', () => {
  const past = at(-86_400_000)
  expect(initialClock({ mode: 'frozen', now: past }, systemTimeAt(0))).toMatchObject({ mode: 'frozen', virtual: past })
  expect(initialClock({ mode: 'frozen' }, systemTimeAt(7))).toMatchObject({ mode: 'frozen', virtual: at(7) })
  expect(initialClock({ mode: 'scaled', speed: 2 }, systemTimeAt(0))).toMatchObject({
    speed: 2,
    virtual: START,
    wall: START,
  })
})

test('a repeatable frozen clock starts at the same time on every machine, unless the request names one', () => {
  const clock = (request: ClockRequest) => initialClock(request, systemTimeAt(7), true).virtual
  expect(clock({ mode: 'frozen' })).toBe(Date.UTC(2026, 4, 6, 12))
  expect(clock({ mode: 'frozen', now: at(-1) })).toBe(at(-1))
  expect(clock({ mode: 'real' })).toBe(at(7))
})

test.each<[text: string, request: ClockRequest | undefined]>([
  ['real', { mode: 'real' }],
  ['frozen', { mode: 'frozen' }],
  ['frozen@2026-05-06T12:00:00Z', { mode: 'frozen', now: at(0) }],
  ['x60', { mode: 'scaled', speed: 60 }],
  ['x0.5', { mode: 'scaled', speed: 0.5 }],
  ...[
    '',
    'Real',
    'frozen@2026-05-06T12:00:00Z\n',
    'frozen@',
    'frozen@soon',
    'xfrozen@2026-05-06T12:00:00Z',
    'x',
    'x0',
    'x.5',
    'x1.',
    'x-1',
    '60',
    'ax60',
    'x6a',
  ].map((text) => [text, undefined] as [string, undefined]),
])('the text %j of a clock is parsed as %j', (text, request) => {
  expect(parseClock(text)).toEqual(request)
})

describe('a machine whose time is set', () => {
  function running(first: ClockRow, start = 0) {
    let systemClock = start
    let passed = 0
    const setBack: number[] = []
    const machine = { now: () => systemTimeAt(systemClock), monotonic: () => passed }
    const clock = createClock(machine, first, (ms) => setBack.push(ms))
    clock.release()
    return {
      clock,
      setBack,
      /** Lets time pass. */
      pass(ms: number) {
        systemClock += ms
        passed += ms
        return clock.now() - START
      },
      /** Sets the system time, as an administrator would. */
      set(by: number) {
        systemClock += by
        return clock.now() - START
      },
      show(ms: number) {
        systemClock = ms
        return clock.now() - START
      },
    }
  }

  test('a clock whose machine is set back continues from its current time', () => {
    const { show } = running(row('real'))
    expect([show(1000), show(400), show(900), show(1000)]).toEqual([6000, 6000, 6500, 6600])
  })

  test('a clock whose machine is set ahead follows it', () => {
    const { show } = running(row('real'))
    expect([show(1000), show(3_600_000)]).toEqual([6000, 3_605_000])
  })

  test('the offset does not accumulate if the machine is set back and ahead repeatedly', () => {
    const { clock, pass, set, setBack } = running(row('real'))
    const year = 365 * 86_400_000
    expect([pass(1000), set(-year), pass(1000), set(year), pass(1000)]).toEqual([6000, 6000, 7000, 7000, 8000])
    expect(clock.offset()).toBe(0)
    // The clock follows a jump ahead but not the way back, so the offset never exceeds one jump.
    for (let times = 0; times < 3; times++) {
      set(year)
      pass(1000)
      set(-year)
      pass(1000)
    }
    expect(clock.now() - START).toBe(year + 14_000)
    expect(clock.offset()).toBe(year)
    expect(setBack).toEqual([year, year, year, year])
  })

  test('a clock keeps its pace if the machine is set back, then half of it ahead', () => {
    const { clock, pass, set } = running(row('real'))
    expect([pass(1000), set(-100_000), set(40_000), pass(500), set(80_000), pass(500)]).toEqual([
      6000, 6000, 6000, 6500, 26_500, 27_000,
    ])
    expect(clock.offset()).toBe(0)
  })

  test('a small step back by a time service is not reported', () => {
    const { pass, set, setBack } = running(row('real'))
    expect([pass(1000), set(-9999), pass(1000)]).toEqual([6000, 6000, 7000])
    expect(setBack).toEqual([])
  })

  test('a clock starts at its anchor if the machine was set back while the sandbox was down', () => {
    const { show } = running(row('real'), -100_000)
    expect([show(-100_000), show(-99_500)]).toEqual([5000, 5500])
  })

  test('fractions of a scaled clock are dropped, never rounded up', () => {
    const { show } = running(row('scaled', 0.3))
    expect([show(1), show(3), show(4), show(7)]).toEqual([5000, 5000, 5001, 5002])
  })
})
