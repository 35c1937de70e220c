import type { StateRow, TableName } from '../../engine/tables.ts'
import { type StateFile, stateFields, stateRows } from '../folder/state-file.ts'
import type { RawLine } from '../journal/raw-line.ts'
import { PAGE_ROWS } from './page.ts'
import type { PageData } from './page-file.ts'

/** What journal lines come down to: for each page, the last word on each row. */
export interface PageChanges {
  readonly tables: ReadonlyMap<TableName, TableChanges>
  /** state.json as it is after the lines. */
  readonly state: StateFile
}

export interface TableChanges {
  /** The last line that emptied the table: what the pages held before it is void. 0: none did. */
  clearedAt: number
  readonly pages: Map<number, RowChanges>
}

/** The last word on each row, by id. */
type RowChanges = Map<string, RowChange>

interface RowChange {
  /** The line that said so. */
  readonly seq: number
  /** The row as JSON, its bytes as text, or `undefined` for a deleted one. */
  readonly text: string | undefined
  /** The line that brought a deleted row back; 0: none did. */
  readonly reinsertedAt: number
}

/** @returns what takes the lines, in order, and what gives the sum of them */
export function createChangeCollector(state: StateFile): { add(line: RawLine): void; sum(): PageChanges } {
  const tables = new Map<TableName, TableChanges>()
  const counters = { ...state.counters }
  const singles = new Map<string, StateRow>(stateRows(state).map((row) => [row.id, row]))
  let { seq, seq_crc } = state
  return { add, sum }

  function add(line: RawLine): void {
    seq = line.seq
    seq_crc = line.crc
    for (const table of line.clear ?? []) {
      if (table === 'state') singles.clear()
      tables.set(table, { clearedAt: seq, pages: new Map() })
      counters[table] = 0
    }
    for (const { table, n, id } of line.deletes ?? []) {
      if (table === 'state') singles.delete(id)
      else changesOf(table, n).set(id, { seq, text: undefined, reinsertedAt: 0 })
    }
    for (const { table, n, id, text } of line.puts ?? []) {
      if (table === 'state') singles.set(id, JSON.parse(Buffer.from(text, 'latin1').toString('utf8')) as StateRow)
      else putRow(changesOf(table, n), id, text, seq)
      counters[table] = Math.max(counters[table] ?? 0, n + 1)
    }
  }
  function sum(): PageChanges {
    tables.delete('state')
    const { format, pages, pages_folder } = state
    return {
      tables,
      state: {
        format,
        seq,
        ...(seq_crc !== undefined && { seq_crc }),
        counters,
        ...(pages && { pages }),
        ...(pages_folder && { pages_folder }),
        ...stateFields(singles.values()),
      },
    }
  }

  function changesOf(table: TableName, n: number): RowChanges {
    const changes = tables.get(table) ?? { clearedAt: 0, pages: new Map<number, RowChanges>() }
    tables.set(table, changes)
    const number = Math.floor(n / PAGE_ROWS)
    const page = changes.pages.get(number) ?? new Map()
    changes.pages.set(number, page)
    return page
  }
}

/** Brings a page up to line `seq`; what it holds already is not done again. */
export function applyChanges(
  page: PageData,
  { clearedAt: cleared }: TableChanges,
  rows: RowChanges,
  seq: number,
): void {
  if (page.seq < cleared) page.rows.clear()
  for (const [id, change] of rows) {
    if (change.seq <= page.seq) continue
    // A row that was deleted and comes back stands behind those that came meanwhile, in memory and in its page.
    if (change.text === undefined || change.reinsertedAt > page.seq) page.rows.delete(id)
    if (change.text !== undefined) page.rows.set(id, change.text)
  }
  page.seq = Math.max(page.seq, seq)
}

function putRow(page: RowChanges, id: string, text: string, seq: number): void {
  const earlier = page.get(id)
  const cameBack = earlier !== undefined && earlier.text === undefined
  if (cameBack) page.delete(id)
  page.set(id, { seq, text, reinsertedAt: cameBack ? seq : (earlier?.reinsertedAt ?? 0) })
}
