import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RowList } from '../../src/engine/row-list.ts'
import type { TableName } from '../../src/engine/tables.ts'

interface Entry {
  readonly table: TableName
  readonly id: string
  readonly n: number
}

test('a list of rows has one row per table and id, in the order of their first mention, at any length', () => {
  const table = fc.constantFrom<TableName>('rules', 'faults')
  const step = fc.record({ table, id: fc.nat(14).map(String), drop: fc.nat(5).map((n) => n === 0) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
      const list = new RowList<Entry>(({ id }) => id)
      const model = new Map<string, Entry>()
      for (const [n, { table: name, id, drop }] of steps.entries()) {
        const key = `${name} ${id}`
        if (drop) {
          list.drop(name, id)
          model.delete(key)
        } else {
          list.set({ table: name, id, n })
          model.set(key, { table: name, id, n })
        }
        expect(list.find(name, id)).toEqual(model.get(key))
        expect(list.rows).toEqual([...model.values()])
      }
    }),
  )
})
