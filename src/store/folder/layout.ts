// Names in the data directory.
import { join } from 'node:path'
import type { TableName } from '../../engine/tables.ts'

/** Raised when an older program could not read what this one writes. */
export const FORMAT = 3

/** Of a folder whose pages are in a folder with a number: an older program would not find them. */
export const NUMBERED_FORMAT = 4

export interface Layout {
  readonly folder: string
  readonly lock: string
  readonly gitignore: string
  readonly state: string
  readonly pages: string
  readonly journal: string
  /** Names the journal file that was begun last: one that is gone is missed. */
  readonly newest: string
  readonly snapshots: string
  readonly start: string
}

/** @param pages the folder of the pages; see `StateFile.pages_folder` */
export function layoutOf(folder: string, pages = PAGES): Layout {
  return {
    folder,
    lock: join(folder, 'lock'),
    gitignore: join(folder, '.gitignore'),
    state: join(folder, 'state.json'),
    pages: join(folder, pages),
    journal: join(folder, 'journal'),
    newest: join(folder, 'newest-journal'),
    snapshots: join(folder, 'snapshots'),
    start: join(folder, 'start.json'),
  }
}

const PAGES = 'pages'

/** The folder for the pages of a state that takes the place of the present one. @param seq a number that none had before */
export function numberedPagesFolder(seq: number): string {
  return `${PAGES}-${String(seq).padStart(12, '0')}`
}

export function isNumberedPagesFolder(name: string): boolean {
  return /^pages-\d{12,}$/.test(name)
}

/** Folders of pages in a data directory. */
export function isPagesFolder(name: string): boolean {
  return name === PAGES || isNumberedPagesFolder(name)
}

export function tableFolder(layout: Layout, table: TableName): string {
  return join(layout.pages, table)
}

export function pageFile(layout: Layout, table: TableName, number: number): string {
  return join(tableFolder(layout, table), pageName(number))
}

/** 12 to `000012.json`. */
export function pageName(number: number): string {
  return `${String(number).padStart(6, '0')}.json`
}

/** `000012.json` to 12. */
export function pageNumber(name: string): number | undefined {
  return /^\d{6,}\.json$/.test(name) ? Number.parseInt(name, 10) : undefined
}

/** @param seq number of the first line in it */
export function journalFile(layout: Layout, seq: number): string {
  return join(layout.journal, `${String(seq).padStart(12, '0')}.ndjson`)
}

/** `000000000123.ndjson` to 123. */
export function journalSeq(name: string): number | undefined {
  return /^\d{12,}\.ndjson$/.test(name) ? Number.parseInt(name, 10) : undefined
}
