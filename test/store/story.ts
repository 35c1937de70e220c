// Random commits, and what they must make.
import * as fc from 'fast-check'
import type { Commit } from '../../src/engine/commit.ts'
import type { TableName } from '../../src/engine/tables.ts'
import { AT, commitOf, contents, put, store } from './fixtures.ts'

const TABLES: readonly TableName[] = ['payments', 'refunds', 'timers', 'rules', 'events', 'idempotency']
const NAMES = ['a', 'b', 'c', 'd"\\', 'ё', '__proto__']

const row = fc.record({
  table: fc.constantFrom(...TABLES),
  id: fc.constantFrom(...NAMES),
  payment_id: fc.constantFrom('x', 'y"', undefined),
  object_id: fc.constantFrom('x', '"object_id":"z"'),
  text: fc.string({ unit: 'grapheme', maxLength: 6 }),
})

const one: fc.Arbitrary<Commit> = fc
  .record({
    clear: fc.oneof(
      { weight: 9, arbitrary: fc.constant<TableName[]>([]) },
      fc.subarray<TableName>([...TABLES, 'state']),
    ),
    deletes: fc.uniqueArray(fc.record({ table: fc.constantFrom(...TABLES), id: fc.constantFrom(...NAMES) }), {
      maxLength: 3,
      selector: ({ table, id }) => `${table} ${id}`,
    }),
    puts: fc.array(row, { maxLength: 4 }),
    bank: fc.option(fc.constantFrom('1s', '2s', '3s'), { freq: 5 }),
  })
  .map(({ clear, deletes, puts, bank }) => {
    const rows = puts.map(({ table, ...rest }) => put(table, rest))
    if (bank !== null) rows.push(put('state', { id: 'settings', values: { 'delays.bank': bank } }))
    return commitOf({ clear, deletes, puts: rows })
  })

/** Two commits that leave nothing behind, but the next rows of the table are on another page. */
const leap: fc.Arbitrary<Commit[]> = fc.constantFrom<TableName>('timers', 'refunds').map((table) => {
  const rows = Array.from({ length: 700 }, (_, i) => ({ id: `leap-${i}` }))
  const deletes = rows.map(({ id }) => ({ table, id }))
  return [commitOf({ puts: rows.map((each) => put(table, each)) }), commitOf({ deletes })]
})

export const commits = fc
  .array(fc.oneof({ weight: 12, arbitrary: one.map((commit) => [commit]) }, { weight: 1, arbitrary: leap }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((lists) => lists.flat())

/** The contents after none, one, two … of the commits. */
export async function chapters(story: readonly Commit[]): Promise<{ [table: string]: unknown[] }[]> {
  const { append, world } = await store(undefined)
  const all = [contents(world)]
  for (const commit of story) {
    append(AT, 'x', commit)
    all.push(contents(world))
  }
  return all
}
