// Tables that are built next to the tables in use. One commit then replaces the tables in use.

import type { Payment } from '../../domain/payment.ts'
import type { Refund } from '../../domain/refund.ts'
import { OPEN_STATUSES } from '../../engine/payment-timer.ts'
import { refundTotalIssue } from '../../engine/row-consistency.ts'
import { type StateRow, TABLE_NAMES, type TableName, type Timer } from '../../engine/tables.ts'
import { NEWLINE } from '../json-characters.ts'
import type { PreparedTablesState } from '../memory/prepared-tables-state.ts'
import { Table } from '../memory/table.ts'
import type { TablePages } from '../memory/table-pages.ts'
import { fieldHash, fieldText } from '../pages/json-field.ts'
import { PAGE_ROWS } from '../pages/page.ts'
import { locateRows } from '../pages/page-text.ts'
import { duplicateError, type OverRefunded, rowError } from './row-checks.ts'
import type { StagedPage } from './state-importer.ts'

/** Yields to the event loop. */
export type Pause = () => Promise<void>

/** The number of rows between two pauses. Adding this many rows takes about a millisecond. */
const SLICE_ROWS = 128

/** The methods that add rows may throw StateTextError. */
export class PreparedTables implements PreparedTablesState {
  readonly tables: ReadonlyMap<TableName, Table> = new Map(TABLE_NAMES.map((name) => [name, new Table(name)]))
  readonly folder: string | undefined
  state: readonly StateRow[] = []
  bytes = 0
  readonly #pause: Pause
  readonly #seq: number

  constructor(pause: Pause, target: { readonly seq: number; readonly folder?: string | undefined }) {
    this.#pause = pause
    this.#seq = target.seq
    this.folder = target.folder
  }

  async add({ table: name, number, first, bytes, lines }: StagedPage): Promise<void> {
    const table = this.#table(name)
    const page = table.addPage(number, this.#seq, bytes)
    const rows = locateRows(bytes, bytes.indexOf(NEWLINE) + 1)
    for (const [slot, { start, end }] of rows.entries()) {
      if (slot > 0 && slot % SLICE_ROWS === 0) await this.#pause()
      const ordinal = number * PAGE_ROWS + slot
      const hash = fieldHash(bytes, start, end, 'id') ?? 0
      if (table.mayHaveId(hash)) {
        const id = fieldText(bytes, start, end, 'id') ?? ''
        if (table.ordinal(id) !== undefined)
          throw duplicateError({ table: name, index: first + slot, line: lines[slot] ?? 1 }, id)
      }
      table.insertLine(ordinal, hash, bytes, { start, end })
    }
    page.finishLoading()
    this.bytes += bytes.length
    await this.#pause()
  }

  /** Adds the rows of a snapshot without copying their pages. A page is copied before this table changes it. */
  async share(name: TableName, rows: TablePages): Promise<void> {
    let number = 0
    for (const ordinal of this.#table(name).share(rows)) {
      const isNextPage = Math.floor(ordinal / PAGE_ROWS) !== number
      number = Math.floor(ordinal / PAGE_ROWS)
      if (isNextPage || (ordinal + 1) % SLICE_ROWS === 0) await this.#pause()
    }
  }

  /** Checks that refunded totals above the amount are at most the sum of the refunds. Call it after the last row. */
  async checkRefunds(payments: readonly OverRefunded[]): Promise<void> {
    for (const { payment, index, line } of payments) {
      const why = refundTotalIssue(
        payment as Payment,
        this.#table('refunds').find('by_payment', payment.id) as readonly object[] as Refund[],
      )
      if (why !== undefined) throw rowError({ table: 'payments', index, line }, 'amount_refunded', why)
      await this.#pause()
    }
  }

  /** Yields the timers and the unfinished payments, which have timers. `undefined` marks a good time for a pause. */
  *timed(): ReturnType<PreparedTablesState['timed']> {
    let count = 0
    for (const row of this.#table('timers').rows('oldest')) {
      yield { table: 'timers', row: row as Timer }
      if (++count % SLICE_ROWS === 0) yield undefined
    }
    for (const rows of this.#table('payments').pagesWith('status', OPEN_STATUSES)) {
      for (const row of rows) {
        yield { table: 'payments', row: row as Payment }
        if (++count % SLICE_ROWS === 0) yield undefined
      }
      yield undefined
    }
  }

  /** Stops the background work of the tables, because they are not used. */
  discard(): void {
    for (const table of this.tables.values()) table.stopCompression()
  }

  #table(name: TableName): Table {
    return this.tables.get(name) as Table
  }
}
