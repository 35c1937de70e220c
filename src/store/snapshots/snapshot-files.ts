// Stores each snapshot as a JSON file.
import { join } from 'node:path'
import { TABLE_NAMES } from '../../engine/tables.ts'
import { diskReason, errorCode, StoreUnavailableError } from '../errors.ts'
import { readPieces, writeAllAsync } from '../folder/async-files.ts'
import { createAtomicFile } from '../folder/atomic-file.ts'
import type { FileSystemPort } from '../folder/file-system.ts'
import type { Layout } from '../folder/layout.ts'
import { SNAPSHOT_FORMAT } from '../import/envelopes.ts'
import type { StateView } from '../memory/state-view.ts'
import { assertSnapshotName, byName, type SnapshotInfo, type Snapshots } from './snapshots.ts'
import { sharedStateText } from './state-text.ts'

/**
 * @param assertOwned throws StoreUnavailableError if this store lost its directory
 * @param notice prints a failed write, because the response of the API does not contain the reason
 */
export function createSnapshotFiles(
  port: FileSystemPort,
  layout: Layout,
  assertOwned: () => void,
  notice: (text: string) => void,
): Snapshots {
  const file = (name: string) => join(layout.snapshots, snapshotFileName(assertSnapshotName(name)))
  /** Snapshots are saved one at a time, because two snapshots with the same name would use the same temporary file. */
  let saving: Promise<unknown> = Promise.resolve()

  async function write(path: string, info: SnapshotInfo, state: StateView): Promise<void> {
    assertOwned()
    port.makeFolder(layout.snapshots)
    const replacement = createAtomicFile(port, path)
    try {
      const firstFields = { format: SNAPSHOT_FORMAT, saved_at: info.saved_at }
      const tables = TABLE_NAMES.map((name) => [name, state.lines(name)] as const)
      for (const piece of sharedStateText(firstFields, tables)) await writeAllAsync(port, replacement.fd, piece)
      await replacement.commitAsync(assertOwned)
      await port.syncFolderAsync(layout.snapshots)
    } finally {
      replacement.discard()
    }
  }

  function infoOf(name: string): SnapshotInfo | undefined {
    const saved_at = parseSavedAt(head(port, file(name)))
    return saved_at === undefined ? undefined : { name, saved_at }
  }

  return {
    list() {
      const names = port.list(layout.snapshots).flatMap((entry) => SNAPSHOT_FILE.exec(entry)?.[1] ?? [])
      return names.flatMap((name) => infoOf(name) ?? []).sort(byName)
    },
    async save(info, state) {
      const path = file(info.name)
      const written = saving.then(() => write(path, info, state))
      saving = written.catch(() => {})
      try {
        await written
      } catch (error) {
        if (error instanceof StoreUnavailableError) throw error
        const failure = `The snapshot ${path} could not be written: ${diskReason(error)}`
        notice(failure)
        throw new StoreUnavailableError(failure, error)
      }
    },
    open(name) {
      const path = file(name)
      const bytes = head(port, path)
      if (bytes === undefined) return undefined
      // A file without a time is damaged. Reading it reports the damage.
      const info = { name, saved_at: parseSavedAt(bytes) ?? 0 }
      return { info, source: () => ({ kind: 'snapshot', file: path, bytes: readPieces(port, path) }) }
    },
    remove(name) {
      const known = head(port, file(name)) !== undefined
      if (known) {
        assertOwned()
        port.remove(file(name))
      }
      return known
    },
  }
}

const SNAPSHOT_FILE = /^_?([a-z0-9][a-z0-9._-]{0,63})\.json$/

/** Returns the first bytes, or `undefined` if the file does not exist or is a directory. */
function head(port: FileSystemPort, path: string): Buffer | undefined {
  try {
    return port.read(path, 200)
  } catch (error) {
    if (errorCode(error) === 'EISDIR') return undefined
    throw error
  }
}

/** On Windows `con.json` is a device, so such a name gets the prefix `_`, with which no snapshot name begins. */
function snapshotFileName(name: string): string {
  const device = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/.test(name)
  return `${device ? '_' : ''}${name}.json`
}

/** Returns `undefined` if the file is not a snapshot. */
function parseSavedAt(head: Buffer | undefined): number | undefined {
  const found = /"saved_at":\s*(\d{1,15})\D/.exec(head?.toString('latin1') ?? '')?.[1]
  return found === undefined ? undefined : Number(found)
}
