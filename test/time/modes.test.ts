import { describe, expect, test } from 'vitest'
import type { ClockRow } from '../../src/engine/tables.ts'
import { at, gate, rig, START, timer } from './fixtures.ts'

const stored: ClockRow = { id: 'clock', mode: 'real', speed: 1, virtual: at(-1000), wall: START - 1000 }

describe('the start', () => {
  test('runs the timers that fell due while the sandbox was down, and then shows the system time', async () => {
    const { timeline, ran, now, saved } = rig(stored)
    timeline.arm(timer('overdue', -1050, 1))
    timeline.arm(timer('b', -100, 3))
    timeline.arm(timer('a', -100, 2))
    timeline.arm(timer('present', 0, 4))
    timeline.arm(timer('future', 1, 5))
    expect(now()).toBe(-1000)
    await timeline.start()
    expect(ran).toEqual([
      ['overdue', -1000],
      ['a', -100],
      ['b', -100],
      ['present', 0],
    ])
    expect(now()).toBe(0)
    expect(saved).toEqual([])
  })

  test('runs each timer at its due time, and does not wait for webhooks', async () => {
    const { promise, open } = gate()
    const { timeline, systemClock, ran, now } = rig(stored, {
      run: (step) => (step.kind === 'deliver' ? promise : undefined),
    })
    timeline.arm(timer('d', -500, 1, 'deliver'))
    timeline.arm(timer('a', -400, 2))
    timeline.arm(timer('b', 50, 3))
    await timeline.start()
    await systemClock.advance(100)
    expect(ran).toEqual([
      ['d', -500],
      ['a', -400],
      ['b', 50],
    ])
    expect(now()).toBe(100)
    open()
  })

  test('leaves a frozen clock at its time', async () => {
    const { timeline, ran, now } = rig({ ...stored, mode: 'frozen' })
    timeline.arm(timer('a', -1000))
    timeline.arm(timer('b', -999))
    await timeline.start()
    expect([ran, now()]).toEqual([[['a', -1000]], -1000])
  })

  test('runs before all advances, and only once', async () => {
    const { timeline } = rig()
    await expect(timeline.advance({ by: 1 })).rejects.toThrow('start()')
    await timeline.start()
    await expect(timeline.start()).rejects.toThrow('already started')
  })
})

describe('a change of mode', () => {
  test('to frozen at a later time runs the timers on the way', async () => {
    const { timeline, ran, now, saved } = rig()
    await timeline.start()
    timeline.arm(timer('a', 10))
    timeline.arm(timer('b', 20))
    timeline.arm(timer('c', 21))
    const row = await timeline.setMode({ mode: 'frozen', now: at(20) })
    expect(row).toMatchObject({ mode: 'frozen', virtual: at(20) })
    expect(saved.at(-1)).toEqual(row)
    expect(ran).toEqual([
      ['a', 10],
      ['b', 20],
    ])
    expect(now()).toBe(20)
  })

  test('to an earlier time is rejected and changes nothing', async () => {
    const { timeline, saved } = rig()
    await timeline.start()
    await expect(timeline.setMode({ mode: 'frozen', now: at(-1) })).rejects.toMatchObject({ code: 'not_allowed' })
    expect([timeline.clock().mode, saved]).toEqual(['real', []])
  })

  test('to scaled makes waiting timers follow the new speed', async () => {
    const { timeline, systemClock, ran } = rig({ mode: 'frozen' })
    await timeline.start()
    timeline.arm(timer('a', 1000))
    timeline.arm(timer('b', 61_000))
    await systemClock.advance(5000)
    await timeline.setMode({ mode: 'real' })
    await systemClock.advance(1000)
    expect(ran).toEqual([['a', 1000]])
    await timeline.setMode({ mode: 'scaled', speed: 60 })
    await systemClock.advance(1000)
    expect(ran.at(-1)).toEqual(['b', 61_000])
  })

  test('does not wait for effects in flight if no later time is named', async () => {
    const { timeline, systemClock } = rig({ mode: 'frozen' })
    await timeline.start()
    timeline.track(gate().promise)
    expect(await timeline.setMode({ mode: 'real' })).toMatchObject({ mode: 'real' })
    expect(systemClock.waiting()).toBe(0)
  })

  test('waits for the advance before it', async () => {
    const { timeline } = rig({ mode: 'frozen' })
    await timeline.start()
    timeline.arm(timer('a', 10))
    const [advanced, row] = await Promise.all([timeline.advance({ by: 100 }), timeline.setMode({ mode: 'real' })])
    expect([advanced.now, row.virtual]).toEqual([at(100), at(100)])
  })
})

