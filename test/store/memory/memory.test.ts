import { expect, test } from 'vitest'
import { AT, commitOf, payment, put, store } from '../fixtures.ts'

test('rows come in the order of their first put, and newest first on request', async () => {
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

test('an index follows its rows', async () => {
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

test('a deleted row that comes back is the newest', async () => {
  const { append, world } = await store(undefined)
  append(AT, 'x', commitOf({ puts: [put('rules', { id: 'a' }), put('rules', { id: 'b' })] }))
  append(AT, 'x', commitOf({ deletes: [{ table: 'rules', id: 'a' }], puts: [put('rules', { id: 'a' })] }))
  expect([...world.rows('rules')].map(({ id }) => id)).toEqual(['b', 'a'])
})

test('settings follow their row, and a bad value changes nothing', async () => {
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
  const { temporaryFolder } = await import('../fixtures.ts')
  const { append, world, close } = await store(temporaryFolder())
  append(AT, 'x', commitOf({ puts: [put('rules', { id: 'a' })] }))
  const bad = commitOf({ clear: ['rules'], puts: [put('rules', { id: 'b', big: 1n })] })
  expect(() => append(AT, 'x', bad)).toThrow(TypeError)
  expect([...world.rows('rules')].map(({ id }) => id)).toEqual(['a'])
  append(AT, 'x', commitOf({ puts: [put('rules', { id: 'c' })] }))
  await close()
})

test('an index of many thousands is found, changed and emptied', async () => {
  const { append, world } = await store(undefined)
  const puts = Array.from({ length: 40_000 }, (_, n) => put('refunds', { id: `r${n}`, payment_id: `p${n % 20_000}` }))
  append(AT, 'x', commitOf({ puts }))
  expect(world.find('refunds', 'by_payment', 'p19999').map(({ id }) => id)).toEqual(['r19999', 'r39999'])
  append(AT, 'x', commitOf({ deletes: puts.map(({ row }) => ({ table: 'refunds' as const, id: row.id })) }))
  expect(world.size('refunds')).toBe(0)
  expect([...world.rows('refunds')]).toEqual([])
  expect(world.find('refunds', 'by_payment', 'p1')).toEqual([])
})
