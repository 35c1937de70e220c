// The pages of a state that is prepared, in a folder that nothing refers to yet.
import { join } from 'node:path'
import { TABLE_NAMES } from '../../engine/tables.ts'
import { writeAllAsync } from '../folder/async-files.ts'
import type { FileSystemPort } from '../folder/file-system.ts'
import { pageName } from '../folder/layout.ts'
import { type StateFile, writeState } from '../folder/state-file.ts'
import type { StagedPage } from './state-importer.ts'

export interface StagedFolder {
  /** Durable when it resolves, except for the name. */
  write(page: StagedPage): Promise<void>
  /** Makes all of it durable, with a state.json that lists the pages. */
  finish(state: StateFile): Promise<void>
}

/** Makes the folder empty, with the folders of the tables: its pages must not bring back a data directory that is gone. */
export function makeStagedFolder(port: FileSystemPort, path: string): void {
  port.removeTree(path)
  port.makeFolder(path)
  for (const table of PAGED) port.makeFolder(join(path, table))
}

const PAGED = TABLE_NAMES.filter((name) => name !== 'state')

/** @param path as `makeStagedFolder` made it */
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
      for (const table of PAGED) port.syncFolder(join(path, table))
      await writeState(port, join(path, 'state.json'), state)
      port.syncFolder(path)
    },
  }
}
