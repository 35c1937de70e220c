import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Table } from '../../../src/store/memory/table.ts'

const row = (n: number, more = 0) => ({ id: `r${n}`, payment_id: `p${n % 7}`, amount: more, filler: 'x'.repeat(50) })

const change = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), n: fc.nat(300), more: fc.nat(1000) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), n: fc.nat(300) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('freeze' as const) }) },
)

test.each(['refunds', 'deliveries', 'rules'] as const)('a view of %s contains the rows at its creation', (name) => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200, size: 'max' }), (changes) => {
      const table = new Table(name)
      for (let n = 0; n < 200; n++) table.put(row(n))
      const views: { lines: string[]; view: ReturnType<Table['snapshot']> }[] = []
      for (const each of changes) {
        if (each.do === 'put') table.put(row(each.n, each.more))
        else if (each.do === 'remove') table.remove(`r${each.n}`)
        else views.push({ lines: [...table.rows('oldest')].map((one) => JSON.stringify(one)), view: table.snapshot() })
      }
      for (const { lines, view } of views) {
        expect([...view.lines()].map(String)).toEqual(lines)
        expect([...view.rows()].map((one) => JSON.stringify(one))).toEqual(lines)
      }
    }),
    { numRuns: 60 },
  )
})

test('a view stays the same if its rows are deflated later', async () => {
  const table = new Table('idempotency')
  const many = 5000
  for (let n = 0; n < many; n++) table.put(row(n))
  const lines = [...table.rows('oldest')].map((one) => JSON.stringify(one))
  const view = table.snapshot()
  for (let n = 0; n < many; n += 3) table.put(row(n, 1))
  for (let n = many; n < 2 * many; n++) table.put(row(n))
  // Rows are deflated in the thread pool.
  for (let turn = 0; turn < 200; turn++) await new Promise<void>((resolve) => void setImmediate(resolve))
  expect([...view.lines()].map(String)).toEqual(lines)
  expect(table.get('r3')).toMatchObject({ amount: 1 })
  expect([...table.rows('oldest')]).toHaveLength(2 * many)
})
