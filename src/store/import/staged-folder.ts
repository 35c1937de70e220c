// Writes the pages of a prepared state to a new directory. Nothing refers to it until the state is committed.
import { dirname, join } from 'node:path'
import { TABLE_NAMES } from '../../engine/tables.ts'
import { writeAllAsync } from '../folder/async-files.ts'
import type { FileSystemPort } from '../folder/file-system.ts'
import { pageName } from '../folder/layout.ts'
import { type StateFile, writeState } from '../folder/state-file.ts'
import type { StagedPage } from './state-importer.ts'

export interface StagedFolder {
  /** Makes the content of a page durable, but not its name. */
  write(page: StagedPage): Promise<void>
  /** Makes all names durable, and writes a state.json that lists the pages. */
  finish(state: StateFile): Promise<void>
}

/**
 * Creates an empty directory with one directory per table. Later writes of pages create no directories, so they cannot
 * recreate a data directory that was removed.
 */
export function makeStagedFolder(port: FileSystemPort, path: string): void {
  port.removeTree(path)
  port.makeFolder(path)
  for (const table of PAGED_TABLES) port.makeFolder(join(path, table))
}

const PAGED_TABLES = TABLE_NAMES.filter((name) => name !== 'state')

/** @param path a directory from {@link makeStagedFolder} */
export function createStagedFolder(port: FileSystemPort, path: string): StagedFolder {
  return {
    async write({ table, number, bytes }) {
      const fd = port.open(join(path, table, pageName(number)), 'w')
      try {
        await writeAllAsync(port, fd, bytes)
        await port.datasync(fd)
      } finally {
        port.close(fd)
      }
    },
    async finish(state) {
      for (const table of PAGED_TABLES) port.syncFolder(join(path, table))
      await writeState(port, join(path, 'state.json'), state)
      port.syncFolder(path)
      // After a power cut, the journal line that names the directory must not exist without the directory.
      port.syncFolder(dirname(path))
    },
  }
}
