// Makes the data directory, and takes a new one away again if the start is refused.
import { dirname, join } from 'node:path'
import { TABLE_NAMES } from '../../engine/tables.ts'
import { StoreLockedError } from '../errors.ts'
import { type FileSystemPort, ignoreErrors, writeAll } from './file-system.ts'
import { type Layout, tableFolder } from './layout.ts'
import type { Lock } from './lock.ts'

export interface DataDirectory {
  readonly lock: Lock
  /** Releases the lock. A folder that was new is removed, with the parents that were made for it. Never throws. */
  discard(): void
}

/** @param acquire takes the lock once the folder is there */
export async function createDataDirectory(
  port: FileSystemPort,
  layout: Layout,
  acquire: () => Promise<Lock>,
): Promise<DataDirectory> {
  const isNew = port.list(layout.folder).length === 0
  const missing = missingFolders(port, layout.folder)
  const removeFolders = () => {
    if (isNew) removeEmpty(port, layout, missing)
  }
  try {
    port.makeFolder(layout.folder)
    if (isNew) writeGitignore(port, layout)
    port.makeFolder(layout.journal)
    port.makeFolder(layout.pages)
    const lock = await acquire()
    return {
      lock,
      discard() {
        if (isNew) ignoreErrors(() => removeFiles(port, layout))
        ignoreErrors(() => lock.release())
        removeFolders()
      },
    }
  } catch (error) {
    // Another process has the lock: the folder is not ours.
    if (!(error instanceof StoreLockedError) && port.size(layout.lock) === 0) removeFolders()
    throw error
  }
}

/** Returns the folder and its parents that do not exist, the innermost first. */
function missingFolders(port: FileSystemPort, folder: string): string[] {
  if (port.stat(folder) !== undefined || dirname(folder) === folder) return []
  return [folder, ...missingFolders(port, dirname(folder))]
}

/** The folder will hold secrets. A failure does not matter here: it shows at the first file that matters. */
function writeGitignore(port: FileSystemPort, layout: Layout): void {
  ignoreErrors(() => {
    const fd = port.open(layout.gitignore, 'wx')
    try {
      writeAll(port, fd, Buffer.from('*\n'))
    } finally {
      port.close(fd)
    }
  })
}

/** Only while this process has the lock. */
function removeFiles(port: FileSystemPort, layout: Layout): void {
  for (const folder of [layout.journal, ...tableFolders(layout)]) {
    for (const name of port.list(folder)) port.remove(join(folder, name))
  }
  port.remove(layout.state)
  port.remove(layout.newest)
}

/** A folder that holds anything stays: a file of another program is never removed. */
function removeEmpty(port: FileSystemPort, layout: Layout, missing: readonly string[]): void {
  for (const folder of [layout.journal, ...tableFolders(layout), layout.pages]) {
    ignoreErrors(() => port.removeFolder(folder))
  }
  ignoreErrors(() => {
    if (port.list(layout.folder).join() === '.gitignore') port.remove(layout.gitignore)
  })
  for (const folder of missing) ignoreErrors(() => port.removeFolder(folder))
}

function tableFolders(layout: Layout): string[] {
  return TABLE_NAMES.map((table) => tableFolder(layout, table))
}
