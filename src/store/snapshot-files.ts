// Snapshots in a folder: one JSON file each, one row a line.
import { join } from 'node:path'
import { TABLE_NAMES } from '../engine/tables.ts'
import { diskReason, StoreDamaged, StoreUnavailable } from './errors.ts'
import { type FileSystemPort, replaceFile } from './file-system.ts'
import { lineOfKey, parseFile } from './json-text.ts'
import { FORMAT, type Layout } from './layout.ts'
import { checkName, type SnapshotInfo, type Snapshots, type StoredTables } from './snapshots.ts'

export function snapshotFiles(
  port: FileSystemPort,
  layout: Layout,
  now: () => number,
  state: () => StoredTables,
): Snapshots {
  const file = (name: string) => join(layout.snapshots, `${checkName(name)}.json`)
  return {
    list: () =>
      port.list(layout.snapshots).flatMap((entry) => {
        const name = /^([a-z0-9][a-z0-9._-]{0,63})\.json$/.exec(entry)?.[1]
        return name === undefined ? [] : [{ name, saved_at: savedAt(port.read(file(name))) }]
      }),
    save(name) {
      const info = { name, saved_at: now() }
      const path = file(name)
      try {
        port.makeFolder(layout.snapshots)
        replaceFile(port, path, pieces(info, state()))
        port.syncFolder(layout.snapshots)
      } catch (error) {
        throw new StoreUnavailable(`The snapshot ${path} could not be written: ${diskReason(error)}`, error)
      }
      return info
    },
    load(name) {
      const bytes = port.read(file(name))
      return bytes === undefined ? undefined : read(file(name), bytes)
    },
    remove(name) {
      const known = port.read(file(name)) !== undefined
      port.remove(file(name))
      return known
    },
  }
}

function* pieces(info: SnapshotInfo, tables: StoredTables): Generator<Uint8Array> {
  yield Buffer.from(`{"format":${FORMAT},"saved_at":${info.saved_at},"tables":{`)
  let text = ''
  for (const [i, name] of TABLE_NAMES.entries()) {
    text += `${i > 0 ? ',' : ''}\n${JSON.stringify(name)}:[`
    for (const [j, row] of tables[name].entries()) {
      text += `${j > 0 ? ',' : ''}\n${JSON.stringify(row)}`
      if (text.length < 1 << 20) continue
      yield Buffer.from(text)
      text = ''
    }
    text += ']'
  }
  yield Buffer.from(`${text}\n}}\n`)
}

function savedAt(bytes: Buffer | undefined): number {
  return Number(/"saved_at":\s*(\d+)/.exec(bytes?.toString('latin1', 0, 200) ?? '')?.[1] ?? 0)
}

function read(path: string, bytes: Buffer): StoredTables {
  const whole = parseFile(path, bytes) as { format?: unknown; tables?: { [table: string]: unknown } }
  if (whole?.format !== FORMAT) {
    throw new StoreDamaged(
      path,
      lineOfKey(bytes, 'format'),
      `format: expected ${FORMAT}, found ${String(whole?.format)}`,
    )
  }
  const tables = TABLE_NAMES.map((name) => {
    const rows = whole.tables?.[name] ?? []
    const isRows = Array.isArray(rows) && rows.every((row) => typeof row?.id === 'string')
    if (!isRows)
      throw new StoreDamaged(path, lineOfKey(bytes, name), `${name}: expected a list of rows, each with an id`)
    return [name, rows] as const
  })
  return Object.fromEntries(tables) as unknown as StoredTables
}
