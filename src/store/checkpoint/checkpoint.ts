// Moves the changes of sealed journal files into the pages, one file after the other. Journal lines contain whole rows,
// so repeating a step after a crash has the same result.
import { basename, join } from 'node:path'
import { TABLE_NAMES, type TableName } from '../../engine/tables.ts'
import { StoreDamagedError, StoreUnavailableError } from '../errors.ts'
import { type FileSystemPort, withFile } from '../folder/file-system.ts'
import { journalFile, type Layout, layoutOf, pageFile, tableFolder } from '../folder/layout.ts'
import type { LockInfo } from '../folder/lock-file.ts'
import { ownershipIssue } from '../folder/ownership.ts'
import { EMPTY_STATE, readState, type StateFile, writeState } from '../folder/state-file.ts'
import { currentLayout, findAdoption } from '../import/adoption.ts'
import { type JournalFile, listJournalFiles, readJournals } from '../journal/journal-reader.ts'
import { createRawLineDecoder } from '../journal/raw-line.ts'
import { type PageRef, pageNumbers } from '../pages/load-pages.ts'
import { applyChanges, createChangeCollector, type TableChanges } from '../pages/page-changes.ts'
import { openPageFile, type PageData } from '../pages/page-file.ts'
import { formatPageList, type PageList, parsePageList } from '../pages/page-list.ts'
import { HEAD_BYTES, parseHeadSeq } from '../pages/page-text.ts'
import { assertNotStale } from '../pages/stale-pages.ts'

export interface CheckpointJob {
  readonly folder: string
  /** The last line to move. Later lines were rolled back, or are still being written. */
  readonly maxSeq: number
  /** Pages to rewrite with a checksum, because they were edited by hand or state.json does not list them. */
  readonly rewrite: readonly PageRef[]
  /** The names of the pages directories, oldest first. Those before the one in state.json are removed. */
  readonly pagesFolders: readonly string[]
  /** The lock of the process that runs the checkpoint. If it no longer owns the data directory, nothing is written. */
  readonly owner: LockInfo
  /** Whether requests are served during the checkpoint, so that its thread gets a low priority. */
  readonly isLowPriority: boolean
}

export interface CheckpointResult {
  /** The size of all pages in bytes. */
  readonly pageBytes: number
  /** The name of the pages directory in state.json. */
  readonly pagesFolder: string
}

/** The current pages directory while a checkpoint changes it. */
interface Pages {
  readonly port: FileSystemPort
  readonly layout: Layout
  /** All pages, including those that this checkpoint does not write. */
  readonly list: PageList
  /** Pages that lost their last row. They are removed once state.json no longer lists them. */
  emptied: PageRef[]
}

/** @throws StoreDamagedError, StoreUnavailableError, or the error of the disk. No change is lost by a failure. */
export async function checkpoint(disk: FileSystemPort, job: CheckpointJob): Promise<CheckpointResult> {
  const folder = layoutOf(job.folder)
  const port = ownedFileSystem(disk, folder, job.owner)
  const state = await currentState(port, folder, job.maxSeq)
  const layout = currentLayout(folder, state)
  const current = basename(layout.pages)
  for (const name of job.pagesFolders.slice(0, job.pagesFolders.indexOf(current)))
    port.removeTree(join(job.folder, name))
  const pages: Pages = { port, layout, list: readPageList(port, layout, state), emptied: [] }
  for (const page of job.rewrite) await rewritePage(pages, page, state.seq)
  if (job.rewrite.length > 0) await writePageList(pages, state)
  for (const file of listJournalFiles(port, layout)) {
    if (file.seq <= job.maxSeq) await moveIntoPages(pages, file, job.maxSeq)
  }
  return { pageBytes: totalPageSize(port, layout), pagesFolder: current }
}

/**
 * Returns state.json. If the journal has an adoption (an import or a restore) that state.json does not include, first
 * writes the adopted state to state.json and removes the older journal files.
 */
async function currentState(port: FileSystemPort, layout: Layout, maxSeq: number): Promise<StateFile> {
  const state = (await readState(port, layout.state)) ?? EMPTY_STATE
  const adopted = await findAdoption(port, layout, state, maxSeq)
  if (adopted === undefined) return state
  // Make the line of the adoption durable before state.json relies on it.
  withFile(port, journalFile(layout, adopted.seq + 1), 'a', port.sync)
  port.syncFolder(layout.journal)
  await writeState(port, layout.state, adopted)
  port.syncFolder(layout.folder)
  for (const { path, seq } of listJournalFiles(port, layout)) if (seq <= adopted.seq) port.remove(path)
  return adopted
}

