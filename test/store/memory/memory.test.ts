import { expect, test } from 'vitest'
import type { Store } from '../../../src/store/store.ts'
import { AT, commitOf, inStore, payment, put, store, temporaryFolder } from '../fixtures.ts'

test('rows are in the order of insertion, or newest first on request', async () => {
  const { append, world } = await store(undefined)
  for (let n = 0; n < 3000; n++) append(AT, 'x', commitOf({ puts: [put('payments', payment(n))] }))
  append(
    AT,
    'x',
    commitOf({ puts: [put('payments', payment(5, { amount: -1 }))], deletes: [{ table: 'payments', id: 'pay-7' }] }),
  )
  const ids = [...world.rows('payments')].map(({ id }) => id)
  expect(ids.slice(4, 8)).toEqual(['pay-4', 'pay-5', 'pay-6', 'pay-8'])
  expect(ids).toHaveLength(2999)
  expect([...world.rows('payments', 'newest')].map(({ id }) => id)).toEqual(ids.toReversed())
  expect(world.get('payments', 'pay-5')?.amount).toBe(-1)
})

test('an index follows changes of its rows', async () => {
  const { append, world } = await store(undefined)
  const refund = (n: number, payment_id: string) => put('refunds', { id: `r${n}`, payment_id })
  append(AT, 'x', commitOf({ puts: [refund(1, 'a'), refund(2, 'b'), refund(3, 'a'), refund(4, 'a')] }))
  const of = (id: string) => world.find('refunds', 'by_payment', id).map((row) => row.id)
  expect(of('a')).toEqual(['r1', 'r3', 'r4'])
  append(AT, 'x', commitOf({ puts: [refund(3, 'b')], deletes: [{ table: 'refunds', id: 'r4' }] }))
  expect(of('a')).toEqual(['r1'])
  expect(of('b')).toEqual(['r2', 'r3'])
  append(AT, 'x', commitOf({ clear: ['refunds'], puts: [refund(9, 'a')] }))
  expect(of('a')).toEqual(['r9'])
  expect(of('b')).toEqual([])
})

test('a row that is deleted and inserted again is the newest', async () => {
  const { append, world } = await store(undefined)
  append(AT, 'x', commitOf({ puts: [put('rules', { id: 'a' }), put('rules', { id: 'b' })] }))
  append(AT, 'x', commitOf({ deletes: [{ table: 'rules', id: 'a' }], puts: [put('rules', { id: 'a' })] }))
  expect([...world.rows('rules')].map(({ id }) => id)).toEqual(['b', 'a'])
})

test('a commit changes the settings, and an invalid value changes nothing', async () => {
  const { append, world } = await store(undefined)
  append(AT, 'x', commitOf({ puts: [put('state', { id: 'settings', values: { 'delays.bank': '3s' } })] }))
  expect(world.settings['delays.bank']).toBe(3000)
  const bad = commitOf({
    puts: [put('rules', { id: 'a' }), put('state', { id: 'settings', values: { 'delays.bank': 3 } })],
  })
  expect(() => append(AT, 'x', bad)).toThrow(/delays\.bank/)
  expect(world.settings['delays.bank']).toBe(3000)
  expect(world.size('rules')).toBe(0)
  append(AT, 'x', commitOf({ clear: ['state'] }))
  expect(world.settings['delays.bank']).toBe(1000)
})

test('a commit that cannot be written as JSON changes nothing', async () => {
  const { append, world, close } = await store(temporaryFolder())
  append(AT, 'x', commitOf({ puts: [put('rules', { id: 'a' })] }))
  const bad = commitOf({ clear: ['rules'], puts: [put('rules', { id: 'b', big: 1n })] })
  expect(() => append(AT, 'x', bad)).toThrow(TypeError)
  expect([...world.rows('rules')].map(({ id }) => id)).toEqual(['a'])
  append(AT, 'x', commitOf({ puts: [put('rules', { id: 'c' })] }))
  await close()
})

test('an index of many thousands of rows can be read and emptied', async () => {
  const { append, world } = await store(undefined)
  const puts = Array.from({ length: 40_000 }, (_, n) => put('refunds', { id: `r${n}`, payment_id: `p${n % 20_000}` }))
  append(AT, 'x', commitOf({ puts }))
  expect(world.find('refunds', 'by_payment', 'p19999').map(({ id }) => id)).toEqual(['r19999', 'r39999'])
  append(AT, 'x', commitOf({ deletes: puts.map(({ row }) => ({ table: 'refunds' as const, id: row.id })) }))
  expect(world.size('refunds')).toBe(0)
  expect([...world.rows('refunds')]).toEqual([])
  expect(world.find('refunds', 'by_payment', 'p1')).toEqual([])
})

test('`rowsAfter` returns the rows after an id across pages and gaps, or all rows if the id is unknown', async () => {
  const { world, append } = await store(undefined)
  const numbers = Array.from({ length: 3000 }, (_, n) => n)
  append(AT, 'x', commitOf({ puts: numbers.map((n) => put('payments', payment(n))) }))
  const deleted = numbers.filter((n) => n > 1000 && n < 2500)
  append(AT, 'x', commitOf({ deletes: deleted.map((n) => ({ table: 'payments', id: `pay-${n}` })) }))
  const after = (id: string | undefined) => [...world.rowsAfter('payments', id)].map((row) => row.id)
  const all = [...world.rows('payments')].map((row) => row.id)
  expect(after(undefined)).toEqual(all)
  expect(after('pay-1500')).toEqual(all)
  expect(after('pay-999')).toEqual(all.slice(1000))
  expect(after('pay-2999')).toEqual([])
})

test('`rowsBefore` returns the rows before an id from the newest on, across pages and gaps, or all rows if the id is unknown', async () => {
  const { world, append } = await store(undefined)
  const numbers = Array.from({ length: 3000 }, (_, n) => n)
  append(AT, 'x', commitOf({ puts: numbers.map((n) => put('payments', payment(n))) }))
  const deleted = numbers.filter((n) => n > 1000 && n < 2500)
  append(AT, 'x', commitOf({ deletes: deleted.map((n) => ({ table: 'payments', id: `pay-${n}` })) }))
  const before = (id: string) => [...world.rowsBefore('payments', id)].map((row) => row.id)
  const all = [...world.rows('payments', 'newest')].map((row) => row.id)
  expect(before('pay-1500')).toEqual(all)
  expect(before('pay-2999')).toEqual(all.slice(1))
  expect(before('pay-2500')).toEqual(all.slice(500))
  expect(before('pay-1000')).toEqual(all.slice(501))
  expect(before('pay-0')).toEqual([])
})

test('`rowsWith` finds rows by the value of a field in objects, in text and in pages', async () => {
  const folder = temporaryFolder()
  // Some rows become text, because there are more than stay objects.
  const rows = Array.from({ length: 20_000 }, (_, n) => ({
    id: `pay-${n}`,
    status: ['pending', 'succeeded', 'processing', 'failed'][n % 4],
    metadata: { status: 'pending' },
  }))
  const expected = rows.filter(({ status }) => status === 'pending' || status === 'processing').map(({ id }) => id)
  const found = ({ world }: Store) =>
    [...world.rowsWith('payments', 'status', ['pending', 'processing'])].map(({ id }) => id)
  await inStore(folder, (opened) => {
    opened.append(AT, 'x', commitOf({ puts: rows.map((row) => put('payments', row)) }))
    expect(found(opened)).toEqual(expected)
  })
  await inStore(folder, (opened) => {
    expect(found(opened)).toEqual(expected)
    expect([...opened.world.rowsWith('payments', 'status', ['odd'])]).toEqual([])
  })
})
