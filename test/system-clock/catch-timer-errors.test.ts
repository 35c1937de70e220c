import { expect, test } from 'vitest'
import { guardedWall, noticing } from '../../src/system-clock/catch-timer-errors.ts'
import { manualWall } from '../time/manual-system-clock.ts'

test('what is called back may throw: it is told, and the others run', async () => {
  const wall = manualWall()
  const told: unknown[] = []
  const notices: string[] = []
  const guarded = guardedWall(
    wall,
    noticing(
      (text) => notices.push(text),
      (error) => told.push(error),
    ),
  )
  const fault = new RangeError('Invalid time value')
  const fail = () => {
    throw fault
  }
  guarded.setTimeout(fail, 1)
  const interval = guarded.setInterval(fail, 2)
  await new Promise<void>((resolve) => {
    guarded.nextTurn(fail)
    guarded.nextTurn(resolve)
  })
  await wall.advance(2)
  interval.cancel()
  expect(told).toEqual([fault, fault, fault])
  expect(notices[0]).toMatch(/goes on: Invalid time value/)
})
