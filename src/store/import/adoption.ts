// A state that took the place of another: the first line of a journal file names the folder with its pages. Until
// state.json says so too, that line counts.
import { join } from 'node:path'
import { StoreDamagedError } from '../errors.ts'
import type { FileSystemPort } from '../folder/file-system.ts'
import { isPagesFolder, type Layout, layoutOf } from '../folder/layout.ts'
import { readState, type StateFile } from '../folder/state-file.ts'
import { listJournalFiles } from '../journal/journal-reader.ts'
import { decodeLine } from '../journal/line.ts'

/** Bytes: enough for the line, whose rows are settings and a clock. */
const MAX_LINE_BYTES = 1024 * 1024

/**
 * The state.json as of the last adoption that `state` lacks: the lines from the adoption on follow it.
 * @param upTo the last line that counts. @throws StoreDamagedError
 */
export async function findAdoption(
  port: FileSystemPort,
  layout: Layout,
  state: StateFile,
  upTo = Number.POSITIVE_INFINITY,
): Promise<StateFile | undefined> {
  for (const { path, seq } of listJournalFiles(port, layout).reverse()) {
    if (seq <= state.seq) return undefined
    const folder = seq > upTo ? undefined : adoptedFolder(port, path)
    if (folder === undefined) continue
    if (folder === state.pages_folder) return undefined
    const file = join(layout.folder, folder, 'state.json')
    const adopted = await readState(port, file)
    if (adopted !== undefined) return { ...adopted, seq: seq - 1 }
    throw new StoreDamagedError(
      file,
      1,
      `the file is missing, and ${path} names its folder as the one with the pages`,
      `Put the folder back. If it is lost, move ${path} away: that returns to the state before the import or restore.`,
    )
  }
  return undefined
}

/** What was written before a crash may be cut: then it was not confirmed. */
function adoptedFolder(port: FileSystemPort, path: string): string | undefined {
  const start = port.read(path, MAX_LINE_BYTES) ?? Buffer.alloc(0)
  const newline = start.indexOf(10)
  const line = newline < 0 ? 'cut' : decodeLine(start.subarray(0, newline))
  return typeof line === 'string' ? undefined : line.adopt
}

/** Removes the folders of pages that state.json does not refer to. */
export function removeOtherPages(port: FileSystemPort, layout: Layout, except: readonly string[] = []): void {
  for (const name of port.list(layout.folder)) {
    const path = join(layout.folder, name)
    if (isPagesFolder(name) && path !== layout.pages && !except.includes(path)) port.removeTree(path)
  }
}

/** The layout of the folder whose pages are where `state` has them. */
export function currentLayout(layout: Layout, { pages_folder }: Pick<StateFile, 'pages_folder'>): Layout {
  return layoutOf(layout.folder, pages_folder)
}
