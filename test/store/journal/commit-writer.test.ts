// Commits of one turn of the event loop are written together. Their promises settle after the write, all with its result.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Commit } from '../../../src/engine/commit.ts'
import type { Store } from '../../../src/store/store.ts'
import { AT, commitOf, contents, payment, put, store } from '../fixtures.ts'
import { type Disk, diskError, memoryDisk } from '../memory-disk.ts'
import { randomCommits, statesAfterEach } from '../random-commits.ts'

const FOLDER = '/home/.psp'
const commit = (n: number) => commitOf({ puts: [put('payments', payment(n))] })

test('the commits of a turn are written with one call, and wait for it', async () => {
  const { disk, opened, turn } = await started()
  const from = disk.calls.length
  const promises = [1, 2, 3].map((n) => opened.append(AT, 'x', commit(n)))
  expect(writes(disk, from)).toBe(0)
  expect(opened.flushed()).toBe(promises[0])
  turn()
  await Promise.all(promises)
  expect(writes(disk, from)).toBe(1)
  expect(opened.flushed()).toBeUndefined()
  expect(await recovered(disk)).toEqual(contents(opened.world))
})

test('a large commit is written before the end of the turn', async () => {
  const { disk, opened } = await started()
  const from = disk.calls.length
  const large = commitOf({ puts: [put('payments', payment(1, { text: 'x'.repeat(1_100_000) }))] })
  await opened.append(AT, 'x', large)
  expect(writes(disk, from)).toBe(1)
})

test('a full disk rejects every commit of the turn, and memory is restored', async () => {
  const { disk, opened, turn, notices } = await started()
  const first = opened.append(AT, 'x', commit(1))
  turn()
  await first
  const before = contents(opened.world)
  disk.before = (call) => (call.startsWith('write journal') ? { taken: 300, error: diskError('ENOSPC') } : undefined)
  const failed = [2, 3].map((n) => opened.append(AT, 'x', commit(n)))
  expect(contents(opened.world)).not.toEqual(before)
  turn()
  const results = await Promise.allSettled(failed)
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(contents(opened.world)).toEqual(before)
  expect(notices).toEqual([expect.stringMatching(/could not be written: the disk is full: free some space \(ENOSPC\)/)])
  disk.before = () => undefined
  expect(await recovered(disk)).toEqual(before)
  await opened.append(AT, 'x', commit(4))
  expect(await recovered(disk)).toEqual((await statesAfterEach([1, 4].map(commit)))[2])
})

test('the retention cursor of a failed commit is restored', async () => {
  const { disk, opened, turn } = await started()
  const first = opened.append(AT, 'x', { ...commit(1), retention_cursor: { events: 'evt_1' } })
  turn()
  await first
  disk.before = (call) => (call.startsWith('write journal') ? { taken: 3, error: diskError('ENOSPC') } : undefined)
  const failed = Promise.resolve(opened.append(AT, 'x', { ...commit(2), retention_cursor: { events: 'evt_9' } }))
  expect(opened.world.retentionCursor).toEqual({ events: 'evt_9' })
  turn()
  await expect(failed).rejects.toThrow(/disk is full/)
  expect(opened.world.retentionCursor).toEqual({ events: 'evt_1' })
})

test('a checkpoint and the close of the store write the commits that wait', async () => {
  const { disk, opened } = await started()
  const first = opened.append(AT, 'x', commit(1))
  const checkpoint = opened.checkpoint()
  const second = opened.append(AT, 'x', commit(2))
  await Promise.all([first, checkpoint, second])
  const third = opened.append(AT, 'x', commit(3))
  await opened.close()
  await third
  expect(await recovered(disk)).toEqual((await statesAfterEach([1, 2, 3].map(commit)))[3])
})

test('memory and disk agree on the acknowledged commits after any single file operation fails', async () => {
  await fc.assert(
    fc.asyncProperty(
      randomCommits,
      fc.infiniteStream(fc.boolean()),
      fc.nat(40),
      fc.nat(400),
      async (list, ends, when, taken) => {
        const { disk, opened, turn } = await started()
        const point = disk.calls.length + when
        disk.before = (_, n) => (n === point ? { taken, error: diskError() } : undefined)
        const appended: { readonly each: Commit; readonly stored: void | Promise<void> }[] = []
        for (const each of list) {
          try {
            appended.push({ each, stored: opened.append(AT, 'x', each) })
          } catch {
            // The commit failed at once. The next one is tried.
          }
          if (ends.next().value) turn()
        }
        turn()
        const results = await Promise.allSettled(appended.map(({ stored }) => stored))
        const kept = appended.filter((_, i) => results[i]?.status === 'fulfilled').map(({ each }) => each)
        const last = (await statesAfterEach(kept))[kept.length]
        expect(contents(opened.world)).toEqual(last)
        expect(await recovered(disk)).toEqual(last)
      },
    ),
    { numRuns: 150 },
  )
})

async function started(): Promise<{ disk: Disk; opened: Store; turn: () => void; notices: string[] }> {
  const disk = memoryDisk()
  const notices: string[] = []
  let waiting: (() => void)[] = []
  const turn = () => {
    const due = waiting
    waiting = []
    for (const fn of due) fn()
  }
  const nextTurn = (fn: () => void) => void waiting.push(fn)
  const notice = (text: string) => void notices.push(text)
  return { disk, opened: await store(FOLDER, { fs: disk.port, notice, nextTurn }), turn, notices }
}

function writes(disk: Disk, from: number): number {
  return disk.calls.slice(from).filter((call) => call.startsWith('write journal')).length
}

/** Returns the rows that the next start finds after a kill. */
async function recovered(disk: Disk) {
  const left = disk.afterKill()
  left.port.remove(`${FOLDER}/lock`)
  return contents((await store(FOLDER, { fs: left.port })).world)
}
