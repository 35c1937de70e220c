import { basename, join } from 'node:path'
import { countOf } from '../../domain/count-text.ts'
import { TABLE_NAMES } from '../../engine/tables.ts'
import { removeOtherPages } from '../import/adoption.ts'
import type { Recovery } from '../recover.ts'
import { type FileSystemPort, withFile, writeAll } from './file-system.ts'
import { journalSeq, type Layout, pageFile, tableFolder } from './layout.ts'
import { EMPTY_STATE, writeState } from './state-file.ts'

/**
 * Completes a recovery without damage. Repairs the end of the journal, removes unfinished and outdated files, and
 * writes state.json if it is missing or outdated.
 */
export async function cleanUp(
  port: FileSystemPort,
  { layout, state, adopted, journal, pages }: Recovery,
  notice: (text: string) => void,
): Promise<void> {
  if (journal.lastFile?.lacksNewline)
    changeDurably(port, journal.lastFile.path, (fd) => writeAll(port, fd, Buffer.from('\n')))
  if (journal.torn !== undefined) {
    const { path, size, bytes, line } = journal.torn
    changeDurably(port, path, (fd) => port.truncate(fd, size))
    notice(
      `${path}:${line}: dropped ${countOf(bytes, 'byte')} of an incomplete change. A crash or another program cut it short. If it was another program, put the file back from a backup while no psp runs.`,
    )
  }
  if (journal.obsolete.some((path) => (journalSeq(basename(path)) ?? 0) > (state ?? EMPTY_STATE).seq)) {
    // The newest journal file has no complete line. Remove `newest-journal`, which names it, first.
    noticeEmptyJournal(port, layout, journal.obsolete, notice)
    port.remove(layout.newest)
    port.syncFolder(layout.journal)
  }
  if (state !== undefined && adopted) {
    await writeState(port, layout.state, state)
    port.syncFolder(layout.folder)
  }
  removeOtherPages(port, layout)
  for (const path of journal.obsolete) port.remove(path)
  for (const { table, number } of pages.edited) {
    notice(`${pageFile(layout, table, number)} was changed by hand: its rows are used as they are.`)
  }
  const folders = [
    layout.folder,
    layout.journal,
    layout.snapshots,
    ...TABLE_NAMES.map((table) => tableFolder(layout, table)),
  ]
  for (const folder of folders) removeUnfinished(port, folder)
  if (state === undefined) await writeState(port, layout.state, EMPTY_STATE)
  // A journal without a state.json counts as damage, so make state.json durable before the first change.
  if ((state ?? EMPTY_STATE).seq === 0) port.syncFolder(layout.folder)
}

/** A crash before the first line looks the same as a file that was emptied, so only the user can know which it was. */
function noticeEmptyJournal(
  port: FileSystemPort,
  layout: Layout,
  obsolete: readonly string[],
  notice: (text: string) => void,
): void {
  const named = port.read(layout.newest)?.toString('latin1').trim()
  const path = obsolete.find((file) => basename(file) === named && port.size(file) === 0)
  if (path === undefined) return
  notice(
    `${path} is empty, and ${layout.newest} names it as the file for the newest changes. If psp or the machine stopped before the first change was written, nothing is missing. If the file was emptied, its changes are lost: put it back from a backup while no psp runs.`,
  )
}

function changeDurably(port: FileSystemPort, path: string, fn: (fd: number) => void): void {
  withFile(port, path, 'a', (fd) => {
    fn(fd)
    port.sync(fd)
  })
}

function removeUnfinished(port: FileSystemPort, folder: string): void {
  for (const name of port.list(folder)) if (name.endsWith('.tmp')) port.remove(join(folder, name))
}
