// Brings the pages up to date with the sealed journals, from file to file. Lines hold absolute values: when a crash comes
// between any two steps, doing it again ends the same.
import { TABLE_NAMES, type TableName } from '../engine/tables.ts'
import type { FileSystemPort } from './file-system.ts'
import { type JournalFile, journalFiles, readJournals } from './journal-reader.ts'
import { type Layout, layoutOf, pageFile, tableFolder } from './layout.ts'
import { type PageRef, pageNumbers } from './load-pages.ts'
import { applyChanges, collectChanges, type TableChanges } from './page-changes.ts'
import { pageDb } from './page-file.ts'
import { EMPTY_STATE, readState, writeState } from './state-file.ts'

export interface CheckpointJob {
  readonly folder: string
  /** The last line that counts: what is behind it was refused, or is still being written. */
  readonly upTo: number
  /** Pages people changed: written anew, with a checksum. */
  readonly edited: readonly PageRef[]
  /** Requests are served meanwhile, and come first. */
  readonly aside: boolean
}

export interface CheckpointResult {
  /** Size of all pages. */
  readonly pageBytes: number
}

/** @throws StoreDamaged, or what the disk said; journals stay then */
export async function checkpoint(port: FileSystemPort, job: CheckpointJob): Promise<CheckpointResult> {
  const layout = layoutOf(job.folder)
  for (const { table, number } of job.edited) await rewritePage(port, layout, table, number)
  for (const { path, seq } of journalFiles(port, layout)) {
    if (seq <= job.upTo) await moveIntoPages(port, layout, { path, seq }, job.upTo)
  }
  return { pageBytes: sizeOfPages(port, layout) }
}

async function moveIntoPages(port: FileSystemPort, layout: Layout, file: JournalFile, upTo: number): Promise<void> {
  const state = (await readState(port, layout.state)) ?? EMPTY_STATE
  // No page may tell of a line that a power cut could still take from the journal.
  syncFile(port, file.path)
  port.syncFolder(layout.journal)
  const collected = collectChanges(state)
  readJournals(port, [file], state.seq, (line) => {
    if (line.seq <= upTo) collected.add(line)
  })
  const changes = collected.sum()
  if (changes.state.seq > state.seq) {
    for (const [table, change] of changes.tables) await writePages(port, layout, table, change, changes.state.seq)
    port.syncFolder(layout.pages)
    await writeState(port, layout.state, changes.state)
    port.syncFolder(layout.folder)
  }
  port.remove(file.path)
  port.syncFolder(layout.journal)
}

async function writePages(
  port: FileSystemPort,
  layout: Layout,
  table: TableName,
  changes: TableChanges,
  seq: number,
): Promise<void> {
  const folder = tableFolder(layout, table)
  port.makeFolder(folder)
  if (changes.cleared > 0) {
    for (const number of pageNumbers(port, folder)) {
      if (!changes.pages.has(number)) port.remove(pageFile(layout, table, number))
    }
  }
  for (const [number, rows] of changes.pages) {
    const page = pageDb(port, pageFile(layout, table, number))
    await page.read()
    if (page.data.seq >= seq) continue
    applyChanges(page.data, changes, rows, seq)
    await page.write()
  }
  port.syncFolder(folder)
}

async function rewritePage(port: FileSystemPort, layout: Layout, table: TableName, number: number): Promise<void> {
  const page = pageDb(port, pageFile(layout, table, number))
  await page.read()
  await page.write()
  port.syncFolder(tableFolder(layout, table))
}

function sizeOfPages(port: FileSystemPort, layout: Layout): number {
  let size = 0
  for (const table of TABLE_NAMES) {
    const folder = tableFolder(layout, table)
    for (const number of pageNumbers(port, folder)) size += port.size(pageFile(layout, table, number))
  }
  return size
}

function syncFile(port: FileSystemPort, path: string): void {
  const fd = port.open(path, 'a')
  try {
    port.sync(fd)
  } finally {
    port.close(fd)
  }
}
