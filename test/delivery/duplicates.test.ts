// The copies of the fault `duplicate`: how many are sent at a time, and when they are recorded.
import { expect, test } from 'vitest'
import { addDuplicates, sendCopies } from '../../src/delivery/duplicates.ts'
import { RefusalError } from '../../src/domain/errors.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'

const START = Date.UTC(2026, 0, 1)

test.each([
  [1, [1]],
  [16, [16]],
  [17, [16, 1]],
  [33, [16, 16, 1]],
])('%i copies are sent in groups of %j', async (count, groups) => {
  const systemClock = manualSystemClock(START)
  const sent: number[] = []
  let n = 0
  const all = sendCopies(
    count,
    () => {
      const group = Math.round(systemClock.monotonic() / 10)
      sent[group] = (sent[group] ?? 0) + 1
      const status = 200 + n++
      return new Promise((resolve) => void systemClock.setTimeout(() => resolve({ status }), 10))
    },
    systemClock,
    () => false,
  )
  for (const _ of groups) await systemClock.advance(10)
  expect(await all).toEqual(
    Array.from({ length: count }, (_, copy) => ({
      sent_at: START + 10 * Math.floor(copy / 16),
      ms: 10,
      response: { status: 200 + copy },
    })),
  )
  expect(sent).toEqual(groups)
})

test('no more copies are sent once the attempt is abandoned', async () => {
  let sent = 0
  const send = async () => {
    sent++
    return { status: 200 }
  }
  const systemClock = manualSystemClock(START)
  expect(await sendCopies(20, send, systemClock, () => sent > 0)).toHaveLength(16)
  expect(await sendCopies(20, send, systemClock, () => true)).toEqual([])
  expect(sent).toBe(16)
})

test('copies are recorded for an attempt that is stored, and a refusal is not thrown', () => {
  const executed: unknown[] = []
  const engine = (attempts: object[] | undefined) =>
    ({
      world: { get: () => attempts && { attempts } },
      execute(...command: unknown[]) {
        executed.push(command)
        throw new RefusalError('storage_unavailable')
      },
    }) as unknown as Engine
  const copies = [{ sent_at: START as never, ms: 1.4, response: { status: 204 } }]
  addDuplicates(engine(undefined), 'dlv_1', 1, copies)
  addDuplicates(engine([{ number: 2 }]), 'dlv_1', 1, copies)
  expect(executed).toEqual([])
  addDuplicates(engine([{ number: 2 }, { number: 1 }]), 'dlv_1', 1, copies)
  const recorded = [{ sent_at: START, ms: 1, status: 204 }]
  expect(executed).toEqual([['record_duplicates', { delivery_id: 'dlv_1', number: 1, copies: recorded }]])
})
