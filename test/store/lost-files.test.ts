// Files that users, backups and sync programs remove or restore. Confirmed changes must not be lost silently.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  AT,
  addMerchants,
  commitOf,
  inStore,
  markKilled,
  openingError,
  readMerchants,
  store,
  storeMerchants,
  temporaryFolder,
} from './fixtures.ts'

test('the start fails if state.json is missing, and succeeds once the advice in the error is followed', async () => {
  const { folder, state } = await stored()
  rmSync(state)
  const error = await openingError(folder)
  expect(error).toMatchObject({ name: 'StoreDamagedError', file: state, why: expect.stringContaining('missing') })
  expect(existsSync(state)).toBe(false)
  const [advised = ''] = /\{"format.*?\}\}/.exec(error.message) ?? []
  writeFileSync(state, advised)
  await expectRowsCanBeAdded(folder)
})

test('the start fails if state.json is missing and all changes are in the journal', async () => {
  const folder = temporaryFolder()
  addMerchants(await store(folder), 0, 10)
  rmSync(join(folder, 'state.json'))
  markKilled(folder)
  await expect(store(folder)).rejects.toMatchObject({ file: join(folder, 'state.json') })
})

test('the start fails for an older copy of state.json', async () => {
  const { folder, state } = await stored()
  const copy = readFileSync(state)
  await storeMerchants(folder, 50, 60)
  const newer = readFileSync(state)
  writeFileSync(state, copy)
  await expect(store(folder)).rejects.toMatchObject({ file: state, why: expect.stringContaining('another time') })
  expect(readFileSync(state)).toEqual(copy)
  writeFileSync(state, newer)
  await expectRowsCanBeAdded(folder)
})

test('the error for an older copy of state.json names that file if there is also a journal', async () => {
  const { folder, state } = await stored()
  const copy = readFileSync(state)
  await storeMerchants(folder, 50, 60)
  const open = await store(folder)
  addMerchants(open, 60, 70)
  writeFileSync(state, copy)
  markKilled(folder)
  await expect(store(folder)).rejects.toMatchObject({ file: state, why: expect.stringContaining('another time') })
  await open.close().catch(() => {})
})

test.each([
  ['lowered', (seq: number) => seq - 1],
  ['raised', (seq: number) => seq + 1],
])('the start fails and names the line of a seq that was %s by hand', async (_, change) => {
  const { folder, state } = await stored()
  const good = readFileSync(state, 'utf8')
  writeFileSync(
    state,
    good.replace(/"seq": (\d+)/, (_all, seq) => `"seq": ${change(Number(seq))}`),
  )
  await expect(store(folder)).rejects.toMatchObject({ file: state, line: 3, why: expect.stringContaining('by hand') })
  writeFileSync(state, good)
  await expectRowsCanBeAdded(folder)
})

test('the start fails if a state.json that a user wrote has a lower seq than the pages', async () => {
  const { folder, state } = await stored()
  const { seq, counters } = JSON.parse(readFileSync(state, 'utf8'))
  writeFileSync(state, JSON.stringify({ format: 3, seq: seq - 1, counters }))
  await expect(store(folder)).rejects.toMatchObject({ file: state })
  writeFileSync(state, JSON.stringify({ format: 3, seq, counters }))
  await expectRowsCanBeAdded(folder)
  expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ pages: { merchants: '0@30' } })
})

test('the start fails if a page or a directory of pages is missing', async () => {
  const { folder, state } = await stored()
  const page = join(folder, 'pages/merchants/000000.json')
  const backup = join(folder, '..', 'backup')
  cpSync(folder, backup, { recursive: true })
  for (const gone of [page, join(folder, 'pages/merchants'), join(folder, 'pages')]) {
    rmSync(gone, { recursive: true })
    await expect(store(folder)).rejects.toMatchObject({ file: page, why: expect.stringContaining('missing') })
    cpSync(backup, folder, { recursive: true })
  }
  rmSync(page)
  const { pages: _, crc: __, ...advised } = JSON.parse(readFileSync(state, 'utf8'))
  writeFileSync(state, JSON.stringify(advised))
  expect(await readMerchants(folder)).toEqual([])
})

test('a page that is removed while the store is open is not written again', async () => {
  const { folder } = await stored()
  const page = join(folder, 'pages/merchants/000000.json')
  const again = await store(folder)
  addMerchants(again, 7, 17)
  rmSync(page)
  await expect(again.close()).rejects.toThrow('the page was removed')
  await expect(store(folder)).rejects.toMatchObject({ file: page })
})

test('some or all rows of a page can be removed by hand', async () => {
  const { folder } = await stored()
  const page = join(folder, 'pages/merchants/000000.json')
  const lines = readFileSync(page, 'utf8').split('\n')
  writeFileSync(page, [lines[0], ...lines.slice(2)].join('\n'))
  expect(await readMerchants(folder)).toHaveLength(9)
  writeFileSync(page, `${readFileSync(page, 'utf8').split('\n')[0]}]}`)
  expect(await readMerchants(folder)).toEqual([])
  expect(existsSync(page)).toBe(false)
  await (await store(folder)).close()
  await expectRowsCanBeAdded(folder, 0)
})

test('the page of deleted rows is removed, and later starts succeed without it', async () => {
  const { folder } = await stored()
  const deletes = Array.from({ length: 10 }, (_, n) => ({ table: 'merchants' as const, id: `pay-${n}` }))
  await inStore(folder, (opened) => void opened.append(AT, 'delete', commitOf({ deletes })))
  expect(readdirSync(join(folder, 'pages/merchants'))).toEqual([])
  await expectRowsCanBeAdded(folder, 0)
})

async function stored() {
  const folder = temporaryFolder()
  await storeMerchants(folder, 0, 10)
  return { folder, state: join(folder, 'state.json') }
}

/** Checks that two more runs can add rows, and that no row is lost. */
async function expectRowsCanBeAdded(folder: string, least = 10): Promise<void> {
  for (const from of [1000, 2000]) await storeMerchants(folder, from, from + 10)
  expect((await readMerchants(folder)).length).toBeGreaterThanOrEqual(least + 20)
}
