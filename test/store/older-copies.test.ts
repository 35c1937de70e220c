// Files that a backup or a sync program puts back, alone: what came after them must not be lost without a word.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AT, commitOf, merchant, put, store, temporaryFolder } from './fixtures.ts'

type Opened = Awaited<ReturnType<typeof store>>

test('an older copy of a page stops the start, and what the message says goes on with it', async () => {
  const { folder, page } = await closed(5)
  const copy = readFileSync(page, 'utf8')
  await grown(folder, 5, 9)
  const newer = readFileSync(page, 'utf8')
  writeFileSync(page, copy)
  const error = await store(folder).catch((thrown) => thrown)
  expect(error).toMatchObject({
    name: 'StoreDamagedError',
    file: page,
    line: 1,
    why: expect.stringContaining('older copy'),
  })
  expect(error.message).toContain('up to 5')
  expect(readFileSync(page, 'utf8')).toBe(copy)

  writeFileSync(page, newer)
  expect(await merchants(folder)).toHaveLength(9)

  const [advised = ''] = /"seq":\d+/.exec(error.remedy) ?? []
  writeFileSync(page, copy.replace(/"seq":\d+/, advised))
  expect(await merchants(folder)).toHaveLength(5)
  await grown(folder, 20, 22)
  expect(await merchants(folder)).toHaveLength(7)
})

test('a copy from before people changed the page is an older one', async () => {
  const { folder, page } = await closed(2)
  const copy = readFileSync(page)
  await grown(folder, 100, 101, 'refunds')
  writeFileSync(page, readFileSync(page, 'utf8').replace('"rate_limit":1', '"rate_limit":11'))
  expect(await merchants(folder)).toMatchObject([{ rate_limit: 0 }, { rate_limit: 11 }])
  writeFileSync(page, copy)
  await expect(store(folder)).rejects.toMatchObject({ file: page, why: expect.stringContaining('older copy') })
})

test('an older copy put there while the sandbox runs is not written over', async () => {
  const { folder, page } = await closed(5)
  const copy = readFileSync(page)
  await grown(folder, 5, 9)
  const opened = await store(folder)
  add(opened, 9, 10)
  writeFileSync(page, copy)
  await expect(opened.close()).rejects.toThrow('older copy')
  expect(readFileSync(page)).toEqual(copy)
})

test('pages that people changed need no seq, and are taken with one', async () => {
  const { folder, page } = await closed(3)
  for (const change of [
    (text: string) => text.replace('"rate_limit":1,', '"rate_limit":77,'),
    (text: string) => text.replace(/"seq":\d+,"crc":\d+,/, ''),
  ]) {
    writeFileSync(page, change(readFileSync(page, 'utf8')))
    expect(await merchants(folder)).toHaveLength(3)
    await grown(folder, 1, 2)
    expect(await merchants(folder)).toMatchObject([{}, { rate_limit: 1 }, {}])
  }
})

test('a page whose rows were deleted stops the start when it comes back', async () => {
  const { folder, page } = await closed(3)
  const copy = readFileSync(page, 'utf8')
  const opened = await store(folder)
  const deletes = [0, 1, 2].map((n) => ({ table: 'merchants' as const, id: `pay-${n}` }))
  opened.append(AT, 'delete', commitOf({ deletes }))
  await opened.close()
  expect(existsSync(page)).toBe(false)
  writeFileSync(page, copy)
  await expect(store(folder)).rejects.toMatchObject({ file: page, why: expect.stringContaining('were deleted') })
  writeFileSync(page, copy.replace(/,"crc":\d+/, ''))
  expect(await merchants(folder)).toHaveLength(3)
  expect(await merchants(folder)).toHaveLength(3)
})

test.each([['one file'], ['the folder']])('the newest journal that is gone stops the start: %s', async (what) => {
  const { folder } = await closed(3)
  add(await store(folder), 3, 5)
  rmSync(join(folder, 'lock'))
  const journal = join(folder, 'journal')
  const [name = ''] = readdirSync(journal)
  const bytes = readFileSync(join(journal, name))
  rmSync(what === 'one file' ? join(journal, name) : journal, { recursive: true })
  const error = await store(folder).catch((thrown) => thrown)
  expect(error).toMatchObject({ file: join(journal, name), why: expect.stringContaining('missing') })
  writeFileSync(join(journal, name), bytes)
  expect(await merchants(folder)).toHaveLength(5)
})

test('where the newest journal is lost, what the message says goes on without it', async () => {
  const { folder } = await closed(3)
  add(await store(folder), 3, 5)
  rmSync(join(folder, 'lock'))
  rmSync(join(folder, 'journal'), { recursive: true })
  const error = await store(folder).catch((thrown) => thrown)
  const [, advised = ''] = /remove (\S+newest-journal)/.exec(error.message) ?? []
  rmSync(advised)
  expect(await merchants(folder)).toHaveLength(3)
})

test('a journal that a checkpoint moved into the pages is not missed, nor one that held nothing', async () => {
  const { folder } = await closed(1)
  const opened = await store(folder)
  add(opened, 1, 2)
  await opened.checkpoint()
  rmSync(join(folder, 'lock'))
  expect(existsSync(join(folder, 'newest-journal'))).toBe(true)
  expect(await merchants(folder)).toHaveLength(2)

  add(await store(folder), 2, 3)
  rmSync(join(folder, 'lock'))
  const [name = ''] = readdirSync(join(folder, 'journal'))
  writeFileSync(join(folder, 'journal', name), '{"seq":3,"to')
  expect(await merchants(folder)).toHaveLength(2)
  expect(await merchants(folder)).toHaveLength(2)
})

test('a newest journal that is empty is told, once: a crash leaves it so, and so does who empties it', async () => {
  const { folder } = await closed(3)
  add(await store(folder), 3, 5)
  rmSync(join(folder, 'lock'))
  const [name = ''] = readdirSync(join(folder, 'journal'))
  const path = join(folder, 'journal', name)
  writeFileSync(path, '')
  const notices: string[] = []
  const opened = await store(folder, { notice: (text) => notices.push(text) })
  expect(notices).toEqual([expect.stringContaining(`${path} is empty, and ${join(folder, 'newest-journal')} names it`)])
  add(opened, 3, 4)
  await opened.close()
  await (await store(folder, { notice: (text) => notices.push(text) })).close()
  expect(notices).toHaveLength(1)
  expect(await merchants(folder)).toHaveLength(4)
})

async function closed(count: number) {
  const folder = temporaryFolder()
  await grown(folder, 0, count)
  return { folder, page: join(folder, 'pages/merchants/000000.json') }
}

async function grown(folder: string, from: number, to: number, table?: 'refunds'): Promise<void> {
  const opened = await store(folder)
  add(opened, from, to, table)
  await opened.close()
}

function add(to: Opened, from: number, end: number, table: 'merchants' | 'refunds' = 'merchants'): void {
  for (let n = from; n < end; n++) to.append(AT, 'create', commitOf({ puts: [put(table, merchant(n))] }))
}

async function merchants(folder: string): Promise<unknown[]> {
  const opened = await store(folder)
  const rows = [...opened.world.rows('merchants')]
  await opened.close()
  return rows
}
