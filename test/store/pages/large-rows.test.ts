// A page is bounded in bytes, too, because the event loop handles each page in one step.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { PreparedTables } from '../../../src/store/import/prepared-tables.ts'
import { StateImporter } from '../../../src/store/import/state-importer.ts'
import { Table } from '../../../src/store/memory/table.ts'
import { BLOCK_ROWS } from '../../../src/store/pages/block.ts'
import { PAGE_LIMIT } from '../../../src/store/pages/page.ts'
import type { Store } from '../../../src/store/store.ts'
import {
  AT,
  commitOf,
  contents,
  exportOf,
  inStore,
  OWNERS,
  payment,
  put,
  replaceState,
  store,
  temporaryFolder,
  wholePayment,
} from '../fixtures.ts'

const MEGABYTE = 1024 * 1024
/** The size of a large row, in bytes. Three of them are less than a page, and four are more. */
const LARGE = 1.2 * MEGABYTE
const LARGEST_PAGE = PAGE_LIMIT.bytes + LARGE + 10_000
const large = (n: number) => payment(n, { metadata: { cart: `${n % 10}`.repeat(LARGE) } })
const wholeLarge = (n: number) => wholePayment(n, { metadata: { cart: `${n % 10}`.repeat(LARGE) } })

const ids = (opened: Store) => [...opened.world.rows('payments')].map(({ id }) => id)
const idsTo = (count: number) => Array.from({ length: count }, (_, n) => `pay-${n}`)

test('a page of large rows gets no more rows at 4 MiB, and the next start continues with its rows', async () => {
  const folder = temporaryFolder()
  await inStore(folder, (opened) => add(opened, 0, 10))
  expect(rowsOfPages(folder)).toEqual([4, 4, 2])
  expect(Math.max(...sizesOfPages(folder))).toBeLessThan(LARGEST_PAGE)
  await inStore(folder, (opened) => {
    expect(ids(opened)).toEqual(idsTo(10))
    add(opened, 10, 13)
    expect(ids(opened)).toEqual(idsTo(13))
  })
  expect(rowsOfPages(folder)).toEqual([4, 4, 4, 1])
  await inStore(folder, (opened) => expect(ids(opened)).toEqual(idsTo(13)))
})

test('a page of large rows is also bounded if one commit creates all of them', async () => {
  const folder = temporaryFolder()
  const puts = Array.from({ length: 10 }, (_, n) => put('payments', large(n)))
  await inStore(folder, (opened) => opened.append(AT, 'x', commitOf({ puts })))
  expect(rowsOfPages(folder)).toEqual([4, 4, 2])
})

test('rows of a journal keep their pages if the process is killed before a checkpoint', async () => {
  const folder = temporaryFolder()
  const opened = await store(folder)
  add(opened, 0, 6)
  await opened.checkpoint()
  add(opened, 6, 9)
  const journal = readFileSync(join(folder, 'journal', readdirSync(join(folder, 'journal'))[0] ?? ''), 'utf8')
  const ordinals = [...journal.matchAll(/"n":(\d+)/g)].map(([, n]) => Number(n))
  expect(ordinals).toEqual([1026, 1027, 2048])
  await opened.close()
  expect(rowsOfPages(folder)).toEqual([4, 4, 1])
})

test('a failed commit of large rows leaves no gap that the next start would not accept', async () => {
  const folder = temporaryFolder()
  await inStore(folder, (opened) => {
    add(opened, 0, 3)
    const bad = [put('payments', large(3)), put('payments', large(4))]
    const setting = put('state', { id: 'settings', values: { 'delays.bank': 3 } })
    expect(() => opened.append(AT, 'x', commitOf({ puts: [...bad, setting] }))).toThrow(/delays\.bank/)
    add(opened, 3, 5)
    expect(ids(opened)).toEqual(idsTo(5))
  })
  await inStore(folder, (opened) => expect(ids(opened)).toEqual(idsTo(5)))
})

test('a page that an earlier version filled with large rows is read, and new rows follow in the next page', async () => {
  const folder = temporaryFolder()
  const puts = [...OWNERS, ...Array.from({ length: 9 }, (_, n) => put('payments', wholeLarge(n)))]
  await inStore(folder, (opened) => opened.append(AT, 'x', commitOf({ puts })))
  const pages = join(folder, 'pages/payments')
  const rows = readdirSync(pages).flatMap((name) => JSON.parse(readFileSync(join(pages, name), 'utf8')).rows)
  writeFileSync(join(pages, '000000.json'), JSON.stringify({ rows }))
  for (const name of readdirSync(pages).slice(1)) writeFileSync(join(pages, name), '{"rows":[]}')
  await inStore(folder, (opened) => {
    expect(ids(opened)).toEqual(idsTo(9))
    opened.append(AT, 'x', commitOf({ puts: [put('payments', wholeLarge(9))] }))
  })
  expect(rowsOfPages(folder)).toEqual([9, 1])
  await inStore(folder, (opened) => expect(ids(opened)).toEqual(idsTo(10)))
})

