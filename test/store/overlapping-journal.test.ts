// A journal file that was lost, and is put back after other changes took its numbers, must not mix the two histories.
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  addMerchants,
  dataFilesOf,
  markKilled,
  readMerchants,
  store,
  storeMerchants,
  temporaryFolder,
} from './fixtures.ts'

const NAME = '000000000004.ndjson'

describe.each([
  ['moved away', (path: string, newest: string) => [path, newest].forEach((file) => void rmSync(file))],
  ['emptied', (path: string) => writeFileSync(path, '')],
])('a journal file that was %s and is put back later', (_, lose) => {
  test.each([
    ['more changes than', 8],
    ['as many changes as', 6],
    ['fewer changes than', 5],
  ])('prevents the start if it has %s were made since', async (_more, end) => {
    const { folder, path, backup } = await lostJournal(end, lose)
    await storeMerchants(folder, 100, 103)
    copyFileSync(backup, path)
    const before = dataFilesOf(folder)
    await expect(store(folder)).rejects.toMatchObject({
      name: 'StoreDamagedError',
      file: path,
      line: Math.min(end, 6) - 3,
      why: expect.stringMatching(/another history/),
      remedy: expect.stringMatching(/Move this file out of/),
    })
    expect(dataFilesOf(folder)).toEqual(before)
    rmSync(path)
    expect(await ids(folder)).toEqual([0, 1, 2, 100, 101, 102])
  })

  test.each([
    ['more changes than', 8],
    ['as many changes as', 6],
    ['fewer changes than', 5],
  ])('prevents the start if a newer file follows it and it has %s were made since', async (_more, end) => {
    const { folder, path, backup } = await lostJournal(end, lose)
    await storeMerchants(folder, 100, 103)
    addMerchants(await store(folder), 103, 105)
    markKilled(folder)
    copyFileSync(backup, path)
    const before = dataFilesOf(folder)
    await expect(store(folder)).rejects.toMatchObject({ file: path, why: expect.stringMatching(/another history/) })
    expect(dataFilesOf(folder)).toEqual(before)
    rmSync(path)
    expect(await ids(folder)).toEqual([0, 1, 2, 100, 101, 102, 103, 104])
  })

  test('prevents the start and names the last line of the pages if they also contain the lines of a newer file', async () => {
    const { folder, path, backup } = await lostJournal(8, lose)
    await storeMerchants(folder, 100, 103)
    addMerchants(await store(folder), 103, 105)
    markKilled(folder)
    const newer = join(folder, 'journal', '000000000007.ndjson')
    const newerBackup = join(folder, '..', 'newer.ndjson')
    copyFileSync(newer, newerBackup)
    await (await store(folder)).close()
    copyFileSync(newerBackup, newer)
    copyFileSync(backup, path)
    const why = 'the pages contain the journal up to line 8, and this file ends with line 8, not line 6: '
    await expect(store(folder)).rejects.toMatchObject({ file: path, why: expect.stringContaining(why) })
  })

  test('is used if nothing was changed since', async () => {
    const { folder, path, backup } = await lostJournal(6, lose)
    await (await store(folder)).close()
    copyFileSync(backup, path)
    expect(await ids(folder)).toEqual([0, 1, 2, 3, 4, 5])
  })
})

test('a journal file that a killed checkpoint left behind is used, and changes are added to it', async () => {
  const { folder, path, backup } = await killedWith(6)
  await (await store(folder)).close()
  copyFileSync(backup, path)
  const opened = await store(folder)
  expect(opened.lastLine).toBe(6)
  addMerchants(opened, 6, 7)
  markKilled(folder)
  expect(await ids(folder)).toEqual([0, 1, 2, 3, 4, 5, 6])
})

/** A directory with three changes in its pages and the changes up to `end` in a journal file, whose process was killed. */
async function killedWith(end: number) {
  const folder = temporaryFolder()
  await storeMerchants(folder, 0, 3)
  addMerchants(await store(folder), 3, end)
  markKilled(folder)
  const path = join(folder, 'journal', NAME)
  const backup = join(folder, '..', NAME)
  copyFileSync(path, backup)
  return { folder, path, backup }
}

async function lostJournal(end: number, lose: (path: string, newest: string) => void) {
  const found = await killedWith(end)
  lose(found.path, join(found.folder, 'newest-journal'))
  return found
}

async function ids(folder: string): Promise<number[]> {
  return (await readMerchants(folder)).map((row) => Number(row.id.slice('pay-'.length)))
}
