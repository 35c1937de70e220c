import { describe, expect, test } from 'vitest'
import { TimelineStoppedError } from '../../src/time/timeline-types.ts'
import { at, gate, rig, START, timer } from './fixtures.ts'
import { manualSystemClock } from './manual-system-clock.ts'

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('a running clock', () => {
  test('runs a timer when it is due, and not before', async () => {
    const { timeline, systemClock, ran } = rig()
    await timeline.start()
    timeline.arm(timer('a', 1000))
    await systemClock.advance(999)
    expect(ran).toEqual([])
    await systemClock.advance(1)
    expect(ran).toEqual([['a', 1000]])
  })

  test('divides the real delay by its speed if it is scaled', async () => {
    const { timeline, systemClock, ran } = rig({ mode: 'scaled', speed: 60 })
    await timeline.start()
    timeline.arm(timer('a', 60_000))
    await systemClock.advance(999)
    expect(ran).toEqual([])
    await systemClock.advance(1)
    expect(ran).toEqual([['a', 60_000]])
  })

  test('runs an earlier timer first, and no removed or replaced one', async () => {
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

  test('keeps a timer that is due in years', async () => {
    const { timeline, systemClock, ran } = rig({ mode: 'scaled', speed: 1000 })
    await timeline.start()
    const years = 3 * 365 * 86_400_000
    timeline.arm(timer('a', years))
    await systemClock.advance(years / 1000 - 1)
    expect(ran).toEqual([])
    await systemClock.advance(1)
    expect(ran).toEqual([['a', years]])
  })

  test('runs due timers within half a minute after the machine is set ahead', async () => {
    const { timeline, systemClock, ran } = rig()
    await timeline.start()
    timeline.arm(timer('a', 3_600_000))
    await systemClock.advance(0)
    systemClock.set(START + 7_200_000)
    await systemClock.advance(30_000)
    expect(ran.map(([name]) => name)).toEqual(['a'])
  })

  test('does not wait for an effect before the next timer of the same time', async () => {
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

describe('the timers of a timeline', () => {
  test('the first busy ones are listed with their number, and the next one is known', async () => {
    const { timeline } = rig()
    expect([timeline.nextDue(), timeline.waiting(5)]).toEqual([undefined, { count: 0, first: [] }])
    const timers = [timer('b', 200), timer('a', 100), timer('c', 300)]
    for (const one of timers) timeline.arm(one)
    timeline.arm(timer('x', 50, 0, 'link_timeout'))
    expect([timeline.nextDue(), timeline.waiting(2)]).toEqual([at(50), { count: 3, first: [timers[1], timers[0]] }])
  })

  test('the timer of an object is replaced or removed, whatever its kind', async () => {
    const { timeline, systemClock, ran } = rig()
    await timeline.start()
    timeline.replaceTimer('p', timer('p', 100), true)
    timeline.replaceTimer('p', timer('p', 200, 0, 'link_timeout'), true)
    expect(timeline.waiting(1).count).toBe(1)
    timeline.replaceTimer('p', timer('p', 300, 0, 'link_timeout'), false)
    expect(timeline.waiting(1).count).toBe(0)
    timeline.replaceTimer('q', timer('q', 250), true)
    const idle = timeline.idle()
    await systemClock.advance(1)
    timeline.replaceTimer('q', undefined, true)
    await idle
    await systemClock.advance(300)
    expect(ran).toEqual([['p', 300]])
  })

  test('a timer that is armed while nothing else happens runs when it is due', async () => {
    const { timeline, systemClock, ran } = rig()
    await timeline.start()
    await systemClock.advance(10)
    timeline.arm(timer('a', 100))
    await systemClock.advance(90)
    expect(ran).toEqual([['a', 100]])
  })

  test('idle resolves if all timers are removed', async () => {
    const { timeline, systemClock } = rig()
    await timeline.start()
    timeline.arm(timer('a', 1000))
    const waiting = timeline.idle()
    await systemClock.advance(1)
    timeline.disarmAll()
    await waiting
    expect(timeline.nextDue()).toBeUndefined()
  })

  test('prepared timers replace all current ones', async () => {
    const { timeline, systemClock, ran } = rig()
    await timeline.start()
    timeline.arm(timer('old', 100))
    const waiting = timeline.idle()
    const prepared = timeline.prepare()
    prepared.arm(timer('p', 10))
    prepared.replaceTimer('p', timer('p', 20), true)
    prepared.replaceTimer('p', timer('p', 30, 0, 'link_timeout'), false)
    prepared.arm(timer('q', 40))
    prepared.replaceTimer('q', undefined, false)
    timeline.adopt(prepared)
    await systemClock.advance(1)
    await waiting
    await systemClock.advance(200)
    expect(ran).toEqual([['p', 30]])
  })

  test('prepared timers that are due run in an advance that waits', async () => {
    const { timeline, systemClock, ran } = rig({ mode: 'frozen' })
    await timeline.start()
    timeline.track(gate().promise)
    const advance = timeline.advance({ by: 10 })
    await systemClock.advance(0)
    const prepared = timeline.prepare()
    prepared.arm(timer('due', 0))
    timeline.adopt(prepared)
    await systemClock.advance(0)
    expect(ran).toEqual([['due', 0]])
    await systemClock.advance(1000)
    await advance
  })

  test('an abandoned timeline has no timers and rejects its advances, and the clock continues', async () => {
    const { timeline, systemClock, ran, now } = rig({ mode: 'real' }, { run: () => gate().promise })
    timeline.abandon()
    await timeline.start()
    timeline.arm(timer('d', 1000, 1, 'deliver'))
    timeline.arm(timer('late', 2000))
    const advance = timeline.advance({ by: 5000 })
    await systemClock.advance(0)
    timeline.abandon()
    await expect(advance).rejects.toMatchObject({ code: 'sandbox_reset' })
    expect(timeline.nextDue()).toBeUndefined()
    timeline.arm(timer('new', 1100))
    await systemClock.advance(200)
    expect(ran.at(-1)).toEqual(['new', 1100])
    expect(now()).toBe(1200)
  })

  test('idle resolves if the timers are abandoned', async () => {
    const { timeline, systemClock } = rig()
    await timeline.start()
    timeline.arm(timer('a', 1000))
    const waiting = timeline.idle()
    await systemClock.advance(1)
    timeline.abandon()
    await waiting
  })

  test('due timers leave turns of the event loop to other work when their time budget is spent', async () => {
    let elapsed = 0
    const systemClock = { ...manualSystemClock(START), monotonic: () => elapsed++ }
    const { timeline, ran } = rig({ mode: 'frozen' }, { systemClock })
    await timeline.start()
    for (let i = 0; i < 12; i++) timeline.arm(timer(`${i}`, 0, i))
    const counts: number[] = []
    const idle = timeline.idle()
    for (let turn = 0; turn < 4; turn++) {
      await nextTurn()
      counts.push(ran.length)
    }
    await idle
    expect(counts).toEqual([3, 6, 9, 12])
  })
})

describe('a frozen clock', () => {
  test('runs only the timers that are due now', async () => {
    const { timeline, systemClock, ran, now } = rig({ mode: 'frozen' })
    await timeline.start()
    timeline.arm(timer('now', 0))
    timeline.arm(timer('soon', 1))
    await systemClock.advance(86_400_000)
    expect(ran).toEqual([['now', 0]])
    expect(now()).toBe(0)
  })

  test('lets idle resolve when all due timers have settled, although later ones wait', async () => {
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
  test('waits for timers in real mode, but not for expiries', async () => {
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

  test('resolves if the last waiting timer is removed', async () => {
    const { timeline, systemClock } = rig()
    await timeline.start()
    timeline.arm(timer('a', 1000))
    const waiting = timeline.idle()
    await systemClock.advance(1)
    timeline.disarm('bank_answer:a')
    await waiting
  })

  test('waits for tracked effects, including failed ones', async () => {
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

  test('resolves after the start if it is called before', async () => {
    const { timeline, ran } = rig()
    timeline.arm(timer('a', 0))
    const waiting = timeline.idle()
    await timeline.start()
    await waiting
    expect(ran).toEqual([['a', 0]])
  })
})

describe('errors', () => {
  test('a timer that throws and an effect that fails are reported, and the clock continues', async () => {
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

test('an advance that waited for another effect leaves no timer behind', async () => {
  const { promise, open } = gate()
  const { timeline, systemClock, ran } = rig({ mode: 'frozen' })
  await timeline.start()
  timeline.track(promise)
  timeline.arm(timer('a', 20))
  const advanced = timeline.advance({ by: 100 })
  for (let i = 0; i < 5; i++) await nextTurn()
  expect([ran, systemClock.waiting()]).toEqual([[], 1])
  open()
  await advanced
  expect([ran, systemClock.waiting()]).toEqual([[['a', 20]], 0])
})

describe('a stopped timeline', () => {
  test('waits for effects in flight and rejects pending calls', async () => {
    const { promise, open } = gate()
    const { timeline, systemClock } = rig({ mode: 'frozen' }, { run: () => promise })
    await timeline.start()
    const other = gate()
    timeline.track(other.promise)
    timeline.arm(timer('a', 0, 1, 'deliver'))
    timeline.arm(timer('b', 20, 2))
    const calls = [timeline.advance({ by: 100 }), timeline.advance({ by: 100 }), timeline.idle()]
    const error = {
      name: 'TimelineStoppedError',
      message: 'The sandbox was closed while this call was pending. Await the call before you close the sandbox.',
    }
    const ends = calls.map((call) => expect(call).rejects.toMatchObject(error))
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

  test('keeps the time that its last advance reached', async () => {
    const { timeline, systemClock, now } = rig({ mode: 'real' }, { run: () => gate().promise })
    await timeline.start()
    timeline.arm(timer('d', 1000, 1, 'deliver'))
    const advance = expect(timeline.advance({ by: 5000 })).rejects.toThrow(TimelineStoppedError)
    await systemClock.advance(700)
    void timeline.stop()
    await advance
    expect(now()).toBe(1000)
  })

  test('runs no timer after the stop', async () => {
    const { timeline, systemClock, ran } = rig()
    await timeline.start()
    timeline.arm(timer('a', 10))
    expect(systemClock.waiting()).toBe(1)
    await timeline.stop()
    expect(systemClock.waiting()).toBe(0)
    timeline.arm(timer('b', 0))
    await systemClock.advance(100)
    expect(ran).toEqual([])
    expect(timeline.nextDue()).toBe(at(0))
  })
})
