import { expect, test } from 'vitest'
import { catchTimerErrors, reportAndContinue } from '../../src/system-clock/system-clock.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'

test('a callback that throws is reported, and the other callbacks still run', async () => {
  const systemClock = manualSystemClock()
  const reported: unknown[] = []
  const notices: string[] = []
  const guarded = catchTimerErrors(
    systemClock,
    reportAndContinue(
      (text) => notices.push(text),
      (error) => reported.push(error),
    ),
  )
  const error = new RangeError('Invalid time value')
  const fail = () => {
    throw error
  }
  guarded.setTimeout(fail, 1)
  const interval = guarded.setInterval(fail, 2)
  await new Promise<void>((resolve) => {
    guarded.nextTurn(fail)
    guarded.nextTurn(resolve)
  })
  await systemClock.advance(2)
  interval.cancel()
  expect(reported).toEqual([error, error, error])
  expect(notices[0]).toMatch(/continues: Invalid time value/)
})