describe('a restored clock', () => {
  test('may be earlier, and stops a running advance at its current time', async () => {
    const { promise, open } = gate()
    const { timeline, now, systemClock, ran } = rig({ mode: 'frozen' }, { run: () => promise })
    await timeline.start()
    timeline.arm(timer('d', 1000, 1, 'deliver'))
    const advance = timeline.advance({ by: 5000 })
    await systemClock.advance(0)
    timeline.disarmAll()
    timeline.restoreClock({ id: 'clock', mode: 'real', speed: 1, virtual: at(-500), wall: START })
    await expect(advance).rejects.toMatchObject({ code: 'sandbox_reset' })
    timeline.arm(timer('a', -400))
    await systemClock.advance(100)
    expect(ran.at(-1)).toEqual(['a', -400])
    expect(now()).toBe(-400)
    open()
    await timeline.idle()
  })

  test.each([
    ['mode', 'scaled'],
    ['speed', 2],
    ['virtual', at(5)],
    ['wall', START - 5],
  ] as const)('has an effect if only its %s differs from the stored clock', async (field, value) => {
    const row = { id: 'clock', mode: 'real', speed: 1, virtual: at(0), wall: START } as const
    const { timeline, systemClock } = rig(row, { run: () => gate().promise })
    await timeline.start()
    timeline.arm(timer('d', 1000, 1, 'deliver'))
    const advance = timeline.advance({ by: 2000 })
    timeline.restoreClock({ ...row, [field]: value })
    await systemClock.advance(0)
    await expect(advance).rejects.toMatchObject({ code: 'sandbox_reset' })
  })

  test('is not overwritten by an advance that it ended', async () => {
    const { promise, open } = gate()
    const { timeline, systemClock, saved, now } = rig({ mode: 'real' }, { run: () => promise })
    await timeline.start()
    timeline.arm(timer('d', 1000, 1, 'deliver'))
    const advance = timeline.advance({ by: 5000 })
    await systemClock.advance(0)
    const before = [...saved]
    timeline.restoreClock({ id: 'clock', mode: 'real', speed: 1, virtual: at(9000), wall: START })
    await expect(advance).rejects.toMatchObject({ code: 'sandbox_reset' })
    expect([saved, now()]).toEqual([before, 9000])
    open()
  })

  test('is not replaced by another clock whose write fails afterwards', async () => {
    const { promise, open } = gate()
    const save = () =>
      promise.then(() => {
        throw new Error('disk full')
      })
    const restored: ClockRow = { id: 'clock', mode: 'frozen', speed: 1, virtual: at(7), wall: START }
    const { timeline } = rig({ mode: 'frozen' }, { save })
    await timeline.start()
    const failing = timeline.advance({ by: 5000 })
    await new Promise<void>((resolve) => setImmediate(resolve))
    timeline.restoreClock(restored)
    open()
    await expect(failing).rejects.toThrow('disk full')
    const next = timeline.advance({ by: 0 })
    timeline.restoreClock({ ...restored })
    expect(await next).toMatchObject({ now: at(7) })
  })

  test('has no effect if it equals the stored clock', async () => {
    const box: { tell?: (row: ClockRow) => void } = {}
    const { timeline, ran, now } = rig({ mode: 'frozen' }, { save: (row) => box.tell?.(structuredClone(row)) })
    box.tell = timeline.restoreClock
    await timeline.start()
    timeline.arm(timer('a', 10))
    timeline.arm(timer('b', 20))
    expect(await timeline.advance({ by: 100 })).toMatchObject({ steps: 2 })
    expect([ran.length, now()]).toEqual([2, 100])
  })

  test('may be a clock whose write failed before', async () => {
    const failed: ClockRow[] = []
    const { timeline, now } = rig(
      { mode: 'frozen' },
      {
        save(row) {
          failed.push(row)
          throw new Error('disk full')
        },
      },
    )
    await timeline.start()
    await expect(timeline.advance({ by: 5000 })).rejects.toThrow('disk full')
    for (const row of failed) timeline.restoreClock(row)
    expect(now()).toBe(5000)
  })

  test('replaces the clock that is just being stored', async () => {
    const { promise, open } = gate()
    const { timeline, now, systemClock } = rig({ mode: 'frozen' }, { save: () => promise })
    await timeline.start()
    const advance = timeline.advance({ by: 5000 })
    await systemClock.advance(0)
    timeline.restoreClock({ id: 'clock', mode: 'frozen', speed: 1, virtual: at(-500), wall: START })
    open()
    await expect(advance).rejects.toMatchObject({ code: 'sandbox_reset' })
    expect(now()).toBe(-500)
  })
})
