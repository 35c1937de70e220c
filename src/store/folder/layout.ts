// The names of files and directories in the data directory.
import { join } from 'node:path'
import type { TableName } from '../../engine/tables.ts'

/** Increases if an older version of psp cannot read what this one writes. */
export const FORMAT = 3

/** The format of a data directory that has a numbered pages directory, which an older psp would not find. */
export const NUMBERED_FORMAT = 4

export interface Layout {
  readonly folder: string
  readonly lock: string
  readonly gitignore: string
  readonly state: string
  /** A directory for each table. Each file in it is a row page, which is full with 1,024 rows or 4 MiB. */
  readonly pages: string
  readonly journal: string
  /** Contains the name of the newest journal file. If that journal file is lost, the next start notices it. */
  readonly newest: string
  readonly snapshots: string
  /** The shop and the seed that a reset with `all` restores. See `StartRecord`. */
  readonly start: string
}

/** @param pages see `StateFile.pages_folder` */
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

/**
 * Returns the name of a directory for the pages of an imported or restored state.
 * @param number never used before
 */
export function numberedPagesFolder(number: number): string {
  return `${PAGES}-${String(number).padStart(12, '0')}`
}

export function isNumberedPagesFolder(name: string): boolean {
  return /^pages-\d{12,}$/.test(name)
}

export function isPagesFolder(name: string): boolean {
  return name === PAGES || isNumberedPagesFolder(name)
}

export function tableFolder(layout: Layout, table: TableName): string {
  return join(layout.pages, table)
}

export function pageFile(layout: Layout, table: TableName, number: number): string {
  return join(tableFolder(layout, table), pageName(number))
}

/** Formats 12 as `000012.json`. */
export function pageName(number: number): string {
  return `${String(number).padStart(6, '0')}.json`
}

/** Parses `000012.json` as 12. */
export function pageNumber(name: string): number | undefined {
  return /^\d{6,}\.json$/.test(name) ? Number.parseInt(name, 10) : undefined
}

/** @param seq the number of the first line in the file */
export function journalFile(layout: Layout, seq: number): string {
  return join(layout.journal, `${String(seq).padStart(12, '0')}.ndjson`)
}

/** Parses `000000000123.ndjson` as 123. */
export function journalSeq(name: string): number | undefined {
  return /^\d{12,}\.ndjson$/.test(name) ? Number.parseInt(name, 10) : undefined
}