test('an import of large rows writes pages of at most 4 MiB and one row, and continues after them', async () => {
  const folder = temporaryFolder()
  const opened = await store(folder)
  await replaceState(opened, { kind: 'export', bytes: exportOf(tablesOf(10), MEGABYTE) })
  expect(ids(opened)).toEqual(idsTo(10))
  await opened.checkpoint()
  const pages = join(folder, 'pages-000000000001')
  expect(rowsOfPages(folder, pages)).toEqual([4, 4, 2])
  expect(JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8'))).toMatchObject({
    counters: { payments: 2050, merchants: 1, shops: 1 },
    pages: { payments: '0-2@0' },
  })
  const before = contents(opened.world)
  opened.append(AT, 'x', commitOf({ puts: [10, 11, 12].map((n) => put('payments', wholeLarge(n))) }))
  await opened.close()
  expect(rowsOfPages(folder, pages)).toEqual([4, 4, 4, 1])
  await inStore(folder, (again) => {
    expect(ids(again)).toEqual(idsTo(13))
    expect(contents(again.world)['payments']?.slice(0, 10)).toEqual(before['payments'])
  })
})

test('the error for an id that exists twice names the index of the row in the text, across pages of large rows', async () => {
  const opened = await store(undefined)
  const tables = tablesOf(5)
  tables.payments.push(wholePayment(3))
  await expect(replaceState(opened, { kind: 'export', bytes: exportOf(tables, MEGABYTE) })).rejects.toThrow(
    'tables.payments[5].id: pay-3 exists twice',
  )
})

test('an import reads a text that is one chunk in pieces of at most 256 KiB', async () => {
  const push = vi.spyOn(StateImporter.prototype, 'push')
  const opened = await store(undefined)
  await replaceState(opened, { kind: 'export', bytes: exportOf(tablesOf(3), 100 * MEGABYTE) })
  expect(ids(opened)).toEqual(idsTo(3))
  const sizes = push.mock.calls.map(([piece]) => piece.length)
  push.mockRestore()
  expect(sizes.length).toBeGreaterThan(10)
  expect(Math.max(...sizes)).toBe(256 * 1024)
})

test('a view of large rows is shared with a pause after each page', async () => {
  const table = new Table('payments')
  for (let n = 0; n < 20; n++) table.put(large(n))
  let pauses = 0
  const prepared = new PreparedTables(async () => void pauses++, { seq: 0 })
  await prepared.share('payments', table.snapshot())
  expect(prepared.tables.get('payments')?.size).toBe(20)
  expect(pauses).toBeGreaterThanOrEqual(4)
})

test('a view of small rows is shared with a pause after each 128 rows', async () => {
  const table = new Table('payments')
  for (let n = 0; n < 1024; n++) table.put(payment(n))
  let pauses = 0
  const prepared = new PreparedTables(async () => void pauses++, { seq: 0 })
  await prepared.share('payments', table.snapshot())
  expect(pauses).toBe(8)
})

test('large rows that are not the newest are kept as text outside of the heap, although they are few', () => {
  const table = new Table('payments')
  const rows = Array.from({ length: 60 }, (_, n) => large(n))
  for (const row of rows) table.put(row)
  const isText = (row: (typeof rows)[number]) => table.get(row.id) !== row
  expect(rows.slice(0, 20).every(isText)).toBe(true)
  expect(rows.slice(-4).some(isText)).toBe(false)
  expect([...table.rows('oldest')]).toEqual(rows)
})

test('the payments of 4 s at 8,000 creates per second stay objects until their last step', () => {
  const table = new Table('payments')
  const rows = Array.from({ length: 32_768 + 2 * BLOCK_ROWS }, (_, n) => payment(n))
  for (const row of rows) table.put(row)
  const areObjects = rows.map((row) => table.get(row.id) === row)
  expect(areObjects.indexOf(true)).toBe(2 * BLOCK_ROWS)
})

function add(opened: Store, from: number, end: number): void {
  for (let n = from; n < end; n++) opened.append(AT, 'x', commitOf({ puts: [put('payments', large(n))] }))
}

function tablesOf(payments: number) {
  const rows = (table: string) => OWNERS.flatMap((each) => (each.table === table ? [each.row] : []))
  return {
    merchants: rows('merchants'),
    shops: rows('shops'),
    payments: Array.from({ length: payments }, (_, n) => wholeLarge(n)),
  }
}

function rowsOfPages(folder: string, pages = join(folder, 'pages')): number[] {
  const path = join(pages, 'payments')
  return readdirSync(path).map((name) => JSON.parse(readFileSync(join(path, name), 'utf8')).rows.length)
}

function sizesOfPages(folder: string): number[] {
  const path = join(folder, 'pages/payments')
  return readdirSync(path).map((name) => statSync(join(path, name)).size)
}
