// From the folder to the memory. Changes nothing on the disk, so that damage can be looked at as it is.
import { dirname } from 'node:path'
import { StoreDamaged } from './errors.ts'
import type { FileSystemPort } from './file-system.ts'
import { type JournalState, journalFiles, readJournals } from './journal-reader.ts'
import type { Layout } from './layout.ts'
import { type LoadedPages, loadPages } from './load-pages.ts'
import { createMemory, type Memory } from './memory.ts'
import { PageFull, replayLine } from './replay.ts'
import { EMPTY_STATE, readState, type StateFile, stateRows } from './state-file.ts'

export interface Recovery {
  readonly memory: Memory
  /** Absent in a new folder. */
  readonly state: StateFile | undefined
  readonly pages: LoadedPages
  readonly journal: JournalState
}

/** @throws StoreDamaged, StoreFormat */
export async function recover(port: FileSystemPort, layout: Layout): Promise<Recovery> {
  const found = await readState(port, layout.state)
  const state = found ?? EMPTY_STATE
  const memory = createMemory()
  for (const row of stateRows(state)) memory.table('state').put(row)

  const pages = loadPages(port, layout, memory, state)
  const { stale } = pages

  const journal = readJournals(port, journalFiles(port, layout), state.seq, (line, file, number) => {
    try {
      replayLine(memory, stale, line)
    } catch (error) {
      throw error instanceof PageFull ? new StoreDamaged(file, number, error.message) : error
    }
  })
  for (const [key, copy] of stale) {
    throw new StoreDamaged(
      copy.file,
      copy.line,
      `the row ${key.slice(key.indexOf(' ') + 1)} is in another page of ${dirname(copy.file)} too`,
    )
  }
  memory.refresh()
  return { memory, state: found, pages, journal }
}
