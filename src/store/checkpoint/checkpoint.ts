// Brings the pages up to date with the sealed journals, from file to file. Lines hold absolute values: when a crash comes
// between any two steps, doing it again ends the same.
import { basename, join } from 'node:path'
import { TABLE_NAMES, type TableName } from '../../engine/tables.ts'
import { StoreDamagedError, StoreUnavailableError } from '../errors.ts'
import type { FileSystemPort } from '../folder/file-system.ts'
import { journalFile, type Layout, layoutOf, pageFile, tableFolder } from '../folder/layout.ts'
import type { LockInfo } from '../folder/lock-file.ts'
import { ownershipIssue } from '../folder/ownership.ts'
import { EMPTY_STATE, readState, type StateFile, writeState } from '../folder/state-file.ts'
import { currentLayout, findAdoption } from '../import/adoption.ts'
import { type JournalFile, journalFiles, readJournals } from '../journal/journal-reader.ts'
import { sliceRows } from '../journal/raw-line.ts'
import { type PageRef, pageNumbers } from '../pages/load-pages.ts'
import { applyChanges, createChangeCollector, type TableChanges } from '../pages/page-changes.ts'
import { type PageData, pageDb } from '../pages/page-file.ts'
import { formatPageList, type PageList, parsePageList } from '../pages/page-list.ts'
import { HEAD_BYTES, parseHeadSeq } from '../pages/page-text.ts'
import { assertNotStale } from '../pages/stale-pages.ts'
import { olderThan } from './pages-folders.ts'

export interface CheckpointJob {
  readonly folder: string
  /** The last line that counts: what is behind it was refused, or is still being written. */
  readonly upTo: number
  /** Pages to write anew, with a checksum: people changed them, or state.json does not list them. */
  readonly rewrite: readonly PageRef[]
  /** Folders of pages, oldest first: those before the folder that state.json names are removed. */
  readonly replacedFolders: readonly string[]
  /** Whose the folder is; when it is not any more, nothing is touched. */
  readonly owner: LockInfo
  /** Requests are served meanwhile, and come first. */
  readonly isLowPriority: boolean
}

export interface CheckpointResult {
  /** Size of all pages. */
  readonly pageBytes: number
  /** Name of the folder that state.json names. */
  readonly pagesFolder: string
}

/** What the pages are while a checkpoint goes on. */
interface WrittenPages {
  readonly list: PageList
  /** Pages without rows: state.json must not list them any more before they go. */
  emptied: PageRef[]
}

/** @throws StoreDamagedError, StoreUnavailableError, or what the disk said; journals stay then */
export async function checkpoint(disk: FileSystemPort, job: CheckpointJob): Promise<CheckpointResult> {
  const folder = layoutOf(job.folder)
  const port = ownedFileSystem(disk, folder, job.owner)
  const state = await currentState(port, folder, job.upTo)
  const layout = currentLayout(folder, state)
  for (const name of olderThan(job.replacedFolders, basename(layout.pages))) port.removeTree(join(job.folder, name))
  const pages: WrittenPages = { list: readPageList(port, layout, state), emptied: [] }
  for (const { table, number } of job.rewrite) await rewritePage(port, layout, pages, { table, number }, state.seq)
  if (job.rewrite.length > 0) await writePageList(port, layout, pages, state)
  for (const { path, seq } of journalFiles(port, layout)) {
    if (seq <= job.upTo) await moveIntoPages(port, layout, pages, { path, seq }, job.upTo)
  }
  return { pageBytes: sizeOfPages(port, layout), pagesFolder: basename(layout.pages) }
}

/** Puts an adoption into state.json first: the journal files before it are void. */
async function currentState(port: FileSystemPort, layout: Layout, upTo: number): Promise<StateFile> {
  const state = (await readState(port, layout.state)) ?? EMPTY_STATE
  const adopted = await findAdoption(port, layout, state, upTo)
  if (adopted === undefined) return state
  // A power cut must not take the line from the journal after state.json relies on it.
  syncFile(port, journalFile(layout, adopted.seq + 1))
  port.syncFolder(layout.journal)
  await writeState(port, layout.state, adopted)
  port.syncFolder(layout.folder)
  for (const { path, seq } of journalFiles(port, layout)) if (seq <= adopted.seq) port.remove(path)
  return adopted
}

