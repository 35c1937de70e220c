// Creates the data directory, and removes a new one if the start fails.
import { dirname, join } from 'node:path'
import { TABLE_NAMES } from '../../engine/tables.ts'
import { StoreLockedError } from '../errors.ts'
import { type FileSystemPort, ignoreErrors, withFile, writeAll } from './file-system.ts'
import { type Layout, tableFolder } from './layout.ts'
import type { Lock } from './lock.ts'

export interface DataDirectory {
  readonly lock: Lock
  /** Releases the lock, and removes a new data directory with the parents that were created for it. Never throws. */
  discard(): void
}

/** @param acquireLock called when the directory exists */
export async function createDataDirectory(
  port: FileSystemPort,
  layout: Layout,
  acquireLock: () => Promise<Lock>,
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
    const lock = await acquireLock()
    return {
      lock,
      discard() {
        if (isNew) ignoreErrors(() => removeFiles(port, layout))
        ignoreErrors(() => lock.release())
        removeFolders()
      },
    }
  } catch (error) {
    // If another process has the lock, the directory belongs to it.
    if (!(error instanceof StoreLockedError) && port.size(layout.lock) === 0) removeFolders()
    throw error
  }
}

/** Returns the missing directories among the directory and its parents, the innermost first. */
function missingFolders(port: FileSystemPort, folder: string): string[] {
  if (port.stat(folder) !== undefined || dirname(folder) === folder) return []
  return [folder, ...missingFolders(port, dirname(folder))]
}

/** Keeps the data directory and its secrets out of Git. A failure is ignored: the next write reports the cause. */
function writeGitignore(port: FileSystemPort, layout: Layout): void {
  ignoreErrors(() => withFile(port, layout.gitignore, 'wx', (fd) => writeAll(port, fd, Buffer.from('*\n'))))
}

/** Call it only while this process has the lock. */
function removeFiles(port: FileSystemPort, layout: Layout): void {
  for (const folder of [layout.journal, ...tableFolders(layout)]) {
    for (const name of port.list(folder)) port.remove(join(folder, name))
  }
  port.remove(layout.state)
  port.remove(layout.newest)
}

/** Removes only empty directories, so a file of another program is never lost. */
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
