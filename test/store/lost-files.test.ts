// What people, backups and sync programs do to the folder's files: nothing that was confirmed may be lost without a word.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AT, commitOf, merchant, put, store, temporaryFolder } from './fixtures.ts'

test('a state.json that is gone stops the start, and what the message says goes on', async () => {
  const { folder, state } = await closed()
  rmSync(state)
  const error = await store(folder).catch((thrown) => thrown)
  expect(error).toMatchObject({ name: 'StoreDamagedError', file: state, why: expect.stringContaining('missing') })
  expect(existsSync(state)).toBe(false)
  const [advised = ''] = /\{"format.*?\}\}/.exec(error.message) ?? []
  writeFileSync(state, advised)
  await grows(folder)
})

test('a state.json that is gone beside a journal only stops the start too', async () => {
  const folder = temporaryFolder()
  const first = await store(folder)
  add(first, 0)
  rmSync(join(folder, 'state.json'))
  writeFileSync(join(folder, 'lock'), '{"pid":999999999,"started_at":1}')
  await expect(store(folder)).rejects.toMatchObject({ file: join(folder, 'state.json') })
})

test('an older copy of state.json stops the start', async () => {
  const { folder, state } = await closed()
  const copy = readFileSync(state)
  const again = await store(folder)
  add(again, 50)
  await again.close()
  const newer = readFileSync(state)
  writeFileSync(state, copy)
  await expect(store(folder)).rejects.toMatchObject({ file: state, why: expect.stringContaining('another time') })
  expect(readFileSync(state)).toEqual(copy)
  writeFileSync(state, newer)
  await grows(folder)
})

test('an older copy of state.json before a journal is named, not the journal', async () => {
  const { folder, state } = await closed()
  const copy = readFileSync(state)
  await (await grown(folder, 50)).close()
  const open = await grown(folder, 60)
  writeFileSync(state, copy)
  writeFileSync(join(folder, 'lock'), '{"pid":999999999,"started_at":1}')
  await expect(store(folder)).rejects.toMatchObject({ file: state, why: expect.stringContaining('another time') })
  await open.close().catch(() => {})
})

test.each([
  ['lowered', (seq: number) => seq - 1],
  ['raised', (seq: number) => seq + 1],
])('a seq %s by hand stops the start with its line', async (_, change) => {
  const { folder, state } = await closed()
  const good = readFileSync(state, 'utf8')
  writeFileSync(
    state,
    good.replace(/"seq": (\d+)/, (_all, seq) => `"seq": ${change(Number(seq))}`),
  )
  await expect(store(folder)).rejects.toMatchObject({ file: state, line: 3, why: expect.stringContaining('by hand') })
  writeFileSync(state, good)
  await grows(folder)
})

test('the same in a state.json that people wrote anew, without pages and checksum', async () => {
  const { folder, state } = await closed()
  const { seq, counters } = JSON.parse(readFileSync(state, 'utf8'))
  writeFileSync(state, JSON.stringify({ format: 3, seq: seq - 1, counters }))
  await expect(store(folder)).rejects.toMatchObject({ file: state })
  writeFileSync(state, JSON.stringify({ format: 3, seq, counters }))
  await grows(folder)
  expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ pages: { merchants: '0@30' } })
})

test('a page file or a folder of pages that is gone stops the start', async () => {
  const { folder, state } = await closed()
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
  const without = await store(folder)
  expect(without.world.size('merchants')).toBe(0)
  await without.close()
})

test('a page that is removed while the sandbox runs is not written over', async () => {
  const { folder } = await closed()
  const page = join(folder, 'pages/merchants/000000.json')
  const again = await store(folder)
  add(again, 7)
  rmSync(page)
  await expect(again.close()).rejects.toThrow('the page was removed')
  await expect(store(folder)).rejects.toMatchObject({ file: page })
})

test('rows removed by hand, all of a page too, are allowed', async () => {
  const { folder } = await closed()
  const page = join(folder, 'pages/merchants/000000.json')
  const lines = readFileSync(page, 'utf8').split('\n')
  writeFileSync(page, [lines[0], ...lines.slice(2)].join('\n'))
  const fewer = await store(folder)
  expect(fewer.world.size('merchants')).toBe(9)
  await fewer.close()
  writeFileSync(page, `${readFileSync(page, 'utf8').split('\n')[0]}]}`)
  const none = await store(folder)
  expect(none.world.size('merchants')).toBe(0)
  await none.close()
  expect(existsSync(page)).toBe(false)
  await (await store(folder)).close()
  await grows(folder, 0)
})

test('rows that a command deletes take their page along, and no start misses it', async () => {
  const { folder } = await closed()
  const again = await store(folder)
  const deletes = Array.from({ length: 10 }, (_, n) => ({ table: 'merchants' as const, id: `pay-${n}` }))
  again.append(AT, 'delete', commitOf({ deletes }))
  await again.close()
  expect(readdirSync(join(folder, 'pages/merchants'))).toEqual([])
  await grows(folder, 0)
})

async function closed() {
  const folder = temporaryFolder()
  await (await grown(folder, 0)).close()
  return { folder, state: join(folder, 'state.json') }
}

async function grown(folder: string, from: number) {
  const opened = await store(folder)
  add(opened, from)
  return opened
}

function add(to: Awaited<ReturnType<typeof store>>, from: number): void {
  for (let n = from; n < from + 10; n++) to.append(AT, 'create', commitOf({ puts: [put('merchants', merchant(n))] }))
}

/** Two runs more: what each adds is there in the next. */
async function grows(folder: string, least = 10): Promise<void> {
  for (const from of [1000, 2000]) await (await grown(folder, from)).close()
  const last = await store(folder)
  expect(last.world.size('merchants')).toBeGreaterThanOrEqual(least + 20)
  await last.close()
}
