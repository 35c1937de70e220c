import { describe, expect, test } from 'vitest'
import { TimelineStoppedError } from '../../src/time/timeline-types.ts'
import { at, gate, rig, START, timer } from './rig.ts'

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('time that flows', () => {
  test('a timer runs when it is due, not before', async () => {
    const { timeline, systemClock, ran } = rig()
    await timeline.start()
    timeline.arm(timer('a', 1000))
    await systemClock.advance(999)
    expect(ran).toEqual([])
    await systemClock.advance(1)
    expect(ran).toEqual([['a', 1000]])
  })

  test('a scaled clock divides the wall delay by its speed', async () => {
    const { timeline, systemClock, ran } = rig({ mode: 'scaled', speed: 60 })
    await timeline.start()
    timeline.arm(timer('a', 60_000))
    await systemClock.advance(999)
    expect(ran).toEqual([])
    await systemClock.advance(1)
    expect(ran).toEqual([['a', 60_000]])
  })

  test('an earlier timer wakes it earlier, a removed or replaced one does not run', async () => {
    const { timeline, systemClock, ran } = rig()
    await timeline.start()
    await systemClock.advance(0)
    timeline.arm(timer('late', 5000))
    timeline.arm(timer('early', 100))
    timeline.arm(timer('gone', 50))
    timeline.disarm('bank_answer:gone')
    timeline.arm(timer('late', 300, 9))
    await systemClock.advance(10_000)
    expect(ran).toEqual([
      ['early', 100],
      ['late', 300],
    ])
  })

  test('a delay of years is kept', async () => {
    const { timeline, systemClock, ran } = rig({ mode: 'scaled', speed: 1000 })
    await timeline.start()
    const years = 3 * 365 * 86_400_000
    timeline.arm(timer('a', years))
    await systemClock.advance(years / 1000 - 1)
    expect(ran).toEqual([])
    await systemClock.advance(1)
    expect(ran).toEqual([['a', years]])
  })

  test('a machine whose time was set ahead runs what fell due within half a minute', async () => {
    const { timeline, systemClock, ran } = rig()
    await timeline.start()
    timeline.arm(timer('a', 3_600_000))
    await systemClock.advance(0)
    systemClock.set(START + 7_200_000)
    await systemClock.advance(30_000)
    expect(ran.map(([name]) => name)).toEqual(['a'])
  })

  test('effects of one instant do not wait for each other', async () => {
    const { promise, open } = gate()
    const { timeline, systemClock, ran } = rig({ mode: 'real' }, { run: () => promise })
    await timeline.start()
    for (let i = 0; i < 5; i++) timeline.arm(timer(`d${i}`, 10 * i, i, 'deliver'))
    await systemClock.advance(40)
    expect(ran).toHaveLength(5)
    open()
    await timeline.idle()
  })
})

describe('a frozen clock', () => {
  test('runs what is due now and nothing else', async () => {
    const { timeline, systemClock, ran, now } = rig({ mode: 'frozen' })
    await timeline.start()
    timeline.arm(timer('now', 0))
    timeline.arm(timer('soon', 1))
    await systemClock.advance(86_400_000)
    expect(ran).toEqual([['now', 0]])
    expect(now()).toBe(0)
  })

  test('idle resolves when what is due has run and settled, though later steps wait', async () => {
    const { promise, open } = gate()
    const { timeline, ran } = rig({ mode: 'frozen' }, { run: () => promise })
    await timeline.start()
    timeline.arm(timer('now', 0, 1, 'deliver'))
    timeline.arm(timer('later', 1000))
    let idle = false
    const waiting = timeline.idle().then(() => {
      idle = true
    })
    for (let i = 0; i < 5; i++) await nextTurn()
    expect([ran.length, idle]).toEqual([1, false])
    open()
    await waiting
    expect(ran).toEqual([['now', 0]])
  })
})

