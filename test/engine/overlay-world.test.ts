import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Commit, Put } from '../../src/engine/commit.ts'
import { createOverlayWorld } from '../../src/engine/overlay-world.ts'
import type { TableName } from '../../src/engine/tables.ts'
import type { World } from '../../src/engine/world.ts'
import { createMemory } from '../../src/store/memory/memory.ts'

const TABLES = ['refunds', 'rules', 'state'] as const

const change = fc.oneof(
  fc.record({ table: fc.constantFrom('refunds', 'rules'), id: fc.nat(8), payment: fc.nat(2), remove: fc.boolean() }),
  fc.record({ table: fc.constant('state'), id: fc.constant(0), payment: fc.nat(2), remove: fc.constant(false) }),
)
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never

function commitOf(changes: readonly Change[]): Pick<Commit, 'clear' | 'deletes' | 'puts'> {
  const puts = changes
    .filter(({ remove }) => !remove)
    .map(({ table, id, payment }) =>
      table === 'state'
        ? { table, row: { id: 'settings', values: { buyer: payment === 0 ? 'auto' : 'manual' } } }
        : { table, row: { id: `${table} ${id}`, payment_id: `p${payment}`, plan: `plan ${payment}` } },
    ) as unknown as Put[]
  const gone = changes.filter(({ remove }) => remove)
  const deletes = gone.map(({ table, id }) => ({ table: table as TableName, id: `${table} ${id}` }))
  const kept = deletes.filter(({ id }) => !puts.some(({ row }) => row.id === id))
  return { clear: [], deletes: kept, puts }
}

/** Reads a world in all ways. The tests of the store check the order within a table. */
function look(world: World): unknown {
  const sorted = (rows: Iterable<{ id: string }>) => [...rows].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return {
    settings: world.settings.buyer,
    tables: TABLES.map((table) => {
      const rows = [...world.rows(table)]
      expect([...world.rows(table, 'newest')]).toEqual(rows.toReversed())
      const [first] = rows
      expect([...world.rowsAfter(table, undefined)]).toEqual(rows)
      expect([...world.rowsAfter(table, first?.id)]).toEqual(first === undefined ? [] : rows.slice(1))
      expect([...world.rowsBefore(table, rows.at(-1)?.id ?? '')]).toEqual(rows.slice(0, -1).toReversed())
      expect([...world.rowsBefore(table, 'unknown')]).toEqual(rows.toReversed())
      for (const row of rows) expect(world.get(table, row.id)).toEqual(row)
      return sorted(rows)
    }),
    sizes: TABLES.map((table) => world.size(table)),
    byId: Array.from({ length: 9 }, (_, i) => world.get('refunds', `refunds ${i}`)),
    byPayment: [0, 1, 2].map((i) => sorted(world.find('refunds', 'by_payment', `p${i}`))),
    byPlan: sorted(world.rowsWith('rules', 'plan' as never, ['plan 0', 'plan 2'])),
  }
}

test('a world with unstored changes reads the same as a world that stored them', () => {
  const commits = fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 6 })
  fc.assert(
    fc.property(commits, commits, fc.subarray([...TABLES]), (before, after, cleared) => {
      const [base, plain] = [createMemory(), createMemory()]
      for (const memory of [base, plain]) {
        memory.overrideSettings({ magic: false })
        for (const changes of before) memory.apply(commitOf(changes))
      }
      const overlay = createOverlayWorld(base, cleared)
      plain.apply({ clear: cleared, deletes: [], puts: [] })
      for (const changes of after) {
        overlay.apply(commitOf(changes))
        plain.apply(commitOf(changes))
        expect(look(overlay)).toEqual(look(plain))
      }
      expect(overlay.settings.magic).toBe(false)
      base.apply({ clear: cleared, ...overlay.changes() })
      expect(look(base)).toEqual(look(plain))
    }),
    { numRuns: 300 },
  )
})
