import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SandboxTime } from '../../src/domain/time.ts'
import { type ClockRequest, LAST_INSTANT } from '../../src/time/clock.ts'
import { at, gate, rig, timer } from './fixtures.ts'

test('an advance runs each timer at its due time and ends at the goal', async () => {
  const { timeline, ran, now, saved } = rig({ mode: 'frozen' })
  await timeline.start()
  timeline.arm(timer('b', 20, 2))
  timeline.arm(timer('a', 20, 1))
  timeline.arm(timer('d', 10, 3, 'deliver'))
  timeline.arm(timer('after', 101))
  expect(await timeline.advance({ by: 100 })).toEqual({ now: at(100), steps: 3, deliveries: 1 })
  expect(ran).toEqual([
    ['d', 10],
    ['a', 20],
    ['b', 20],
  ])
  expect(now()).toBe(100)
  expect(await timeline.advance({ by: 1 })).toMatchObject({ now: at(101), steps: 1 })
  expect(await timeline.advance({ by: 0 })).toMatchObject({ now: at(101), steps: 0 })
  expect(saved.map(({ virtual }) => virtual)).toEqual([10, 20, 100, 101].map(at))
})

test('an advance awaits effects, and the timers that they arm, before the clock moves on', async () => {
  const gates = { first: gate(), second: gate() }
  const { timeline, ran, now } = rig(
    { mode: 'frozen' },
    {
      run(step) {
        if (step.object_id === 'first') {
          return gates.first.promise.then(() => timeline.arm(timer('follow-up', 10, 9, 'deliver')))
        }
        return step.object_id === 'second' ? gates.second.promise : undefined
      },
    },
  )
  await timeline.start()
  timeline.arm(timer('first', 10, 1, 'deliver'))
  timeline.arm(timer('second', 10, 2, 'deliver'))
  timeline.arm(timer('next', 11, 3))
  const advance = timeline.advance({ by: 50 })
  gates.second.open()
  for (let i = 0; i < 5; i++) await new Promise<void>((resolve) => setImmediate(resolve))
  expect([ran.length, now()]).toEqual([2, 10])
  gates.first.open()
  expect(await advance).toEqual({ now: at(50), steps: 4, deliveries: 3 })
  expect(ran.slice(2)).toEqual([
    ['follow-up', 10],
    ['next', 11],
  ])
})

test('an advance awaits an effect in flight before the clock moves', async () => {
  const { promise, open } = gate()
  const { timeline, now, ran } = rig({ mode: 'frozen' })
  await timeline.start()
  timeline.arm(timer('a', 10))
  timeline.track(promise)
  const advance = timeline.advance({ by: 50 })
  for (let i = 0; i < 5; i++) await new Promise<void>((resolve) => setImmediate(resolve))
  expect([ran, now()]).toEqual([[], 0])
  open()
  await advance
  expect(ran).toEqual([['a', 10]])
})

test('a timer that is due at once does not wait for effects, because they may depend on it', async () => {
  const { promise, open } = gate()
  const { timeline, ran } = rig(
    { mode: 'frozen' },
    {
      run(step) {
        if (step.object_id === 'waits') return promise
        return open()
      },
    },
  )
  await timeline.start()
  timeline.arm(timer('waits', 10, 1, 'deliver'))
  const advance = timeline.advance({ by: 20 })
  for (let i = 0; i < 5; i++) await new Promise<void>((resolve) => setImmediate(resolve))
  timeline.arm(timer('opens', 10, 2, 'deliver'))
  expect(await advance).toMatchObject({ deliveries: 2 })
  expect(ran).toEqual([
    ['waits', 10],
    ['opens', 10],
  ])
})

test('retries over several days run at exact offsets', async () => {
  const offsets = [0, 10, 70, 370, 2170, 9370, 30_970, 117_370, 290_170].map((s) => s * 1000)
  let attempt = 0
  const { timeline, ran } = rig(
    { mode: 'frozen' },
    {
      async run() {
        await Promise.resolve()
        const next = offsets[++attempt]
        if (next !== undefined) timeline.arm(timer('d', next, attempt, 'deliver'))
      },
    },
  )
  await timeline.start()
  timeline.arm(timer('d', 0, 0, 'deliver'))
  expect(await timeline.advance({ until: 'idle' })).toEqual({ now: at(290_170_000), steps: 9, deliveries: 9 })
  expect(ran.map(([, when]) => when)).toEqual(offsets)
})

