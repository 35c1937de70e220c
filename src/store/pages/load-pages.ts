// Reads the pages of all tables into the memory.
import { join } from 'node:path'
import { TABLE_NAMES, type TableName } from '../../engine/tables.ts'
import { StoreDamagedError } from '../errors.ts'
import type { FileSystemPort } from '../folder/file-system.ts'
import { type Layout, pageName, pageNumber, tableFolder } from '../folder/layout.ts'
import type { StateFile } from '../folder/state-file.ts'
import type { Place, StaleCopies } from '../journal/replay.ts'
import type { Memory } from '../memory/memory.ts'
import { MAX_ORDINALS } from '../memory/ordinal-index.ts'
import type { Row } from '../memory/row.ts'
import type { Table } from '../memory/table.ts'
import { parseLine } from './block.ts'
import { COMPRESSION } from './compression-policy.ts'
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
  /** The line a row stands in. */
  line(slot: number): number
}

export interface LoadedPages {
  /** Rows that two pages hold; only the journal can tell that this is right. */
  readonly stale: StaleCopies
  /** Pages that people changed. */
  readonly edited: readonly EditedPage[]
  /** Pages that state.json does not list, or that have no rows left. */
  readonly unlistedOrEmpty: readonly PageRef[]
  /** Pages that state.json lists and that are not there; only the journal can tell that this is right. */
  readonly missing: Map<TableName, readonly number[]>
  /** The page that is furthest on. */
  readonly newest: { readonly seq: number; readonly file: string }
  readonly bytes: number
}

const MAX_PAGES = Math.floor(MAX_ORDINALS / PAGE_ROWS)

/** @throws StoreDamagedError */
export function loadPages(port: FileSystemPort, layout: Layout, memory: Memory, state: StateFile): LoadedPages {
  const stale: StaleCopies = new Map()
  const edited: EditedPage[] = []
  const odd: PageRef[] = []
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
      const { isIntact: intact, seq = 0, rows } = content
      const at = expected.get(number)
      expected.delete(number)
      if (content.seq !== undefined) assertNotStale(file, seq, at)
      if (intact && rows.length > 0 && listed !== undefined) {
        assertNotDeleted(file, seq, { listed: at, upTo: state.seq })
      }
      loadPage(table, number, file, bytes, content, stale)
      if (seq > newest.seq) newest = { seq, file }
      const known = at !== undefined || listed === undefined
      if (!intact) {
        const line = (slot: number) => lineOfRow(bytes, slot, rows.length)
        edited.push({ table: name, number, file, rows: rows.flatMap(({ row }) => row ?? []), line })
      } else if (!known || rows.length === 0) odd.push({ table: name, number })
    }
    if (expected.size > 0) missing.set(name, [...expected.keys()])
    table.next = Math.max(table.next, state.counters[name] ?? 0)
  }
  return { stale, edited, unlistedOrEmpty: odd, missing, newest, bytes: size }
}

function loadPage(
  table: Table,
  number: number,
  file: string,
  bytes: Buffer,
  { seq = 0, isIntact: intact, rows }: PageContent,
  stale: StaleCopies,
): void {
  const lineOf = (slot: number) => lineOfRow(bytes, slot, rows.length)
  if (rows.length > PAGE_ROWS) {
    const why = `a page holds ${PAGE_ROWS} rows at most: move the rest to a new last page, ${pageName(number + 1)} or later`
    throw new StoreDamagedError(file, lineOf(PAGE_ROWS), why)
  }
  if (number >= MAX_PAGES) throw new StoreDamagedError(file, 1, `the number of a page is below ${MAX_PAGES}`)
  const lazy = intact && COMPRESSION[table.name] !== undefined
  const page = table.addPage(number, seq)
  if (lazy) page.startLoading(bytes)
  for (const [slot, { row, start, end }] of rows.entries()) {
    const ordinal = number * PAGE_ROWS + slot
    const isRight = (id: string) => {
      const known = table.ordinal(id)
      return known === undefined || isNewer(table, known, page, { file, line: lineOf(slot) }, stale, id)
    }
    if (!lazy) {
      const parsed = row ?? parseLine(bytes, start)
      if (isRight(parsed.id)) table.insert(ordinal, parsed)
      continue
    }
    const hash = fieldHash(bytes, start, end, 'id') ?? 0
    if (table.mayHaveId(hash) && !isRight(fieldText(bytes, start, end, 'id') ?? '')) continue
    table.insertLine(ordinal, hash, start, (field) => fieldHash(bytes, start, end, field))
  }
  page.finishLoading()
}

/**
 * A crash in a checkpoint may leave a row that moved in two pages: the page that is further on is right. @returns false
 * when that is the one seen before
 */
function isNewer(table: Table, known: number, page: Page, here: Place, stale: StaleCopies, id: string): boolean {
  const other = table.page(Math.floor(known / PAGE_ROWS))
  if (other === undefined || other.seq === page.seq) {
    throw new StoreDamagedError(here.file, here.line, `the row ${id} is in the pages twice`)
  }
  stale.set(`${table.name} ${id}`, here)
  if (other.seq > page.seq) return false
  table.remove(id)
  return true
}

export function pageNumbers(port: FileSystemPort, folder: string): number[] {
  const numbers = port.list(folder).map(pageNumber)
  return numbers.filter((number) => number !== undefined).sort((a, b) => a - b)
}
