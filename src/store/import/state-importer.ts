// Converts the text of a state to pages: it reads, checks and encodes the rows as they arrive.
import { Buffer } from 'node:buffer'
import type { StateRow, TableName } from '../../engine/tables.ts'
import { PAGE_ROWS } from '../pages/page.ts'
import { encodePage } from '../pages/page-text.ts'
import { type EnvelopeKind, fieldIssue, missingFieldIssue } from './envelopes.ts'
import { duplicateError, type OverRefunded, RowChecks, requireTable } from './row-checks.ts'
import { formatRow } from './row-text.ts'
import type { StateItem } from './state-item.ts'
import { StateReader } from './state-reader.ts'
import { StateTextError } from './state-text-error.ts'

export interface StagedPage {
  readonly table: TableName
  readonly number: number
  /** The content of its file. */
  readonly bytes: Buffer
  /** The line of each row in the text of the state. */
  readonly lines: Uint32Array
}

/** The parts of a state that are not in pages. */
export interface ImportSummary {
  readonly state: readonly StateRow[]
  /** The number of rows of each table with pages. */
  readonly counts: ReadonlyMap<TableName, number>
  readonly overRefunded: readonly OverRefunded[]
}

interface OpenPage {
  number: number
  texts: string[]
  lines: number[]
}

/** The number of rows, or characters, after which the importer yields to the event loop. */
const SLICE_ROWS = 64
const SLICE_LENGTH = 64 * 1024

export class StateImporter {
  readonly #kind: EnvelopeKind
  readonly #seq: number
  readonly #reader = new StateReader()
  readonly #checks = new RowChecks()
  readonly #fields = new Set<string>()
  readonly #open = new Map<TableName, OpenPage>()
  readonly #state: StateRow[] = []
  readonly #counts = new Map<TableName, number>()
  #table: TableName = 'state'
  #sliceRows = 0
  #sliceLength = 0

  /** @param seq the number of the journal line that precedes the pages */
  constructor(kind: EnvelopeKind, seq: number) {
    this.#kind = kind
    this.#seq = seq
  }

  /** Yields pages, and `undefined` when it is time for a pause. @throws StateTextError */
  *push(chunk: Uint8Array): Generator<StagedPage | undefined> {
    for (const item of this.#reader.push(chunk)) {
      const page = this.#take(item)
      if (page !== undefined) yield page
      if (this.#sliceRows < SLICE_ROWS && this.#sliceLength < SLICE_LENGTH) continue
      this.#sliceRows = 0
      this.#sliceLength = 0
      yield undefined
    }
  }

  /** Call it after the last chunk. @throws StateTextError */
  *end(): Generator<StagedPage> {
    this.#reader.end()
    const missing = missingFieldIssue(this.#kind, this.#fields)
    if (missing !== undefined) throw new StateTextError(missing, 1)
    this.#checks.end()
    for (const [table, { texts }] of this.#open) if (texts.length > 0) yield this.#closePage(table)
  }

  summary(): ImportSummary {
    return { state: this.#state, counts: this.#counts, overRefunded: this.#checks.overRefunded }
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
    const { row } = this.#checks.check(table, index, given, line)
    this.#sliceRows++
    if (table === 'state') {
      if (this.#state.some(({ id }) => id === row.id)) throw duplicateError({ table, index, line }, row.id)
      this.#state.push(row as StateRow)
      return undefined
    }
    const text = formatRow(table, row)
    this.#sliceLength += text.length
    const page = this.#open.get(table) ?? { number: 0, texts: [], lines: [] }
    this.#open.set(table, page)
    page.texts.push(text)
    page.lines.push(line)
    this.#counts.set(table, index + 1)
    return page.texts.length === PAGE_ROWS ? this.#closePage(table) : undefined
  }

  #closePage(table: TableName): StagedPage {
    const page = this.#open.get(table) as OpenPage
    const bytes = encodePage(this.#seq, Buffer.from(`${page.texts.join(',\n')}\n]}\n`))
    const staged = { table, number: page.number, bytes, lines: Uint32Array.from(page.lines) }
    this.#open.set(table, { number: page.number + 1, texts: [], lines: [] })
    return staged
  }
}
