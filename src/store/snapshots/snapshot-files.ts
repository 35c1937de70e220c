// Snapshots in a folder: one JSON file each.
import { join } from 'node:path'
import { diskReason, errorCode, StoreUnavailable } from '../errors.ts'
import type { FileSystemPort } from '../folder/file-system.ts'
import type { Layout } from '../folder/layout.ts'
import { replaceFile } from '../folder/replacement.ts'
import { readSnapshot, snapshotText } from './snapshot-text.ts'
import { checkName, type Snapshots, type StoredTables } from './snapshots.ts'

export function snapshotFiles(
  port: FileSystemPort,
  layout: Layout,
  now: () => number,
  state: () => StoredTables,
  /** @throws StoreUnavailable where the folder is not ours */
  demand: () => void,
): Snapshots {
  const file = (name: string) => join(layout.snapshots, fileNameOf(checkName(name)))
  return {
    list: () =>
      port.list(layout.snapshots).flatMap((entry) => {
        const name = /^_?([a-z0-9][a-z0-9._-]{0,63})\.json$/.exec(entry)?.[1]
        const saved_at = name === undefined ? undefined : savedAt(read(file(name), 200))
        return name === undefined || saved_at === undefined ? [] : [{ name, saved_at }]
      }),
    save(name) {
      const info = { name, saved_at: now() }
      const path = file(name)
      try {
        demand()
        port.makeFolder(layout.snapshots)
        replaceFile(port, path, snapshotText(info, state()))
        port.syncFolder(layout.snapshots)
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error
        throw new StoreUnavailable(`The snapshot ${path} could not be written: ${diskReason(error)}`, error)
      }
      return info
    },
    load(name) {
      const bytes = read(file(name))
      return bytes === undefined ? undefined : readSnapshot(file(name), bytes)
    },
    remove(name) {
      const known = read(file(name), 1) !== undefined
      if (known) {
        demand()
        port.remove(file(name))
      }
      return known
    },
  }

  /** `undefined` for a folder of this name, too. */
  function read(path: string, most?: number): Buffer | undefined {
    try {
      return port.read(path, most)
    } catch (error) {
      if (errorCode(error) === 'EISDIR') return undefined
      throw error
    }
  }
}

/** Windows takes `con.json` for a device, so such a name is stored behind a `_`, which no name begins with. */
function fileNameOf(name: string): string {
  const device = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/.test(name)
  return `${device ? '_' : ''}${name}.json`
}

/** `undefined` for a file that holds no snapshot. */
function savedAt(head: Buffer | undefined): number | undefined {
  const found = /"saved_at":\s*(\d{1,15})\D/.exec(head?.toString('latin1') ?? '')?.[1]
  return found === undefined ? undefined : Number(found)
}
