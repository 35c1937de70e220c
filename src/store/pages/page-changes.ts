import { omitUndefined } from '../../domain/omit-undefined.ts'
import type { StateRow, TableName } from '../../engine/tables.ts'
import { type StateFile, stateFields, stateRows } from '../folder/state-file.ts'
import type { RawLine } from '../journal/raw-line.ts'
import { PAGE_ROWS } from './page.ts'
import type { PageData } from './page-file.ts'

/** The combined effect of journal lines: for each page, the last change of each row. */
export interface PageChanges {
  readonly tables: ReadonlyMap<TableName, TableChanges>
  /** state.json after the lines. */
  readonly state: StateFile
}

export interface TableChanges {
  /** The last line that cleared the table, or 0. It deletes all earlier rows of the pages. */
  clearedAt: number
  readonly pages: Map<number, RowChanges>
}

/** The last change of each row, by id. */
type RowChanges = Map<string, RowChange>

interface RowChange {
  /** The journal line of the change. */
  readonly seq: number
  /** The row as JSON, with one character per byte (see `bytesAsText`), or `undefined` if it was deleted. */
  readonly text: string | undefined
  /** The line that inserted the row again after its deletion, or 0. */
  readonly reinsertedAt: number
}

/** Combines journal lines, which are added in order. */
export function createChangeCollector(state: StateFile): { add(line: RawLine): void; sum(): PageChanges } {
  const tables = new Map<TableName, TableChanges>()
  const counters = { ...state.counters }
  const stateRowsById = new Map<string, StateRow>(stateRows(state).map((row) => [row.id, row]))
  let { seq, seq_crc } = state
  return { add, sum }

  function add(line: RawLine): void {
    seq = line.seq
    seq_crc = line.crc
    for (const table of line.clear ?? []) {
      if (table === 'state') stateRowsById.clear()
      tables.set(table, { clearedAt: seq, pages: new Map() })
      counters[table] = 0
    }
    for (const { table, n, id } of line.deletes ?? []) {
      if (table === 'state') stateRowsById.delete(id)
      else changesOf(table, n).set(id, { seq, text: undefined, reinsertedAt: 0 })
    }
    for (const { table, n, id, text } of line.puts ?? []) {
      if (table === 'state') stateRowsById.set(id, JSON.parse(Buffer.from(text, 'latin1').toString('utf8')) as StateRow)
      else putRow(changesOf(table, n), id, text, seq)
      counters[table] = Math.max(counters[table] ?? 0, n + 1)
    }
  }

  function sum(): PageChanges {
    tables.delete('state')
    const { format, pages, pages_folder } = state
    return {
      tables,
      state: omitUndefined({
        format,
        seq,
        seq_crc,
        counters,
        pages,
        pages_folder,
        ...stateFields(stateRowsById.values()),
      }),
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

/** Updates a page to line `seq`. Changes that the page already contains are skipped. */
export function applyChanges(page: PageData, { clearedAt }: TableChanges, rows: RowChanges, seq: number): void {
  if (page.seq < clearedAt) page.rows.clear()
  for (const [id, change] of rows) {
    if (change.seq <= page.seq) continue
    // A row that was deleted and inserted again moves to the end, in memory and in its page.
    if (change.text === undefined || change.reinsertedAt > page.seq) page.rows.delete(id)
    if (change.text !== undefined) page.rows.set(id, change.text)
  }
  page.seq = Math.max(page.seq, seq)
}

function putRow(page: RowChanges, id: string, text: string, seq: number): void {
  const earlier = page.get(id)
  const isReinserted = earlier !== undefined && earlier.text === undefined
  if (isReinserted) page.delete(id)
  page.set(id, { seq, text, reinsertedAt: isReinserted ? seq : (earlier?.reinsertedAt ?? 0) })
}
