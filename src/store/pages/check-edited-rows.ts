// Checks the rows of pages that were edited by hand, as an import checks its rows. Later code relies on valid rows.

import type { Delivery } from '../../domain/delivery.ts'
import type { Payment } from '../../domain/payment.ts'
import type { Endpoint } from '../../domain/shop.ts'
import { expected } from '../../domain/zod-messages.ts'
import type { TableName } from '../../engine/tables.ts'
import { fieldOf } from '../../engine/tables.ts'
import { StoreDamagedError } from '../errors.ts'
import { type Layout, pageFile } from '../folder/layout.ts'
import type { Memory } from '../memory/memory.ts'
import type { Row } from '../memory/row.ts'
import type { EditedPage } from './load-pages.ts'
import { PAGE_ROWS } from './page.ts'

/**
 * @param memory the rows after recovery has applied the journal
 * @throws StoreDamagedError with the file and line of an invalid row. For a row that refers to a removed shop or
 *   merchant, the line is 1.
 */
export async function checkEditedRows(memory: Memory, layout: Layout, edited: readonly EditedPage[]): Promise<void> {
  if (edited.length === 0) return
  // Imported here, because most starts need neither module.
  const { TABLE_ROWS } = await import('../../engine/row-schemas.ts')
  const { REFERENCES, refundTotalIssue, deliveryUrlIssue } = await import('../../engine/row-consistency.ts')

  for (const { table, file, rows, line } of edited) {
    for (const [slot, row] of rows.entries()) {
      // A row that the journal deleted, alone or with its table, is not checked.
      if (memory.table(table).ordinal(row.id) !== undefined) checkRow(table, row, file, line(slot))
    }
  }
  checkOtherRows(new Set(edited.map(({ table }) => table).filter((table) => OWNERS.includes(table))))

  function checkRow(table: TableName, row: Row, file: string, line: number): void {
    const issue = TABLE_ROWS[table].safeParse(row, { error: (details) => `expected ${expected(details)}` }).error
      ?.issues[0]
    if (issue !== undefined) throw rowError(file, line, row, issue.path.map(String).join('.'), issue.message)
    for (const [from, field, to] of REFERENCES) {
      if (from === table) checkReference(file, line, row, field, to)
    }
    if (table === 'deliveries') {
      const delivery = row as Delivery
      const urlIssue = deliveryUrlIssue(delivery, endpointOf(delivery))
      if (urlIssue !== undefined) throw rowError(file, line, row, 'url', urlIssue)
    }
    if (table === 'payments') {
      const refundIssue = refundTotalIssue(row as Payment, memory.find('refunds', 'by_payment', row.id))
      if (refundIssue !== undefined) throw rowError(file, line, row, 'amount_refunded', refundIssue)
    }
  }

  /** If a merchant or shop was removed, rows in other pages may refer to it. */
  function checkOtherRows(owners: ReadonlySet<TableName>): void {
    for (const [from, field, to] of REFERENCES) {
      if (!owners.has(to)) continue
      for (const row of memory.rows(from) as Iterable<Row>) {
        const file = pageFile(layout, from, Math.floor((memory.table(from).ordinal(row.id) ?? 0) / PAGE_ROWS))
        checkReference(file, 1, row, field, to)
      }
    }
  }

  function endpointOf({ endpoint_id }: Delivery): Endpoint | undefined {
    return endpoint_id === undefined ? undefined : (memory.table('endpoints').get(endpoint_id) as Endpoint | undefined)
  }

  function checkReference(file: string, line: number, row: Row, field: string, to: TableName): void {
    const id = String(fieldOf(row, field))
    const target = memory.table(to).get(id) as { readonly merchant_id?: unknown } | undefined
    if (target === undefined) throw rowError(file, line, row, field, `${to} has no ${id}`)
    const { merchant_id } = row as { readonly merchant_id?: unknown }
    if (field === 'shop_id' && target.merchant_id !== merchant_id) {
      throw rowError(file, line, row, 'merchant_id', 'the shop belongs to another merchant')
    }
  }
}

const OWNERS: readonly TableName[] = ['merchants', 'shops']

function rowError(file: string, line: number, row: Row, field: string, why: string): StoreDamagedError {
  const prefix = field === '' ? '' : `${field}: `
  return new StoreDamagedError(file, line, `the row ${row.id} cannot be used: ${prefix}${why}`)
}
