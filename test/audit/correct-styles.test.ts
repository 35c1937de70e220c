import { describe, expect, test } from 'vitest'
import { CORRECT_HANDLERS, lagging } from '../explore/handlers/correct.ts'
import { auditHandler } from '../explore/handlers/explore-handler.ts'

describe('the checks of effects', () => {
  test.each(CORRECT_HANDLERS.filter(({ isRealTime }) => isRealTime !== true))(
    'pass a correct handler that $name',
    async ({ create }) => {
      expect(await auditHandler(create())).toEqual([])
    },
  )

  test('pass a correct handler that works in a queue', async () => {
    const queue = CORRECT_HANDLERS.find(({ name }) => name.includes('queue'))
    expect(await auditHandler(queue?.create() as never, { isRealTime: true })).toEqual([])
  })

  test('pass a correct handler whose probe lags 300 ms', { timeout: 60_000 }, async () => {
    expect(await auditHandler(lagging(300), { isRealTime: true })).toEqual([])
  })
})