describe('idle', () => {
  test('waits for steps in real mode, not for expiries', async () => {
    const { timeline, systemClock, ran } = rig()
    await timeline.start()
    timeline.arm(timer('x', 20_000, 1, 'session_timeout'))
    timeline.arm(timer('a', 1000, 2))
    let idle = false
    const waiting = timeline.idle().then(() => {
      idle = true
    })
    await systemClock.advance(999)
    expect(idle).toBe(false)
    await systemClock.advance(1)
    await waiting
    expect(ran).toEqual([['a', 1000]])
  })

  test('notices that the last waiting step was removed', async () => {
    const { timeline, systemClock } = rig()
    await timeline.start()
    timeline.arm(timer('a', 1000))
    const waiting = timeline.idle()
    await systemClock.advance(1)
    timeline.disarm('bank_answer:a')
    await waiting
  })

  test('waits for effects that others track, failed ones included', async () => {
    const { promise, open } = gate()
    const { timeline, errors } = rig()
    await timeline.start()
    let idle = false
    timeline.track(promise.then(() => Promise.reject(new Error('theirs'))))
    const waiting = timeline.idle().then(() => {
      idle = true
    })
    for (let i = 0; i < 5; i++) await nextTurn()
    expect(idle).toBe(false)
    open()
    await waiting
    expect(errors).toEqual([])
  })

  test('asked before the start, resolves after it', async () => {
    const { timeline, ran } = rig()
    timeline.arm(timer('a', 0))
    const waiting = timeline.idle()
    await timeline.start()
    await waiting
    expect(ran).toEqual([['a', 0]])
  })
})

describe('faults', () => {
  test('a step that throws and an effect that fails are told, and time goes on', async () => {
    const { timeline, errors, ran } = rig(
      { mode: 'frozen' },
      {
        run(step) {
          if (step.object_id === 'throws') throw new Error('thrown')
          return step.object_id === 'fails' ? Promise.reject(new Error('failed')) : undefined
        },
      },
    )
    await timeline.start()
    timeline.arm(timer('throws', 10, 1))
    timeline.arm(timer('fails', 10, 2))
    timeline.arm(timer('fine', 20, 3))
    await timeline.advance({ until: 'idle' })
    expect(errors).toEqual([new Error('thrown'), new Error('failed')])
    expect(ran.at(-1)).toEqual(['fine', 20])
  })

  test('a clock that cannot be stored does not move, and later calls work', async () => {
    let full = true
    const { timeline, now, ran } = rig(
      { mode: 'frozen' },
      {
        save() {
          if (full) throw new Error('disk full')
        },
      },
    )
    await timeline.start()
    timeline.arm(timer('a', 10))
    await expect(timeline.advance({ by: 20 })).rejects.toThrow('disk full')
    await expect(timeline.setMode({ mode: 'real' })).rejects.toThrow('disk full')
    expect([now(), ran, timeline.clock().mode]).toEqual([0, [], 'frozen'])
    full = false
    await timeline.advance({ by: 20 })
    expect([now(), ran]).toEqual([20, [['a', 10]]])
  })
})

describe('the end', () => {
  test('stop waits for effects in flight and rejects who waits', async () => {
    const { promise, open } = gate()
    const { timeline, systemClock } = rig({ mode: 'frozen' }, { run: () => promise })
    await timeline.start()
    const other = gate()
    timeline.track(other.promise)
    timeline.arm(timer('a', 0, 1, 'deliver'))
    timeline.arm(timer('b', 20, 2))
    const calls = [timeline.advance({ by: 100 }), timeline.advance({ by: 100 }), timeline.idle()]
    const ends = calls.map((call) => expect(call).rejects.toThrow(TimelineStoppedError))
    await nextTurn()
    let stopped = false
    const stop = timeline.stop().then(() => {
      stopped = true
    })
    await Promise.all(ends)
    other.open()
    for (let i = 0; i < 5; i++) await nextTurn()
    expect(stopped).toBe(false)
    open()
    await stop
    expect(systemClock.waiting()).toBe(0)
    await expect(timeline.advance({ by: 1 })).rejects.toThrow(TimelineStoppedError)
  })

  test('nothing runs after it', async () => {
    const { timeline, systemClock, ran } = rig()
    await timeline.start()
    timeline.arm(timer('a', 10))
    await timeline.stop()
    timeline.arm(timer('b', 0))
    await systemClock.advance(100)
    expect(ran).toEqual([])
    expect(timeline.nextDue()).toBe(at(0))
  })
})
