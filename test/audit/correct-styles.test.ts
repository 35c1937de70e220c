import { describe, expect, test } from 'vitest'
import { CORRECT_HANDLERS } from '../explore/handlers/correct.ts'
import { checkHandler } from '../explore/handlers/explore-handler.ts'
import { PLANTED_BUGS } from '../explore/handlers/planted-bugs.ts'

/** Each run has other ids and another handler. */
const RUNS = [1, 2, 3]

describe.concurrent('the checks of an audit', () => {
  test.each(CORRECT_HANDLERS)(
    'pass a correct handler that $name, in several runs',
    { timeout: 60_000 },
    async (one) => {
      const { create, isRealTime = false } = one
      const runs = RUNS.map((seed) => checkHandler(create(), { seed, isRealTime }))
      expect(await Promise.all(runs)).toEqual(RUNS.map(() => []))
    },
  )

  test('do not pass a handler that credits each copy', async () => {
    const bug = PLANTED_BUGS.find(({ name }) => name.includes('credits each copy'))
    expect(await checkHandler(bug?.create() as never)).toContain('duplicates')
  })
})
