// Converts the text of a state to pages. It reads, checks and encodes each row when its text is complete.
import { Buffer } from 'node:buffer'
import { type BatchSize, isFull } from '../../engine/batch-size.ts'
import { INDEXES, type StateRow, TABLE_NAMES, type TableName } from '../../engine/tables.ts'
import type { Row } from '../memory/row.ts'
import { PAGE_LIMIT, PAGE_ROWS } from '../pages/page.ts'
import { encodePage } from '../pages/page-text.ts'
import { type EnvelopeKind, fieldIssue, missingFieldIssue } from './envelopes.ts'
import { duplicateError, type OverRefunded, RowChecks, requireTable } from './row-checks.ts'
import { type StateItem, StateReader } from './state-reader.ts'
import { StateTextError } from './state-text-error.ts'

export interface StagedPage {
  readonly table: TableName
  readonly number: number
  /** The index of its first row among the rows of the table in the text of the state. */
  readonly first: number
  readonly bytes: Buffer
  /** The line of each row in the text of the state. */
  readonly lines: Uint32Array
}

/** The parts of a state that are not in pages. */
export interface ImportSummary {
  readonly state: readonly StateRow[]
  /** For each table with pages, the ordinal of the next new row. */
  readonly counters: ReadonlyMap<TableName, number>
  readonly overRefunded: readonly OverRefunded[]
}

/** A page that is not complete. `bytes` is a number of characters. */
class OpenPage implements BatchSize {
  readonly number: number
  readonly first: number
  readonly texts: string[] = []
  readonly lines: number[] = []
  bytes = 0

  constructor(number: number, first: number) {
    this.number = number
    this.first = first
  }

  get rows(): number {
    return this.texts.length
  }

  add(text: string, line: number): void {
    this.texts.push(text)
    this.lines.push(line)
    this.bytes += text.length
  }
}

/** After a slice of this size, `push` yields `undefined`. */
const SLICE_LIMIT: BatchSize = { rows: 64, bytes: 64 * 1024 }

export class StateImporter {
  readonly #kind: EnvelopeKind
  readonly #seq: number
  readonly #reader = new StateReader()
  readonly #checks = new RowChecks()
  readonly #fields = new Set<string>()
  readonly #open = new Map<TableName, OpenPage>()
  readonly #state: StateRow[] = []
  readonly #counters = new Map<TableName, number>()
  #table: TableName = 'state'
  #slice = { rows: 0, bytes: 0 }

  /** @param seq the number of the journal line that precedes the pages */
  constructor(kind: EnvelopeKind, seq: number) {
    this.#kind = kind
    this.#seq = seq
  }

  /**
   * Yields pages, and `undefined` when it is time for a pause.
   * @throws StateTextError
   */
  *push(chunk: Uint8Array): Generator<StagedPage | undefined> {
    for (const item of this.#reader.push(chunk)) {
      const page = this.#take(item)
      if (page !== undefined) yield page
      if (!isFull(this.#slice, SLICE_LIMIT)) continue
      this.#slice = { rows: 0, bytes: 0 }
      yield undefined
    }
  }

  /**
   * Call it after the last chunk.
   * @throws StateTextError
   */
  *end(): Generator<StagedPage> {
    this.#reader.end()
    const missing = missingFieldIssue(this.#kind, this.#fields)
    if (missing !== undefined) throw new StateTextError(missing, 1)
    this.#checks.end()
    for (const [table, page] of this.#open) if (page.rows > 0) yield this.#closePage(table, page)
  }

  summary(): ImportSummary {
    return { state: this.#state, counters: this.#counters, overRefunded: this.#checks.overRefunded }
  }

  #take(item: StateItem): StagedPage | undefined {
    if (item.kind === 'field') this.#checkField(item.name, item.value, item.line)
    else if (item.kind === 'table') this.#table = requireTable(item.name, item.line)
    else return this.#takeRow(item.index, item.row, item.line)
    return undefined
  }

  #checkField(name: string, value: unknown, line: number): void {
    const problem = this.#fields.has(name) ? `${name}: the field exists twice` : fieldIssue(this.#kind, name, value)
    if (problem !== undefined) throw new StateTextError(problem, line)
    this.#fields.add(name)
  }

  #takeRow(index: number, given: unknown, line: number): StagedPage | undefined {
    const table = this.#table
    const row = this.#checks.check(table, index, given, line)
    this.#slice.rows++
    if (table === 'state') {
      if (this.#state.some(({ id }) => id === row.id)) throw duplicateError({ table, index, line }, row.id)
      this.#state.push(row as StateRow)
      return undefined
    }
    const text = formatRow(table, row)
    this.#slice.bytes += text.length
    const page = this.#open.get(table) ?? new OpenPage(0, 0)
    this.#open.set(table, page)
    page.add(text, line)
    this.#counters.set(table, page.number * PAGE_ROWS + page.rows)
    return isFull(page, PAGE_LIMIT) ? this.#closePage(table, page) : undefined
  }

  #closePage(table: TableName, { number, first, texts, lines, rows }: OpenPage): StagedPage {
    const bytes = encodePage(this.#seq, Buffer.from(`${texts.join(',\n')}\n]}\n`))
    this.#open.set(table, new OpenPage(number + 1, first + rows))
    return { table, number, first, bytes, lines: Uint32Array.from(lines) }
  }
}

/** Fields that are searched in the text of a row. A search finds the first such name, even in a nested object. */
const INDEXED_FIELDS: ReadonlyMap<TableName, readonly string[]> = new Map(
  TABLE_NAMES.map((table) => [
    table,
    ['id', ...Object.values(INDEXES[table as keyof typeof INDEXES] ?? {}), ...(table === 'payments' ? ['status'] : [])],
  ]),
)

/**
 * Returns the text of a row in the format of a page. The id is first, and no object precedes an indexed field, because
 * the object may have a field of the same name. Rows that psp wrote already have this order.
 */
function formatRow(table: TableName, row: Row): string {
  const names = INDEXED_FIELDS.get(table) ?? []
  if (isInOrder(row, names)) return JSON.stringify(row)
  const entries = Object.entries(row)
  const first = names.flatMap((name) => entries.filter(([key]) => key === name))
  // A repeated key keeps its first place.
  return JSON.stringify(Object.fromEntries([...first, ...entries]))
}

function isInOrder(row: object, names: readonly string[]): boolean {
  let isFirst = true
  let hadObject = false
  for (const name in row) {
    if (isFirst && name !== 'id') return false
    isFirst = false
    if (names.includes(name)) {
      if (hadObject) return false
    } else if (typeof (row as Record<string, unknown>)[name] === 'object') hadObject = true
  }
  return true
}