async function moveIntoPages(
  port: FileSystemPort,
  layout: Layout,
  pages: WrittenPages,
  file: JournalFile,
  upTo: number,
): Promise<void> {
  const state = (await readState(port, layout.state)) ?? EMPTY_STATE
  // No page may tell of a line that a power cut could still take from the journal.
  syncFile(port, file.path)
  port.syncFolder(layout.journal)
  const collected = createChangeCollector(state)
  readJournals(port, [file], state, sliceRows, (line) => {
    if (line.seq <= upTo) collected.add(line)
  })
  const changes = collected.sum()
  if (changes.state.seq > state.seq) {
    for (const [table, change] of changes.tables) {
      await writePages(port, layout, pages, table, change, changes.state.seq)
    }
    await writePageList(port, layout, pages, changes.state)
  }
  port.remove(file.path)
  port.syncFolder(layout.journal)
}

/** The pages are written: `state` says so. */
async function writePageList(
  port: FileSystemPort,
  layout: Layout,
  pages: WrittenPages,
  state: StateFile,
): Promise<void> {
  port.syncFolder(layout.pages)
  await writeState(port, layout.state, { ...state, pages: formatPageList(pages.list) })
  port.syncFolder(layout.folder)
  for (const { table, number } of pages.emptied) port.remove(pageFile(layout, table, number))
  pages.emptied = []
}

async function writePages(
  port: FileSystemPort,
  layout: Layout,
  pages: WrittenPages,
  table: TableName,
  changes: TableChanges,
  seq: number,
): Promise<void> {
  const folder = tableFolder(layout, table)
  const list = pages.list.get(table) ?? new Map()
  pages.list.set(table, list)
  port.makeFolder(folder)
  if (changes.clearedAt > 0) {
    list.clear()
    // Before state.json is written: the journal says that they are void.
    for (const number of pageNumbers(port, folder)) {
      if (!changes.pages.has(number)) port.remove(pageFile(layout, table, number))
    }
  }
  for (const [number, rows] of changes.pages) {
    const file = pageFile(layout, table, number)
    const listed = list.get(number)
    if (listed !== undefined && port.size(file) === 0) throw new StoreDamagedError(file, 1, 'the page was removed')
    const page = pageDb(port, file)
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

async function rewritePage(
  port: FileSystemPort,
  layout: Layout,
  pages: WrittenPages,
  { table, number }: PageRef,
  upTo: number,
): Promise<void> {
  const file = pageFile(layout, table, number)
  // Gone since: the journal emptied the table, or the next start names it.
  if (port.size(file) === 0) return
  const list = pages.list.get(table) ?? new Map()
  pages.list.set(table, list)
  const page = pageDb(port, file)
  await page.read()
  // What the lines up to here say of it is in it, or was changed by people: a copy from before is an older one.
  page.data.seq = Math.max(page.data.seq, upTo)
  await page.write()
  updateList(pages, list, { table, number }, page.data)
  port.syncFolder(tableFolder(layout, table))
}

function updateList(pages: WrittenPages, list: Map<number, number>, page: PageRef, { seq, rows }: PageData): void {
  if (rows.size > 0) list.set(page.number, seq)
  else {
    list.delete(page.number)
    pages.emptied.push(page)
  }
}

/** What a state.json that people wrote anew does not tell is looked up. */
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

/** A disk on which nothing is changed in place, or goes, but in the folder of its owner. */
function ownedFileSystem(disk: FileSystemPort, layout: Layout, owner: LockInfo): FileSystemPort {
  const demand = () => {
    const stranger = ownershipIssue(disk, layout, owner)
    if (stranger !== undefined) throw new StoreUnavailableError(stranger)
  }
  return {
    ...disk,
    open(path, flags, mode) {
      demand()
      return disk.open(path, flags, mode)
    },
    rename(from, to) {
      demand()
      disk.rename(from, to)
    },
    remove(path) {
      demand()
      disk.remove(path)
    },
    makeFolder(path) {
      demand()
      disk.makeFolder(path)
    },
    removeTree(path) {
      demand()
      disk.removeTree(path)
    },
  }
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
