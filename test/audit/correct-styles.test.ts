import { describe, expect, test } from 'vitest'
import { CORRECT_HANDLERS, LATE_HANDLERS } from '../explore/handlers/correct.ts'
import { checkHandler, onDrivenClock } from '../explore/handlers/explore-handler.ts'
import { behindQueue, type Handler } from '../explore/handlers/handler.ts'
import { PLANTED_BUGS } from '../explore/handlers/planted-bugs.ts'

/** Each run has other ids and another handler. */
const RUNS = [1, 2, 3]

describe('the checks of an audit', () => {
  test.each(CORRECT_HANDLERS)('pass a correct handler that $name, in several runs', async ({ create }) => {
    for (const seed of RUNS) expect(await checkHandler(create(), { seed })).toEqual([])
  })

  test.each(LATE_HANDLERS)('pass a correct handler that $name, in several runs', async ({ create }) => {
    for (const seed of RUNS) {
      const { result } = await onDrivenClock((systemClock, sleep) => checkHandler(create(sleep), { seed, systemClock }))
      expect(result).toEqual([])
    }
  })

  test('do not pass a handler that credits each copy, at once or in a queue', async () => {
    const bug = PLANTED_BUGS.find(({ name }) => name.includes('credits each copy'))
    expect(await checkHandler(bug?.create() as never)).toContain('duplicates')
    const { result } = await onDrivenClock((systemClock, sleep) =>
      checkHandler(behindQueue(bug?.create() as Handler, sleep, 100), { systemClock }),
    )
    expect(result).toContain('duplicates')
  })
})
