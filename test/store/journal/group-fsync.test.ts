import { expect, test } from 'vitest'
import { deferred } from '../../../src/domain/promises.ts'
import { GroupFsync } from '../../../src/store/journal/group-fsync.ts'

/** A sync whose runs end when the test says so. */
function manualSync() {
  const runs: ReturnType<typeof deferred<void>>[] = []
  const group = new GroupFsync(() => {
    const run = deferred()
    runs.push(run)
    return run.promise
  })
  return { group, runs }
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

test('requests of one turn share a sync, which begins in a later step', async () => {
  const { group, runs } = manualSync()
  const first = group.request()
  expect(group.request()).toBe(first)
  expect(runs).toHaveLength(0)
  await turn()
  expect(runs).toHaveLength(1)
  runs[0]?.resolve()
  await first
  expect(runs).toHaveLength(1)
})

test('requests during a sync share the next one, which begins after the sync', async () => {
  const { group, runs } = manualSync()
  const first = group.request()
  await turn()
  const second = group.request()
  expect(second).not.toBe(first)
  expect(group.request()).toBe(second)
  await turn()
  expect(runs).toHaveLength(1)
  runs[0]?.resolve()
  await first
  await turn()
  expect(runs).toHaveLength(2)
  let isDone = false
  void second.then(() => {
    isDone = true
  })
  await turn()
  expect(isDone).toBe(false)
  runs[1]?.resolve()
  await second
})

test('a failed sync rejects only its requests, and the next sync runs', async () => {
  const { group, runs } = manualSync()
  const first = group.request()
  await turn()
  const second = group.request()
  runs[0]?.reject(new Error('EIO'))
  await expect(first).rejects.toThrow(new Error('EIO'))
  await turn()
  runs[1]?.resolve()
  await second
  const third = group.request()
  await turn()
  expect(runs).toHaveLength(3)
  runs[2]?.resolve()
  await third
})
