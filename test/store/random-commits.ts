// Random commits, and what they must make.
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
const pageJump: fc.Arbitrary<Commit[]> = fc.constantFrom<TableName>('timers', 'refunds').map((table) => {
  const rows = Array.from({ length: 700 }, (_, i) => ({ id: `leap-${i}` }))
  const deletes = rows.map(({ id }) => ({ table, id }))
  return [commitOf({ puts: rows.map((each) => put(table, each)) }), commitOf({ deletes })]
})

/** The rows of a state that takes the place of all others. A commit of the same effect is what a test compares it with. */
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
  .array(fc.oneof({ weight: 12, arbitrary: one.map((commit) => [commit]) }, { weight: 1, arbitrary: pageJump }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((lists) => lists.flat())

/** The same, with whole states among them. */
export const randomCommitsAndStates = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: one.map((commit) => [commit]) },
      { weight: 1, arbitrary: pageJump },
      { weight: 3, arbitrary: replacement },
    ),
    { minLength: 1, maxLength: 10 },
  )
  .map((lists) => lists.flat())

/** Appends the commit, or puts its state in place. */
export async function applyTo(opened: Store, commit: Commit): Promise<void> {
  if (!('replaces' in commit)) {
    await opened.append(AT, 'x', commit)
    return
  }
  const tables: { [table: string]: object[] } = {}
  for (const { table, row } of commit.puts) tables[table] = [...(tables[table] ?? []), row]
  await replaceState(opened, { kind: 'export', bytes: exportOf(tables) })
}

/** The contents after none, one, two … of the commits. */
export async function statesAfterEach(story: readonly Commit[]): Promise<{ [table: string]: unknown[] }[]> {
  const { append, world } = await store(undefined)
  const all = [contents(world)]
  for (const commit of story) {
    append(AT, 'x', commit)
    all.push(contents(world))
  }
  return all
}
