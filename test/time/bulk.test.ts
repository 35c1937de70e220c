import { expect, test } from 'vitest'
import { createSystemClock, type SystemClock } from '../../src/system-clock/system-clock.ts'
import { manualSystemClock } from './manual-system-clock.ts'
import { at, rig, START, timer } from './rig.ts'

const MANY = 100_000

/** Counts the turns of the event loop until `done` settles: what a waiting request would get. */
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

/** Each look at its monotonic clock takes 0.05 ms, so that slices end at the same step on every machine. */
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

test.each(['one instant', 'many instants'])('100,000 due steps in %s leave turns to others', async (spread) => {
  const { timeline, ran } = rig({ mode: 'frozen' }, { systemClock: busySystemClock() })
  await timeline.start()
  for (let i = 0; i < MANY; i++) timeline.arm(timer(`${i}`, spread === 'one instant' ? 1 : 1 + i, i))
  const turns = await turnsUntil(timeline.advance({ by: MANY }))
  expect(ran).toHaveLength(MANY)
  expect(turns).toBeGreaterThan(500)
})

test('100,000 steps due at once in normal running leave turns to others', async () => {
  const { timeline, ran } = rig({ mode: 'frozen' }, { systemClock: busySystemClock() })
  await timeline.start()
  for (let i = 0; i < MANY; i++) timeline.arm(timer(`${i}`, 0, i))
  expect(await turnsUntil(timeline.idle())).toBeGreaterThan(500)
  expect(ran.map(([name]) => name)).toEqual(Array.from({ length: MANY }, (_, i) => `${i}`))
})

test('thousands of effects are in flight at once', async () => {
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
