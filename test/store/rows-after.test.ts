import { expect, test } from 'vitest'
import { AT, commitOf, payment, put, store } from './fixtures.ts'

test('rows after one of them, over pages and gaps; all of them where it is unknown', async () => {
  const { world, append } = await store(undefined)
  const numbers = Array.from({ length: 3000 }, (_, n) => n)
  append(AT, 'x', commitOf({ puts: numbers.map((n) => put('payments', payment(n))) }))
  const gone = numbers.filter((n) => n > 1000 && n < 2500)
  append(AT, 'x', commitOf({ deletes: gone.map((n) => ({ table: 'payments', id: `pay-${n}` })) }))
  const after = (id: string | undefined) => [...world.rowsAfter('payments', id)].map((row) => row.id)
  const all = [...world.rows('payments')].map((row) => row.id)
  expect(after(undefined)).toEqual(all)
  expect(after('pay-1500')).toEqual(all)
  expect(after('pay-999')).toEqual(all.slice(1000))
  expect(after('pay-2999')).toEqual([])
})