describe('an advance until idle', () => {
  test('runs expiries on the way and does not wait for later ones', async () => {
    const { timeline, ran, now } = rig({ mode: 'frozen' })
    await timeline.start()
    timeline.arm(timer('early', 10, 1, 'link_timeout'))
    timeline.arm(timer('a', 20, 2))
    timeline.arm(timer('late', 30, 3, 'session_timeout'))
    expect(await timeline.advance({ until: 'idle' })).toEqual({ now: at(20), steps: 2, deliveries: 0 })
    expect([ran.map(([name]) => name), now()]).toEqual([['early', 'a'], 20])
    expect(timeline.nextDue()).toBe(at(30))
  })

  test('ends at the last possible time, and counts the timers that are due later', async () => {
    const { timeline } = rig({ mode: 'frozen' })
    await timeline.start()
    timeline.arm({ ...timer('never', 0), due: (LAST_INSTANT + 1) as SandboxTime })
    timeline.arm(timer('expiry', 0, 1, 'link_timeout'))
    expect(await timeline.advance({ until: 'idle' })).toEqual({ now: at(0), steps: 1, deliveries: 0, never: 1 })
  })

  test('ends at once when no timer waits', async () => {
    const { timeline } = rig({ mode: 'frozen' })
    await timeline.start()
    expect(await timeline.advance({ until: 'idle' })).toEqual({ now: at(0), steps: 0, deliveries: 0 })
  })
})

describe('advance requests', () => {
  test('run one at a time, and `by` counts from the end of the previous one', async () => {
    const { timeline, ran } = rig({ mode: 'frozen' })
    await timeline.start()
    timeline.arm(timer('a', 10))
    timeline.arm(timer('b', 110))
    const answers = await Promise.all([
      timeline.advance({ by: 100 }),
      timeline.advance({ by: 100 }),
      timeline.advance({ to: at(500) }),
    ])
    expect(answers.map(({ now, steps }) => [now, steps])).toEqual([
      [at(100), 1],
      [at(200), 1],
      [at(500), 0],
    ])
    expect(ran).toHaveLength(2)
  })

  test.each([
    [{ to: at(-1) }, 'not_allowed'],
    [{ by: -1 }, 'not_allowed'],
    [{ by: Number.NaN }, 'bad_request'],
    [{ by: 1e18 }, 'bad_request'],
  ])('an advance by the request %j is rejected with %s', async (request, code) => {
    const { timeline, now } = rig({ mode: 'frozen' })
    await timeline.start()
    await expect(timeline.advance(request)).rejects.toMatchObject({ code })
    expect(now()).toBe(0)
    expect(await timeline.advance({ by: 1 })).toMatchObject({ now: at(1) })
  })
})

test('in real mode the clock continues from the time that the advance reached', async () => {
  const { timeline, systemClock, ran, now, saved } = rig()
  await timeline.start()
  timeline.arm(timer('later', 1_200_500))
  await timeline.advance({ by: 1_200_000 })
  expect(now()).toBe(1_200_000)
  await systemClock.advance(500)
  expect(ran).toEqual([['later', 1_200_500]])
  expect(saved.at(-1)).toMatchObject({ mode: 'real', virtual: at(1_200_000), wall: at(0) })
})

test('in real mode the system time that passes during an advance is not added', async () => {
  const { promise, open } = gate()
  const { timeline, systemClock, now } = rig({ mode: 'real' }, { run: () => promise })
  await timeline.start()
  timeline.arm(timer('d', 1000, 1, 'deliver'))
  const advance = timeline.advance({ until: 'idle' })
  await systemClock.advance(700)
  expect(now()).toBe(1000)
  open()
  await advance
  expect(now()).toBe(1000)
  await systemClock.advance(5)
  expect(now()).toBe(1005)
})

test('timers run in order and at their due times, however the advances divide the time', async () => {
  const timers = fc.array(fc.record({ due: fc.nat(200), follow: fc.option(fc.nat(50)) }), {
    maxLength: 40,
    size: 'max',
  })
  const splits = fc.array(fc.nat(80), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(
      timers,
      splits,
      fc.constantFrom<ClockRequest>({ mode: 'frozen' }, { mode: 'real' }),
      async (specs, steps, mode) => {
        let seq = specs.length
        const ran: { due: number; seq: number; at: number }[] = []
        const { timeline, now } = rig(mode, {
          run(step) {
            ran.push({ due: step.due - at(0), seq: step.seq, at: now() })
            const follow = specs[step.seq]?.follow
            const arm = () => {
              if (follow != null) timeline.arm(timer(`f${seq}`, step.due - at(0) + follow, seq++))
            }
            return step.seq % 2 === 0 ? Promise.resolve().then(arm) : arm()
          },
        })
        await timeline.start()
        for (const [index, { due }] of specs.entries()) timeline.arm(timer(`t${index}`, due, index))
        for (const by of steps) await timeline.advance({ by })
        await timeline.advance({ until: 'idle' })
        expect(ran).toHaveLength(seq)
        expect(ran.filter((step) => step.at !== step.due)).toEqual([])
        // A timer that an effect arms for the current time runs after those that were already due.
        const dues = ran.map((step) => step.due)
        expect(dues).toEqual(dues.toSorted((a, b) => a - b))
        const first = ran.filter((step) => step.seq < specs.length)
        expect(first).toEqual(first.toSorted((a, b) => a.due - b.due || a.seq - b.seq))
        await timeline.stop()
      },
    ),
    { numRuns: 200 },
  )
})

