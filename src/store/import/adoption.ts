// An adoption is a commit that replaces the whole state. Its line is the first line of a journal file, and names the
// directory of the new pages. The adoption takes effect with this line, even if state.json still names the old
// directory: the next start finds the line.
import { join } from 'node:path'
import { StoreDamagedError } from '../errors.ts'
import type { FileSystemPort } from '../folder/file-system.ts'
import { isPagesFolder, type Layout, layoutOf } from '../folder/layout.ts'
import { readState, type StateFile } from '../folder/state-file.ts'
import { listJournalFiles } from '../journal/journal-reader.ts'
import { decodeLine } from '../journal/line.ts'
import { NEWLINE } from '../json-characters.ts'

/** The length limit of the line in bytes. Its rows are only the settings and the clock. */
const MAX_LINE_BYTES = 1024 * 1024

/**
 * Returns the state.json of the last adoption that `state` does not include. Its `seq` is that of the line before the
 * adoption, so recovery continues with the line of the adoption.
 * @param maxSeq later lines are ignored
 * @throws StoreDamagedError
 */
export async function findAdoption(
  port: FileSystemPort,
  layout: Layout,
  state: StateFile,
  maxSeq = Number.POSITIVE_INFINITY,
): Promise<StateFile | undefined> {
  for (const { path, seq } of listJournalFiles(port, layout).reverse()) {
    if (seq <= state.seq) return undefined
    const folder = seq > maxSeq ? undefined : adoptedFolder(port, path)
    if (folder === undefined) continue
    if (folder === state.pages_folder) return undefined
    const file = join(layout.folder, folder, 'state.json')
    const adopted = await readState(port, file)
    if (adopted !== undefined) return { ...adopted, seq: seq - 1 }
    throw new StoreDamagedError(
      file,
      1,
      `the file is missing, and ${path} names its directory as the one with the pages`,
      `Put the directory back. If it is lost, move ${path} away: psp then returns to the state before the import or restore.`,
    )
  }
  return undefined
}

/** Returns the directory that the first line names. An incomplete line was never confirmed, so it is ignored. */
function adoptedFolder(port: FileSystemPort, path: string): string | undefined {
  const start = port.read(path, MAX_LINE_BYTES) ?? Buffer.alloc(0)
  const newline = start.indexOf(NEWLINE)
  const line = newline < 0 ? 'cut' : decodeLine(start.subarray(0, newline))
  return typeof line === 'string' ? undefined : line.adopt
}

/** Removes the pages directories that state.json does not refer to. */
export function removeOtherPages(port: FileSystemPort, layout: Layout): void {
  for (const name of port.list(layout.folder)) {
    const path = join(layout.folder, name)
    if (isPagesFolder(name) && path !== layout.pages) port.removeTree(path)
  }
}

export function currentLayout(layout: Layout, { pages_folder }: Pick<StateFile, 'pages_folder'>): Layout {
  return layoutOf(layout.folder, pages_folder)
}
