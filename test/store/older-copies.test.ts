// Old copies of single files that a backup or a sync program restores. Later changes must not be lost silently.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  AT,
  addMerchants,
  commitOf,
  inStore,
  markKilled,
  merchant,
  openingError,
  put,
  readMerchants,
  store,
  storeMerchants,
  temporaryFolder,
} from './fixtures.ts'

test('the start fails for an older copy of a page, and succeeds once the advice in the error is followed', async () => {
  const { folder, page } = await stored(5)
  const copy = readFileSync(page, 'utf8')
  await storeMerchants(folder, 5, 9)
  const newer = readFileSync(page, 'utf8')
  writeFileSync(page, copy)
  const error = await openingError(folder)
  expect(error).toMatchObject({
    name: 'StoreDamagedError',
    file: page,
    line: 1,
    why: expect.stringContaining('older copy'),
  })
  expect(error.message).toContain('up to 5')
  expect(readFileSync(page, 'utf8')).toBe(copy)

  writeFileSync(page, newer)
  expect(await readMerchants(folder)).toHaveLength(9)

  const [advised = ''] = /"seq":\d+/.exec(error.remedy) ?? []
  writeFileSync(page, copy.replace(/"seq":\d+/, advised))
  expect(await readMerchants(folder)).toHaveLength(5)
  await storeMerchants(folder, 20, 22)
  expect(await readMerchants(folder)).toHaveLength(7)
})

test('a copy of a page from before an edit by hand counts as older', async () => {
  const { folder, page } = await stored(2)
  const copy = readFileSync(page)
  await inStore(
    folder,
    (opened) => void opened.append(AT, 'create', commitOf({ puts: [put('refunds', merchant(100))] })),
  )
  writeFileSync(page, readFileSync(page, 'utf8').replace('"rate_limit":1', '"rate_limit":11'))
  expect(await readMerchants(folder)).toMatchObject([{ rate_limit: 0 }, { rate_limit: 11 }])
  writeFileSync(page, copy)
  await expect(store(folder)).rejects.toMatchObject({ file: page, why: expect.stringContaining('older copy') })
})

test('an older copy that is restored while the store is open is not overwritten', async () => {
  const { folder, page } = await stored(5)
  const copy = readFileSync(page)
  await storeMerchants(folder, 5, 9)
  const opened = await store(folder)
  addMerchants(opened, 9, 10)
  writeFileSync(page, copy)
  await expect(opened.close()).rejects.toThrow('older copy')
  expect(readFileSync(page)).toEqual(copy)
})

test('pages that were edited by hand are used with or without a seq', async () => {
  const { folder, page } = await stored(3)
  for (const change of [
    (text: string) => text.replace('"rate_limit":1,', '"rate_limit":77,'),
    (text: string) => text.replace(/"seq":\d+,"crc":\d+,/, ''),
  ]) {
    writeFileSync(page, change(readFileSync(page, 'utf8')))
    expect(await readMerchants(folder)).toHaveLength(3)
    await storeMerchants(folder, 1, 2)
    expect(await readMerchants(folder)).toMatchObject([{}, { rate_limit: 1 }, {}])
  }
})

test('the start fails if a page whose rows were deleted is restored', async () => {
  const { folder, page } = await stored(3)
  const copy = readFileSync(page, 'utf8')
  const deletes = [0, 1, 2].map((n) => ({ table: 'merchants' as const, id: `pay-${n}` }))
  await inStore(folder, (opened) => void opened.append(AT, 'delete', commitOf({ deletes })))
  expect(existsSync(page)).toBe(false)
  writeFileSync(page, copy)
  await expect(store(folder)).rejects.toMatchObject({ file: page, why: expect.stringContaining('were deleted') })
  writeFileSync(page, copy.replace(/,"crc":\d+/, ''))
  expect(await readMerchants(folder)).toHaveLength(3)
  expect(await readMerchants(folder)).toHaveLength(3)
})

test.each([['file'], ['directory']])('the start fails if the %s of the newest journal is missing', async (what) => {
  const { folder } = await stored(3)
  addMerchants(await store(folder), 3, 5)
  markKilled(folder)
  const journal = join(folder, 'journal')
  const [name = ''] = readdirSync(journal)
  const bytes = readFileSync(join(journal, name))
  rmSync(what === 'file' ? join(journal, name) : journal, { recursive: true })
  const error = await openingError(folder)
  expect(error).toMatchObject({ file: join(journal, name), why: expect.stringContaining('missing') })
  writeFileSync(join(journal, name), bytes)
  expect(await readMerchants(folder)).toHaveLength(5)
})

test('the advice of the error for a lost journal lets the next start continue without it', async () => {
  const { folder } = await stored(3)
  addMerchants(await store(folder), 3, 5)
  markKilled(folder)
  rmSync(join(folder, 'journal'), { recursive: true })
  const error = await openingError(folder)
  const [, advised = ''] = /remove (\S+newest-journal)/.exec(error.message) ?? []
  rmSync(advised)
  expect(await readMerchants(folder)).toHaveLength(3)
})

test('the start succeeds if the missing journal was moved into the pages or had no whole line', async () => {
  const { folder } = await stored(1)
  const opened = await store(folder)
  addMerchants(opened, 1, 2)
  await opened.checkpoint()
  markKilled(folder)
  expect(existsSync(join(folder, 'newest-journal'))).toBe(true)
  expect(await readMerchants(folder)).toHaveLength(2)

  addMerchants(await store(folder), 2, 3)
  markKilled(folder)
  const [name = ''] = readdirSync(join(folder, 'journal'))
  writeFileSync(join(folder, 'journal', name), '{"seq":3,"to')
  expect(await readMerchants(folder)).toHaveLength(2)
  expect(await readMerchants(folder)).toHaveLength(2)
})

test('an empty newest journal is reported once', async () => {
  const { folder } = await stored(3)
  addMerchants(await store(folder), 3, 5)
  markKilled(folder)
  const [name = ''] = readdirSync(join(folder, 'journal'))
  const path = join(folder, 'journal', name)
  writeFileSync(path, '')
  const notices: string[] = []
  const opened = await store(folder, { notice: (text) => notices.push(text) })
  expect(notices).toEqual([expect.stringContaining(`${path} is empty, and ${join(folder, 'newest-journal')} names it`)])
  addMerchants(opened, 3, 4)
  await opened.close()
  await (await store(folder, { notice: (text) => notices.push(text) })).close()
  expect(notices).toHaveLength(1)
  expect(await readMerchants(folder)).toHaveLength(4)
})

async function stored(count: number) {
  const folder = temporaryFolder()
  await storeMerchants(folder, 0, count)
  return { folder, page: join(folder, 'pages/merchants/000000.json') }
}
