// Random commits, and the states that they must lead to.
import * as fc from 'fast-check'
import type { Commit } from '../../src/engine/commit.ts'
import { TABLE_NAMES, type TableName } from '../../src/engine/tables.ts'
import type { Store } from '../../src/store/store.ts'
import { AT, commitOf, contents, exportOf, OWNERS, put, replaceState, store, wholePayment } from './fixtures.ts'

const TABLES: readonly TableName[] = ['payments', 'refunds', 'timers', 'rules', 'events', 'idempotency']
const NAMES = ['a', 'b', 'c', 'd"\\', 'ё', '__proto__']

const row = fc.record({
  table: fc.constantFrom(...TABLES),
  id: fc.constantFrom(...NAMES),
  payment_id: fc.constantFrom('x', 'y"', undefined),
  object_id: fc.constantFrom('x', '"object_id":"z"'),
  text: fc.string({ unit: 'grapheme', maxLength: 6 }),
})

const commit: fc.Arbitrary<Commit> = fc
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

/** Two commits that add and delete many rows, so that the next row of the table is in another page. */
const pageJump: fc.Arbitrary<Commit[]> = fc.constantFrom<TableName>('timers', 'refunds').map((table) => {
  const rows = Array.from({ length: 700 }, (_, i) => ({ id: `leap-${i}` }))
  const deletes = rows.map(({ id }) => ({ table, id }))
  return [commitOf({ puts: rows.map((each) => put(table, each)) }), commitOf({ deletes })]
})

/** A replacement of the whole state. It is also a commit with the same effect, which tests compare it with. */
export interface Replacement extends Commit {
  readonly replaces: true
}

export function replacementOf(payments: number, bank?: string): Replacement {
  const rows = Array.from({ length: payments }, (_, n) => put('payments', wholePayment(n)))
  const settings = bank === undefined ? [] : [put('state', { id: 'settings', values: { 'delays.bank': bank } })]
  return { ...commitOf({ clear: [...TABLE_NAMES], puts: [...OWNERS, ...rows, ...settings] }), replaces: true }
}

const replacement: fc.Arbitrary<Commit[]> = fc
  .record({ payments: fc.nat(3), bank: fc.constantFrom('7s', undefined) })
  .map(({ payments, bank }) => [replacementOf(payments, bank)])

export const randomCommits = fc
  .array(fc.oneof({ weight: 12, arbitrary: commit.map((one) => [one]) }, { weight: 1, arbitrary: pageJump }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((lists) => lists.flat())

/** Random commits and replacements of the whole state. */
export const randomCommitsAndStates = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: commit.map((one) => [one]) },
      { weight: 1, arbitrary: pageJump },
      { weight: 3, arbitrary: replacement },
    ),
    { minLength: 1, maxLength: 10 },
  )
  .map((lists) => lists.flat())

/** Appends a commit, or replaces the state. */
export async function applyTo(opened: Store, change: Commit): Promise<void> {
  if (!('replaces' in change)) {
    await opened.append(AT, 'x', change)
    return
  }
  const tables: { [table: string]: object[] } = {}
  for (const { table, row } of change.puts) tables[table] = [...(tables[table] ?? []), row]
  await replaceState(opened, { kind: 'export', bytes: exportOf(tables) })
}

/** Returns the rows before the first commit and after each commit. */
export async function statesAfterEach(commits: readonly Commit[]): Promise<{ [table: string]: unknown[] }[]> {
  const { append, world } = await store(undefined)
  const all = [contents(world)]
  for (const commit of commits) {
    append(AT, 'x', commit)
    all.push(contents(world))
  }
  return all
}
