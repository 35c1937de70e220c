// Loads the data directory into memory. Changes nothing on the disk, so that a person can inspect damage.
import { dirname } from 'node:path'
import { StoreDamagedError } from './errors.ts'
import { checkFileNames } from './folder/check-file-names.ts'
import type { FileSystemPort } from './folder/file-system.ts'
import {
  FORMAT,
  isNumberedPagesFolder,
  journalFile,
  journalSeq,
  type Layout,
  NUMBERED_FORMAT,
  pageFile,
} from './folder/layout.ts'
import { EMPTY_STATE, readState, type StateFile, stateRows } from './folder/state-file.ts'
import { currentLayout, findAdoption } from './import/adoption.ts'
import { applyLine, PageFullError } from './journal/apply-line.ts'
import { type JournalFile, type JournalState, listJournalFiles, readJournals } from './journal/journal-reader.ts'
import { decodeLine, type StoredLine } from './journal/line.ts'
import { createMemory, type Memory } from './memory/memory.ts'
import { checkEditedRows } from './pages/check-edited-rows.ts'
import { type LoadedPages, loadPages } from './pages/load-pages.ts'

export interface Recovery {
  readonly memory: Memory
  /** The layout with the current pages directory. */
  readonly layout: Layout
  /** Absent in a new data directory. */
  readonly state: StateFile | undefined
  /** True if a journal line names a different pages directory from state.json. */
  readonly adopted: boolean
  readonly pages: LoadedPages
  readonly journal: JournalState
}

/** @throws StoreDamagedError, StoreFormatError */
export async function recover(port: FileSystemPort, folder: Layout): Promise<Recovery> {
  const read = await readState(port, folder.state)
  const adoption = read === undefined ? undefined : await findAdoption(port, folder, read)
  const found = adoption ?? read
  const numberedPages = found === undefined ? newestNumberedFolder(port, folder) : undefined
  const state =
    found ?? (numberedPages === undefined ? EMPTY_STATE : { ...STATE_WITHOUT_PAGES, pages_folder: numberedPages })
  const layout = currentLayout(folder, state)
  checkFileNames(port, layout)
  const memory = createMemory()
  for (const row of stateRows(state)) memory.table('state').put(row)

  const pages = loadPages(port, layout, memory, state)
  const { inTwoPages, missing } = pages
  const journals = listJournalFiles(port, layout)
  if (found === undefined) assertStateExists(port, layout, pages, journals, numberedPages)
  const first = journals[0]
  if (first !== undefined && first.seq > state.seq + 1) assertStateIsCurrent(layout, pages, journals, state)

  const journal = readJournals(port, journals, state, createLineDecoder, (line, file, number) => {
    for (const table of line.clear ?? []) missing.delete(table)
    try {
      applyLine(memory, inTwoPages, line)
    } catch (error) {
      throw error instanceof PageFullError ? new StoreDamagedError(file, number, error.message) : error
    }
  })
  assertNoRowInTwoPages(inTwoPages)
  assertStateIsCurrent(layout, pages, journals, { ...state, seq: journal.next - 1 })
  assertNewestJournalExists(port, layout, journals, state.seq)
  assertListedPagesExist(layout, missing)
  await checkEditedRows(memory, layout, pages.edited)
  memory.reloadSettings()
  return { memory, layout, state: found, adopted: adoption !== undefined, pages, journal }
}

/** The state of a data directory whose state.json is lost: its pages are unknown. */
const STATE_WITHOUT_PAGES: StateFile = { format: NUMBERED_FORMAT, seq: 0, counters: {} }

function assertNoRowInTwoPages(inTwoPages: LoadedPages['inTwoPages']): void {
  for (const [key, copy] of inTwoPages) {
    throw new StoreDamagedError(
      copy.file,
      copy.line,
      `the row ${key.slice(key.indexOf(' ') + 1)} is also in another page of ${dirname(copy.file)}`,
    )
  }
}

/** @param missing the listed pages that do not exist, except those of tables that the journal cleared */
function assertListedPagesExist(layout: Layout, missing: LoadedPages['missing']): void {
  for (const [table, [number = 0]] of missing) {
    throw new StoreDamagedError(
      pageFile(layout, table, number),
      1,
      `the file is missing, and ${layout.state} lists it`,
      `Put it back from a backup. If it is lost, remove "pages" and "crc" from state.json: psp then continues without its rows.`,
    )
  }
}

function createLineDecoder(content: Buffer): (start: number, end: number) => StoredLine | string {
  return (start, end) => decodeLine(content.subarray(start, end))
}

/** If the newest journal file is missing, the changes since the last checkpoint would be lost without a message. */
function assertNewestJournalExists(
  port: FileSystemPort,
  layout: Layout,
  journals: readonly JournalFile[],
  seq: number,
): void {
  const text = port.read(layout.newest)?.toString('latin1').trim()
  if (text === undefined) return
  const begun = journalSeq(text)
  if (begun === undefined) {
    throw new StoreDamagedError(
      layout.newest,
      1,
      `expected the name of a journal file, found ${JSON.stringify(text.slice(0, 60))}`,
      `Write the name of the newest file of ${layout.journal} into it. If that directory is complete, remove ${layout.newest}.`,
    )
  }
  if (begun <= seq || journals.some((file) => file.seq === begun)) return
  throw new StoreDamagedError(
    journalFile(layout, begun),
    1,
    `the file is missing, and ${layout.newest} names it as the one with the newest changes`,
    `Put it back. If it is lost, remove ${layout.newest}: psp then continues without those changes.`,
  )
}

/** With existing pages or changes, a new state.json would give later changes lower numbers than the pages have. */
function assertStateExists(
  port: FileSystemPort,
  { state, folder }: Layout,
  pages: LoadedPages,
  journals: readonly JournalFile[],
  numberedPages: string | undefined,
): void {
  const isEmpty = pages.bytes === 0 && journals.every(({ path }) => port.size(path) === 0)
  if (isEmpty && numberedPages === undefined) return
  throw new StoreDamagedError(
    state,
    1,
    `the file is missing, and ${folder} contains data`,
    stateRemedy(pages, journals, numberedPages),
  )
}

/** Returns the newest numbered pages directory. Without state.json it is the current one: leftovers are older. */
function newestNumberedFolder(port: FileSystemPort, { folder }: Layout): string | undefined {
  return port.list(folder).filter(isNumberedPagesFolder).at(-1)
}

/** @throws StoreDamagedError if a page contains later changes than state.json and the journal */
function assertStateIsCurrent(
  { state }: Layout,
  pages: LoadedPages,
  journals: readonly JournalFile[],
  { seq: last, pages_folder }: Pick<StateFile, 'seq' | 'pages_folder'>,
): void {
  const { seq, file } = pages.newest
  if (seq <= last) return
  const why = `this file and the journal contain changes up to ${last}, but ${file} contains changes up to ${seq}: one of them is from another time or directory`
  throw new StoreDamagedError(state, 1, why, stateRemedy(pages, journals, pages_folder))
}

function stateRemedy({ newest }: LoadedPages, [first]: readonly JournalFile[], folder: string | undefined): string {
  const seq = first === undefined ? newest.seq : first.seq - 1
  const numbered = folder !== undefined && { pages_folder: folder }
  const lines = { format: numbered === false ? FORMAT : NUMBERED_FORMAT, seq, counters: {}, ...numbered }
  return `Put back the file that belongs to these pages. If it is lost, write ${JSON.stringify(lines)} into it: that keeps everything except the settings and the clock.`
}
