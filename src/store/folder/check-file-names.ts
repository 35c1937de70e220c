// Rejects files with wrong names. The store would ignore them, and their rows would be lost.
import { basename, join } from 'node:path'
import { isTableName, TABLE_NAMES } from '../../engine/tables.ts'
import { StoreDamagedError } from '../errors.ts'
import { type FileSystemPort, ignoreErrors } from './file-system.ts'
import { suggestion } from './json-file.ts'
import { journalFile, journalSeq, type Layout, pageName, pageNumber, tableFolder } from './layout.ts'

/**
 * Files whose names are not numbers are allowed, such as notes and backups.
 * @throws StoreDamagedError
 */
export function checkFileNames(port: FileSystemPort, layout: Layout): void {
  for (const name of port.list(layout.pages)) {
    if (!isTableName(name)) checkUnknownTable(port, layout, name)
  }
  for (const table of TABLE_NAMES) {
    const folder = tableFolder(layout, table)
    for (const name of port.list(folder)) {
      if (!/^\d+\.json$/.test(name) || pageNumber(name) !== undefined) continue
      const expected = pageName(Number.parseInt(name, 10))
      throw fileNameError(join(folder, name), `the name of a page has six digits: rename it to ${expected}`)
    }
  }
  for (const name of port.list(layout.journal)) {
    if (!/^\d+\.ndjson$/.test(name) || journalSeq(name) !== undefined) continue
    const expected = basename(journalFile(layout, Number.parseInt(name, 10)))
    throw fileNameError(
      join(layout.journal, name),
      `the name of a journal file has twelve digits: rename it to ${expected}`,
    )
  }
}

function checkUnknownTable(port: FileSystemPort, layout: Layout, name: string): void {
  const folder = join(layout.pages, name)
  let pages: readonly string[] = []
  // A plain file has no pages.
  ignoreErrors(() => {
    pages = port.list(folder).filter((file) => /^\d+\.json$/.test(file))
  })
  if (pages.length > 0) throw fileNameError(folder, `there is no table ${name}${suggestion(name, TABLE_NAMES)}`)
}

function fileNameError(path: string, why: string): StoreDamagedError {
  return new StoreDamagedError(path, 1, why, 'Rename it, or move it away if it does not belong here.')
}