async function moveIntoPages(pages: Pages, file: JournalFile, maxSeq: number): Promise<void> {
  const { port, layout } = pages
  const state = (await readState(port, layout.state)) ?? EMPTY_STATE
  // Make the lines durable before a page contains their changes.
  withFile(port, file.path, 'a', port.sync)
  port.syncFolder(layout.journal)
  const collected = createChangeCollector(state)
  readJournals(port, [file], state, createRawLineDecoder, (line) => {
    if (line.seq <= maxSeq) collected.add(line)
  })
  const changes = collected.sum()
  if (changes.state.seq > state.seq) {
    for (const [table, change] of changes.tables) {
      await writePages(pages, table, change, changes.state.seq)
    }
    await writePageList(pages, changes.state)
  }
  port.remove(file.path)
  port.syncFolder(layout.journal)
}

/** Writes the page list to state.json, and then removes the empty pages. */
async function writePageList(pages: Pages, state: StateFile): Promise<void> {
  const { port, layout } = pages
  port.syncFolder(layout.pages)
  await writeState(port, layout.state, { ...state, pages: formatPageList(pages.list) })
  port.syncFolder(layout.folder)
  for (const { table, number } of pages.emptied) port.remove(pageFile(layout, table, number))
  pages.emptied = []
}

async function writePages(pages: Pages, table: TableName, changes: TableChanges, seq: number): Promise<void> {
  const { port, layout } = pages
  const folder = tableFolder(layout, table)
  const list = pages.list.get(table) ?? new Map()
  pages.list.set(table, list)
  port.makeFolder(folder)
  if (changes.clearedAt > 0) {
    list.clear()
    // A crash before state.json is written loses nothing, because recovery clears the table again from the journal.
    for (const number of pageNumbers(port, folder)) {
      if (!changes.pages.has(number)) port.remove(pageFile(layout, table, number))
    }
  }
  for (const [number, rows] of changes.pages) {
    const file = pageFile(layout, table, number)
    const listed = list.get(number)
    if (listed !== undefined && port.size(file) === 0) throw new StoreDamagedError(file, 1, 'the page was removed')
    const page = openPageFile(port, file)
    await page.read()
    assertNotStale(file, page.data.seq, listed)
    if (page.data.seq < seq) {
      applyChanges(page.data, changes, rows, seq)
      await page.write()
    }
    updateList(pages, list, { table, number }, page.data)
  }
  port.syncFolder(folder)
}

async function rewritePage(pages: Pages, { table, number }: PageRef, stateSeq: number): Promise<void> {
  const { port, layout } = pages
  const file = pageFile(layout, table, number)
  // If the page does not exist, the journal cleared the table, or a user removed it and the next start reports it.
  if (port.size(file) === 0) return
  const list = pages.list.get(table) ?? new Map()
  pages.list.set(table, list)
  const page = openPageFile(port, file)
  await page.read()
  // The page contains all changes up to `stateSeq`. This number marks an earlier copy of the page as older.
  page.data.seq = Math.max(page.data.seq, stateSeq)
  await page.write()
  updateList(pages, list, { table, number }, page.data)
  port.syncFolder(tableFolder(layout, table))
}

function updateList(pages: Pages, list: Map<number, number>, page: PageRef, { seq, rows }: PageData): void {
  if (rows.size > 0) list.set(page.number, seq)
  else {
    list.delete(page.number)
    pages.emptied.push(page)
  }
}

/** Returns the page list of state.json. If a user wrote a state.json without the list, reads it from the page files. */
function readPageList(port: FileSystemPort, layout: Layout, state: StateFile): PageList {
  const listed = parsePageList(state.pages)
  const seqOf = (table: TableName, number: number) =>
    parseHeadSeq(port.read(pageFile(layout, table, number), HEAD_BYTES) ?? Buffer.alloc(0))
  return new Map(
    TABLE_NAMES.map((table) => {
      const known = listed?.get(table)
      const numbers = listed === undefined ? pageNumbers(port, tableFolder(layout, table)) : [...(known?.keys() ?? [])]
      return [table, new Map(numbers.map((number) => [number, known?.get(number) ?? seqOf(table, number)]))]
    }),
  )
}

/** Returns a file system that writes only while `owner` owns the data directory. */
function ownedFileSystem(disk: FileSystemPort, layout: Layout, owner: LockInfo): FileSystemPort {
  const ifOwned =
    <Args extends unknown[], Result>(fn: (...args: Args) => Result) =>
    (...args: Args): Result => {
      const issue = ownershipIssue(disk, layout, owner)
      if (issue !== undefined) throw new StoreUnavailableError(issue)
      return fn(...args)
    }
  return {
    ...disk,
    open: ifOwned(disk.open),
    rename: ifOwned(disk.rename),
    remove: ifOwned(disk.remove),
    makeFolder: ifOwned(disk.makeFolder),
    removeTree: ifOwned(disk.removeTree),
  }
}

function totalPageSize(port: FileSystemPort, layout: Layout): number {
  let size = 0
  for (const table of TABLE_NAMES) {
    const folder = tableFolder(layout, table)
    for (const number of pageNumbers(port, folder)) size += port.size(pageFile(layout, table, number))
  }
  return size
}
