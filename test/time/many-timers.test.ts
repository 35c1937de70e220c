import { expect, test } from 'vitest'
import { createSystemClock, type SystemClock } from '../../src/system-clock/system-clock.ts'
import { at, rig, START, timer } from './fixtures.ts'
import { manualSystemClock } from './manual-system-clock.ts'

const MANY = 100_000

/** Counts the turns of the event loop until `done` settles. A pending request would get as many. */
async function turnsUntil(done: Promise<unknown>): Promise<number> {
  let over = false
  let turns = 0
  const end = done.then(() => {
    over = true
  })
  while (!over) {
    await new Promise<void>((resolve) => setImmediate(resolve))
    turns++
  }
  await end
  return turns
}

/** Each read of its monotonic clock takes 0.05 ms, so that time budgets end at the same timer on every machine. */
function busySystemClock(): SystemClock {
  let elapsed = 0
  return {
    ...manualSystemClock(START),
    monotonic() {
      elapsed += 0.05
      return elapsed
    },
  }
}

test.each(['one instant', 'many instants'])(
  'an advance over 100,000 due timers in %s yields to other work',
  async (spread) => {
    const { timeline, ran } = rig({ mode: 'frozen' }, { systemClock: busySystemClock() })
    await timeline.start()
    for (let i = 0; i < MANY; i++) timeline.arm(timer(`${i}`, spread === 'one instant' ? 1 : 1 + i, i))
    const turns = await turnsUntil(timeline.advance({ by: MANY }))
    expect(ran).toHaveLength(MANY)
    expect(turns).toBeGreaterThan(500)
  },
)

test('a running clock with 100,000 due timers yields to other work', async () => {
  const { timeline, ran } = rig({ mode: 'frozen' }, { systemClock: busySystemClock() })
  await timeline.start()
  for (let i = 0; i < MANY; i++) timeline.arm(timer(`${i}`, 0, i))
  expect(await turnsUntil(timeline.idle())).toBeGreaterThan(500)
  expect(ran.map(([name]) => name)).toEqual(Array.from({ length: MANY }, (_, i) => `${i}`))
})

test('an advance can have thousands of effects in flight at once', async () => {
  let flying = 0
  let most = 0
  const systemClock = createSystemClock()
  const { timeline } = rig(
    { mode: 'frozen' },
    {
      async run() {
        most = Math.max(most, ++flying)
        await new Promise<void>((resolve) => systemClock.nextTurn(resolve))
        flying--
      },
    },
  )
  await timeline.start()
  for (let i = 0; i < 5000; i++) timeline.arm(timer(`${i}`, 5, i, 'deliver'))
  expect(await timeline.advance({ to: at(5) })).toMatchObject({ deliveries: 5000 })
  expect([most, flying]).toEqual([5000, 0])
})
