// Reads the pages of all tables into memory.
import { join } from 'node:path'
import { TABLE_NAMES, type TableName } from '../../engine/tables.ts'
import { StoreDamagedError } from '../errors.ts'
import type { FileSystemPort } from '../folder/file-system.ts'
import { type Layout, pageName, pageNumber, tableFolder } from '../folder/layout.ts'
import type { StateFile } from '../folder/state-file.ts'
import type { Place, RowsInTwoPages } from '../journal/apply-line.ts'
import type { Memory } from '../memory/memory.ts'
import { MAX_ORDINALS } from '../memory/ordinal-index.ts'
import type { Row } from '../memory/row.ts'
import type { Table } from '../memory/table.ts'
import { fieldHash, fieldText } from './json-field.ts'
import { PAGE_ROWS, type Page } from './page.ts'
import { parsePageList } from './page-list.ts'
import { lineOfRow, type PageContent, readPage } from './page-text.ts'
import { assertNotDeleted, assertNotStale } from './stale-pages.ts'

export interface PageRef {
  readonly table: TableName
  readonly number: number
}

export interface EditedPage extends PageRef {
  readonly file: string
  readonly rows: readonly Row[]
  /** Returns the line number of a row. */
  line(slot: number): number
}

export interface LoadedPages {
  /** Rows that are in two pages. This is damage, unless the journal explains it. */
  readonly inTwoPages: RowsInTwoPages
  /** Pages that were edited by hand. */
  readonly edited: readonly EditedPage[]
  /** The next checkpoint lists the pages that state.json lacks, and removes the files of pages without rows. */
  readonly unlistedOrEmpty: readonly PageRef[]
  /** Pages that state.json lists and that do not exist. This is damage, unless the journal cleared the table. */
  readonly missing: Map<TableName, readonly number[]>
  /** The page file with the latest journal line. */
  readonly newest: { readonly seq: number; readonly file: string }
  readonly bytes: number
}

const MAX_PAGES = Math.floor(MAX_ORDINALS / PAGE_ROWS)

/** @throws StoreDamagedError */
export function loadPages(port: FileSystemPort, layout: Layout, memory: Memory, state: StateFile): LoadedPages {
  const inTwoPages: RowsInTwoPages = new Map()
  const edited: EditedPage[] = []
  const unlistedOrEmpty: PageRef[] = []
  const missing = new Map<TableName, readonly number[]>()
  const listed = parsePageList(state.pages)
  let newest = { seq: 0, file: '' }
  let size = 0
  for (const name of TABLE_NAMES) {
    const table = memory.table(name)
    const folder = tableFolder(layout, name)
    const expected = new Map(listed?.get(name))
    for (const number of pageNumbers(port, folder)) {
      const file = join(folder, pageName(number))
      const bytes = port.read(file) ?? Buffer.alloc(0)
      size += bytes.length
      const content = readPage(file, bytes)
      const { isIntact, seq = 0, rows } = content
      const listedSeq = expected.get(number)
      expected.delete(number)
      if (content.seq !== undefined) assertNotStale(file, seq, listedSeq)
      if (isIntact && rows.length > 0 && listed !== undefined && listedSeq === undefined) {
        assertNotDeleted(file, seq, state.seq)
      }
      loadPage(table, number, file, bytes, content, inTwoPages)
      if (seq > newest.seq) newest = { seq, file }
      const isListed = listedSeq !== undefined || listed === undefined
      if (!isIntact) {
        const line = (slot: number) => lineOfRow(bytes, slot, rows.length)
        edited.push({ table: name, number, file, rows: rows.flatMap(({ row }) => row ?? []), line })
      } else if (!isListed || rows.length === 0) unlistedOrEmpty.push({ table: name, number })
    }
    if (expected.size > 0) missing.set(name, [...expected.keys()])
    table.next = Math.max(table.next, state.counters[name] ?? 0)
  }
  return { inTwoPages, edited, unlistedOrEmpty, missing, newest, bytes: size }
}

function loadPage(
  table: Table,
  number: number,
  file: string,
  bytes: Buffer,
  { seq = 0, isIntact, rows }: PageContent,
  inTwoPages: RowsInTwoPages,
): void {
  const lineOf = (slot: number) => lineOfRow(bytes, slot, rows.length)
  if (rows.length > PAGE_ROWS) {
    const why = `a page contains at most ${PAGE_ROWS} rows: move the other rows to a new last page, ${pageName(number + 1)} or later`
    throw new StoreDamagedError(file, lineOf(PAGE_ROWS), why)
  }
  if (number >= MAX_PAGES) throw new StoreDamagedError(file, 1, `the number of a page must be below ${MAX_PAGES}`)
  const page = table.addPage(number, seq, isIntact ? bytes : undefined)
  for (const [slot, { row, start, end }] of rows.entries()) {
    const ordinal = number * PAGE_ROWS + slot
    const isCurrent = (id: string) => {
      const known = table.ordinal(id)
      return known === undefined || isNewer(table, known, page, { file, line: lineOf(slot) }, inTwoPages, id)
    }
    if (row !== undefined) {
      if (isCurrent(row.id)) table.insert(ordinal, row)
      continue
    }
    const hash = fieldHash(bytes, start, end, 'id') ?? 0
    if (table.mayHaveId(hash) && !isCurrent(fieldText(bytes, start, end, 'id') ?? '')) continue
    table.insertLine(ordinal, hash, bytes, { start, end })
  }
  page.finishLoading()
}

/**
 * Handles a row that is in two pages, which a crash during a checkpoint may cause. The copy in the page with the later
 * journal line is kept.
 * @returns whether the copy in `page` is kept
 */
function isNewer(
  table: Table,
  known: number,
  page: Page,
  here: Place,
  inTwoPages: RowsInTwoPages,
  id: string,
): boolean {
  const other = table.page(Math.floor(known / PAGE_ROWS))
  if (other === undefined || other.seq === page.seq) {
    throw new StoreDamagedError(here.file, here.line, `the row ${id} is in the pages twice`)
  }
  inTwoPages.set(`${table.name} ${id}`, here)
  if (other.seq > page.seq) return false
  table.remove(id)
  return true
}

export function pageNumbers(port: FileSystemPort, folder: string): number[] {
  const numbers = port.list(folder).map(pageNumber)
  return numbers.filter((number) => number !== undefined).sort((a, b) => a - b)
}
