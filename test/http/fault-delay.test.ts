// A fault delays a request until its time is over, it is removed, or an attempt about the object has ended.
import { expect, test } from 'vitest'
import type { Commit } from '../../src/engine/commit.ts'
import { createFaultDelay } from '../../src/http/fault-delay.ts'

/** A delay of one minute for the object `pay-1` that the test ends. */
function startDelay(objectId: string | undefined, atClose?: 'reject' | 'resolve') {
  const timers = new Set<() => void>()
  const closing = new AbortController()
  let publish = (_commit: Commit, _command: string) => {}
  const engine = {
    onCommit(listener: typeof publish) {
      publish = listener
    },
  }
  const systemClock = {
    setTimeout(run: () => void) {
      timers.add(run)
      return { cancel: () => void timers.delete(run) }
    },
  }
  let result = 'waits'
  const waiting = createFaultDelay(engine as never, systemClock, closing.signal, atClose)('flt-1', 60_000, objectId)
  waiting.then(
    () => {
      result = 'released'
    },
    (error: Error) => {
      result = String((error.cause as Error).message)
    },
  )
  const state = async () => {
    await Promise.resolve()
    await Promise.resolve()
    return [result, timers.size]
  }
  const commit = (change: Partial<Commit>, command: string) =>
    publish({ clear: [], deletes: [], puts: [], stream: [], result: undefined, ...change } as Commit, command)
  const attemptOn = (object_id: string) =>
    commit({ puts: [{ table: 'deliveries', row: { id: 'dlv', object_id } }] as never }, 'record_attempt')
  return { state, commit, attemptOn, closing, timers }
}

test('only an attempt about the same object releases a request', async () => {
  const { state, attemptOn } = startDelay('pay-1')
  attemptOn('pay-2')
  expect(await state()).toEqual(['waits', 1])
  attemptOn('pay-1')
  expect(await state()).toEqual(['released', 0])
})

test('a request that concerns no object does not wait for an attempt', async () => {
  const { state, attemptOn, timers } = startDelay(undefined)
  attemptOn('pay-1')
  expect(await state()).toEqual(['waits', 1])
  for (const run of timers) run()
  expect(await state()).toEqual(['released', 0])
})

test('only the removal of its fault releases a request', async () => {
  const { state, commit } = startDelay('pay-1')
  commit({ deletes: [{ table: 'faults', id: 'flt-2' }] }, 'remove_fault')
  commit({ puts: [{ table: 'payments', row: { id: 'pay-1' } }] as never }, 'create_payment')
  expect(await state()).toEqual(['waits', 1])
  commit({ deletes: [{ table: 'faults', id: 'flt-1' }] }, 'remove_fault')
  expect(await state()).toEqual(['released', 0])
})

test('a sandbox that closes rejects or releases a request, as its caller chose', async () => {
  const rejected = startDelay('pay-1')
  rejected.closing.abort()
  expect(await rejected.state()).toEqual(['The sandbox closed while a fault delayed the request.', 0])
  const released = startDelay('pay-1', 'resolve')
  released.closing.abort()
  expect(await released.state()).toEqual(['released', 0])
})
