import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Low } from 'lowdb'
import { JSONFile } from 'lowdb/node'
import { expect, test } from 'vitest'
import { AT, commitOf, contents, merchant, payment, put, store, temporaryFolder } from '../fixtures.ts'

test('a closed store has no journal, and its pages are JSON with one row per line and 1,024 rows per file', async () => {
  const folder = await stored(1500)
  expect(readdirSync(folder)).toEqual(['.gitignore', 'journal', 'pages', 'state.json'])
  expect(readdirSync(join(folder, 'journal'))).toEqual([])
  expect(readdirSync(join(folder, 'pages/payments'))).toEqual(['000000.json', '000001.json'])
  const lines = page(folder).split('\n')
  expect(lines[0]).toMatch(/^\{"seq":1500,"crc":\d+,"rows":\[$/)
  expect(lines[3]).toBe(`${JSON.stringify(payment(2))},`)
  expect(lines.slice(1025)).toEqual([JSON.stringify(payment(1023)), ']}', ''].slice(1))
  expect(statSync(join(folder, 'pages/payments/000000.json')).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8'))).toEqual({
    format: 3,
    seq: 1500,
    seq_crc: expect.any(Number),
    pages: { payments: '0-1@1500' },
    crc: expect.any(Number),
    counters: { payments: 1500 },
  })
})

test('a row that was deleted, inserted again and then changed is also the newest after a restart', async () => {
  const folder = await stored(3, 'merchants')
  const opened = await store(folder)
  opened.append(AT, 'x', commitOf({ deletes: [{ table: 'merchants', id: 'pay-1' }] }))
  for (const rate_limit of [1, 7]) {
    opened.append(AT, 'x', commitOf({ puts: [put('merchants', merchant(1, { rate_limit }))] }))
  }
  const rows = [merchant(0), merchant(2), merchant(1, { rate_limit: 7 })]
  expect([...opened.world.rows('merchants')]).toEqual(rows)
  await opened.close()
  const again = await store(folder)
  expect([...again.world.rows('merchants')]).toEqual(rows)
  await again.close()
})

test('lowdb can read and write a page', async () => {
  const folder = await stored(3, 'merchants')
  const db = new Low<{ rows: { rate_limit: number }[] }>(new JSONFile(file(folder, 'merchants')), { rows: [] })
  await db.read()
  expect(db.data.rows).toEqual([merchant(0), merchant(1), merchant(2)])
  db.data.rows.splice(1, 1)
  ;(db.data.rows[0] as { rate_limit: number }).rate_limit = 77
  await db.write()
  const notices: string[] = []
  const opened = await store(folder, { notice: (text) => notices.push(text) })
  expect([...opened.world.rows('merchants')]).toEqual([merchant(0, { rate_limit: 77 }), merchant(2)])
  expect(notices).toEqual([`${file(folder, 'merchants')} was changed by hand: its rows are used as they are.`])
  await opened.close()
  expect(page(folder, 'merchants')).toMatch(/"rate_limit":77/)
  expect(page(folder, 'merchants').split('\n')).toHaveLength(5)
  await (await store(folder, { notice: (text) => expect(text).toBe('') })).close()
})

test.each([
  ['an extra comma', (text: string) => text.replace('"amount":1,', '"amount":1,,'), 3, /not JSON/],
  ['a missing brace', (text: string) => text.replace('}}\n]}', '}\n]}'), 4, /not JSON/],
  ['a truncated file', (text: string) => text.slice(0, -30), 4, /not JSON/],
  ['a row that ends in a text', (text: string) => text.replace(/(заказ 1)".*/, '$1'), 3, /not JSON/],
  ['a row that ends after a comma', (text: string) => text.replace(/("amount":1,).*/, '$1'), 3, /not JSON/],
  [
    'a row that ends in a name',
    (text: string) => text.replace(/"metadata":\{"mode":"test"\}\},\n(?=.*pay-2)/, '"meta\n'),
    3,
    /not JSON/,
  ],
  ['an empty file', () => '', 1, /not JSON/],
  ['a row without id', (text: string) => text.replace('"id":"pay-1"', '"ident":"pay-1"'), 3, /a row with an id/],
  ['a repeated row', (text: string) => text.replace('"id":"pay-1"', '"id":"pay-0"'), 3, /pay-0 is in the pages twice/],
  ['rows that are not a list', () => '{\n"rows":{}}', 2, /"rows":\[/],
])('the start fails with the line of %s, and nothing is changed', async (_, damage, line, why) => {
  const folder = await stored(3)
  const text = damage(page(folder))
  writeFileSync(file(folder), text)
  await expect(store(folder)).rejects.toMatchObject({
    name: 'StoreDamagedError',
    file: file(folder),
    line,
    why: expect.stringMatching(why),
  })
  expect(page(folder)).toBe(text)
  expect(readdirSync(folder)).not.toContain('lock')
})

test('the start fails with advice if a page was filled beyond its size by hand', async () => {
  const folder = await stored(1024)
  writeFileSync(file(folder), page(folder).replace('"rows":[\n', '"rows":[\n{"id":"one-more"},\n'))
  await expect(store(folder)).rejects.toMatchObject({
    line: 1026,
    why: expect.stringMatching(/at most 1024 rows.*000001\.json/),
  })
})

test('rows that were added by hand to the last page are kept, and new rows follow them', async () => {
  const folder = await stored(2, 'merchants')
  writeFileSync(
    file(folder, 'merchants'),
    page(folder, 'merchants').replace('\n]}', `,\n${JSON.stringify(merchant(8, { id: 'by-hand' }))}\n]}`),
  )
  const opened = await store(folder)
  opened.append(AT, 'x', commitOf({ puts: [put('merchants', merchant(9))] }))
  await opened.close()
  const again = await store(folder)
  expect([...again.world.rows('merchants')].map(({ id }) => id)).toEqual(['pay-0', 'pay-1', 'by-hand', 'pay-9'])
  await again.close()
})

test('rows with any characters in ids, keys and texts are read from a page unchanged, also through an index', async () => {
  const folder = temporaryFolder()
  const texts = ['"quoted"', 'back\\slash', 'ё ₽ 🎉', 'é', '\ud800', '"object_id":"fake"', 'line\nbreak', '\u2028', '']
  const rows = texts.map((text) => ({
    id: text,
    event: text,
    object_id: `of ${text}`,
    body: JSON.stringify({ text, object_id: 'inner' }),
  }))
  const first = await store(folder)
  first.append(AT, 'x', commitOf({ puts: rows.map((row) => put('events', row)) }))
  const before = contents(first.world)
  await first.close()
  const second = await store(folder)
  for (const row of rows) {
    expect(second.world.find('events', 'by_object', row.object_id)).toEqual([row])
    expect(second.world.get('events', row.id)).toEqual(row)
  }
  expect(second.world.find('events', 'by_object', 'inner')).toEqual([])
  expect(contents(second.world)).toEqual(before)
  await second.close()
})

test('a checkpoint removes the pages of a cleared table and of deleted rows', async () => {
  const folder = await stored(1500)
  const opened = await store(folder)
  opened.append(
    AT,
    'x',
    commitOf({ clear: ['payments'], puts: [put('payments', payment(1)), put('rules', { id: 'r' })] }),
  )
  await opened.checkpoint()
  expect(readdirSync(join(folder, 'pages/payments'))).toEqual(['000000.json'])
  opened.append(AT, 'x', commitOf({ deletes: [{ table: 'rules', id: 'r' }] }))
  await opened.close()
  expect(readdirSync(join(folder, 'pages/rules'))).toEqual([])
})

test('a checkpoint starts when the journal is larger than the threshold', async () => {
  const folder = temporaryFolder()
  const opened = await store(folder, { checkpointThreshold: 1000 })
  for (let n = 0; n < 20; n++) opened.append(AT, 'x', commitOf({ puts: [put('payments', payment(n))] }))
  await opened.checkpoint()
  opened.append(AT, 'x', commitOf({ puts: [put('payments', payment(20))] }))
  expect(page(folder)).toMatch(/pay-19/)
  expect(readdirSync(join(folder, 'journal'))).toEqual(['000000000021.ndjson'])
  await opened.close()
  expect(page(folder)).toMatch(/pay-20/)
})

test('a store that is only read writes no file except its lock', async () => {
  const folder = await stored(3)
  const before = readdirSync(folder, { recursive: true }).sort()
  const opened = await store(folder)
  opened.world.get('payments', 'pay-1')
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual([...before, 'lock'].sort())
  await opened.close()
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before)
})

type Edited = 'merchants' | 'payments'

async function stored(count: number, table: Edited = 'payments'): Promise<string> {
  const folder = temporaryFolder()
  const opened = await store(folder)
  const row = table === 'payments' ? payment : merchant
  for (let n = 0; n < count; n++) opened.append(AT, 'x', commitOf({ puts: [put(table, row(n))] }))
  await opened.close()
  return folder
}

function file(folder: string, table: Edited = 'payments'): string {
  return join(folder, 'pages', table, '000000.json')
}

function page(folder: string, table: Edited = 'payments'): string {
  return readFileSync(file(folder, table), 'utf8')
}
