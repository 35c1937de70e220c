// An opening that fails, or whose start is refused, takes away the folder that it made, and nothing else.
import { describe, expect, test } from 'vitest'
import { openStore } from '../../../src/store/open-store.ts'
import { manualSystemClock } from '../../time/manual-system-clock.ts'
import { type Disk, diskError, memoryDisk } from '../memory-disk.ts'

const FOLDER = '/home/.psp'

const open = (disk: Disk, folder = FOLDER) =>
  openStore({ folder, systemClock: manualSystemClock(), fs: disk.port, notice() {} })

/** Names in the folders of a data directory; empty if nothing is there. */
const names = (disk: Disk, folder = FOLDER) =>
  [folder, `${folder}/journal`, `${folder}/pages`].flatMap((path) => disk.port.list(path))

describe('a start that is refused', () => {
  test('leaves nothing of a new folder', async () => {
    const disk = memoryDisk()
    await (await open(disk)).abandon()
    expect(disk.port.stat(FOLDER)).toBeUndefined()
    expect(names(disk)).toEqual([])
  })

  test('leaves a folder that was there and empty', async () => {
    const disk = memoryDisk()
    disk.port.makeFolder(FOLDER)
    await (await open(disk)).abandon()
    expect(disk.port.stat(FOLDER)).toBeDefined()
    expect(names(disk)).toEqual([])
  })

  test('leaves a folder as it was that had data', async () => {
    const disk = memoryDisk()
    await (await open(disk)).close()
    const before = names(disk)
    const from = disk.calls.length
    await (await open(disk)).abandon()
    expect(names(disk)).toEqual(before)
    expect(disk.calls.slice(from).filter((call) => !/lock|^syncFolder/.test(call))).toEqual([])
  })

  test('leaves a file of another program, and the folder with it', async () => {
    const disk = memoryDisk()
    const store = await open(disk)
    disk.port.close(disk.port.open(`${FOLDER}/notes.txt`, 'w'))
    await store.abandon()
    expect(disk.port.list(FOLDER)).toContain('notes.txt')
  })
})

test('a new folder is gone after an opening that the disk refused at any call', async () => {
  const calls = memoryDisk()
  await open(calls)
  expect(calls.calls.length).toBeGreaterThan(5)
  for (let point = 1; point <= calls.calls.length; point++) {
    const disk = memoryDisk()
    disk.before = (call, n) =>
      n === point && !call.startsWith('remove') ? { taken: 3, error: diskError() } : undefined
    const opened = await open(disk).catch((error: Error) => error)
    if (!(opened instanceof Error)) await opened.abandon()
    expect([calls.calls[point - 1], disk.port.stat(FOLDER)]).toEqual([calls.calls[point - 1], undefined])
  }
})