describe('effects and timers during an advance', () => {
  const turns = async () => {
    for (let i = 0; i < 5; i++) await new Promise<void>((resolve) => setImmediate(resolve))
  }

  test('an advance waits at most a second for effects that were in flight before it', async () => {
    const { timeline, systemClock, ran } = rig(
      { mode: 'frozen' },
      { run: (step) => (step.object_id === 'other' ? gate().promise : undefined) },
    )
    await timeline.start()
    timeline.arm(timer('a', 10))
    timeline.track(gate().promise)
    const advance = timeline.advance({ by: 50 })
    await systemClock.advance(999)
    expect(ran).toEqual([])
    // Other work arms a timer before the advance has run any.
    timeline.arm(timer('other', 20, 1, 'deliver'))
    await systemClock.advance(1)
    expect(await advance).toEqual({ now: at(50), steps: 2, deliveries: 1 })
  })

  test('an advance runs the timers that other work arms, and waits at most a second for their effects', async () => {
    const own = gate()
    const { timeline, systemClock, ran } = rig(
      { mode: 'frozen' },
      { run: (step) => (step.object_id === 'own' ? own.promise : gate().promise) },
    )
    await timeline.start()
    timeline.arm(timer('own', 10, 1, 'deliver'))
    const advance = timeline.advance({ by: 5000 })
    await turns()
    for (let i = 0; i < 4; i++) timeline.arm(timer(`other${i}`, 20 + i, 2, 'deliver'))
    own.open()
    await systemClock.advance(1000)
    expect(await advance).toEqual({ now: at(5000), steps: 5, deliveries: 5 })
    expect(ran).toEqual([
      ['own', 10],
      ['other0', 20],
      ['other1', 21],
      ['other2', 22],
      ['other3', 23],
    ])
  })

  test('an advance waits without a limit for its effects, and for the effects of timers that they arm', async () => {
    const gates = new Map([10, 20, 30].map((due) => [due, gate()]))
    const { timeline, systemClock, now } = rig(
      { mode: 'frozen' },
      {
        async run(step) {
          const due = step.due - at(0)
          await gates.get(due)?.promise
          if (due < 30) timeline.arm(timer('d', due + 10, due, 'deliver'))
        },
      },
    )
    await timeline.start()
    timeline.arm(timer('d', 10, 0, 'deliver'))
    const advance = timeline.advance({ by: 100 })
    for (const due of [10, 20, 30]) {
      await systemClock.advance(60_000)
      expect(now()).toBe(due)
      gates.get(due)?.open()
    }
    expect(await advance).toMatchObject({ now: at(100), deliveries: 3 })
  })

  test('a timer armed by another timer belongs to the same advance', async () => {
    const { promise, open } = gate()
    const { timeline, systemClock, now } = rig(
      { mode: 'frozen' },
      {
        run(step) {
          if (step.object_id === 'event') return promise
          timeline.arm(timer('event', 10, 2, 'deliver'))
          return undefined
        },
      },
    )
    await timeline.start()
    timeline.arm(timer('payment', 10))
    const advance = timeline.advance({ by: 100 })
    await systemClock.advance(60_000)
    expect(now()).toBe(10)
    open()
    expect(await advance).toMatchObject({ now: at(100), steps: 2, deliveries: 1 })
  })

  test('a timer belongs to an advance while any effect of its object is in flight, and not afterwards', async () => {
    const gates = new Map(
      ['deliver:d', 'bank_answer:d', 'deliver:retry', 'bank_answer:other'].map((id) => [id, gate()]),
    )
    const { timeline, systemClock, ran, now } = rig(
      { mode: 'frozen' },
      { run: (step) => (gates.get(step.id) ?? gate()).promise },
    )
    await timeline.start()
    timeline.arm(timer('d', 10, 1, 'deliver'))
    timeline.arm(timer('d', 10, 2))
    timeline.arm(timer('other', 10, 2))
    const advance = timeline.advance({ by: 100 })
    await turns()
    gates.get('deliver:d')?.open()
    await turns()
    timeline.arm({ ...timer('retry', 10, 3, 'deliver'), object_id: 'd' })
    await turns()
    gates.get('bank_answer:d')?.open()
    await systemClock.advance(60_000)
    expect([ran.length, now()]).toEqual([4, 10])
    gates.get('deliver:retry')?.open()
    await turns()
    timeline.arm({ ...timer('later', 50, 4, 'deliver'), object_id: 'd' })
    gates.get('bank_answer:other')?.open()
    await systemClock.advance(1000)
    expect(await advance).toMatchObject({ now: at(100) })
  })

  test('an advance until idle waits for effects in flight at its start, and for the timers that they arm', async () => {
    const gates = [gate(), gate()]
    const { timeline, systemClock, now } = rig(
      { mode: 'frozen' },
      {
        async run(step) {
          await gates[step.seq]?.promise
          if (step.seq === 0) timeline.arm(timer('d', 10, 1, 'deliver'))
        },
      },
    )
    await timeline.start()
    timeline.arm(timer('d', 0, 0, 'deliver'))
    await turns()
    const advance = timeline.advance({ until: 'idle' })
    await systemClock.advance(60_000)
    expect(now()).toBe(0)
    gates[0]?.open()
    await systemClock.advance(60_000)
    expect(now()).toBe(10)
    gates[1]?.open()
    expect(await advance).toMatchObject({ now: at(10), deliveries: 1 })
  })
})
