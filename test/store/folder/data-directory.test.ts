// A failed or abandoned start removes the data directory that it created, and nothing else.
import { describe, expect, test } from 'vitest'
import { openStore } from '../../../src/store/open-store.ts'
import { manualSystemClock } from '../../time/manual-system-clock.ts'
import { AT, commitOf, merchant, put } from '../fixtures.ts'
import { type Disk, diskError, memoryDisk } from '../memory-disk.ts'

const FOLDER = '/home/.psp'

const open = (disk: Disk, folder = FOLDER) =>
  openStore({ folder, systemClock: manualSystemClock(), fs: disk.port, notice() {} })

/** Returns the names in the directories of a data directory. */
const names = (disk: Disk, folder = FOLDER) =>
  [folder, `${folder}/journal`, `${folder}/pages`].flatMap((path) => disk.port.list(path))

describe('an abandoned start', () => {
  test('removes a new directory', async () => {
    const disk = memoryDisk()
    await (await open(disk)).abandon()
    expect(disk.port.stat(FOLDER)).toBeUndefined()
    expect(names(disk)).toEqual([])
  })

  test('removes a new directory with the rows that were stored in it', async () => {
    const disk = memoryDisk()
    const store = await open(disk)
    store.append(AT, 'x', commitOf({ puts: [put('merchants', merchant(1))] }))
    await store.checkpoint()
    store.append(AT, 'x', commitOf({ puts: [put('merchants', merchant(2))] }))
    await store.abandon()
    expect(disk.port.stat(FOLDER)).toBeUndefined()
  })

  test('keeps an empty directory that existed before', async () => {
    const disk = memoryDisk()
    disk.port.makeFolder(FOLDER)
    await (await open(disk)).abandon()
    expect(disk.port.stat(FOLDER)).toBeDefined()
    expect(names(disk)).toEqual([])
  })

  test('leaves an existing data directory unchanged', async () => {
    const disk = memoryDisk()
    await (await open(disk)).close()
    const before = names(disk)
    const from = disk.calls.length
    await (await open(disk)).abandon()
    expect(names(disk)).toEqual(before)
    expect(disk.calls.slice(from).filter((call) => !/lock|^syncFolder/.test(call))).toEqual([])
  })

  test('keeps a file of another program together with its directory', async () => {
    const disk = memoryDisk()
    const store = await open(disk)
    disk.port.close(disk.port.open(`${FOLDER}/notes.txt`, 'w'))
    await store.abandon()
    expect(disk.port.list(FOLDER)).toContain('notes.txt')
  })
})

test('a new directory is removed if any file operation of the opening fails', async () => {
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
