// The text of a snapshot: JSON with a row a line, so that one larger than the longest string can be read too.
import { TABLE_NAMES, type TableName } from '../../engine/tables.ts'
import { StoreDamaged } from '../errors.ts'
import type { Row } from '../memory/row.ts'
import { parseLine } from '../pages/block.ts'
import { checkEncoding, lineOfKey, parseFile } from '../pages/json-text.ts'
import type { SnapshotInfo, StoredTables } from './snapshots.ts'

/** Raised when programs could not read what another version writes; no other number is read. */
const SNAPSHOT_FORMAT = 1

export function* snapshotText(info: SnapshotInfo, tables: StoredTables): Generator<Uint8Array> {
  let text = `{"format":${SNAPSHOT_FORMAT},"saved_at":${info.saved_at},"tables":{\n`
  for (const [i, name] of TABLE_NAMES.entries()) {
    text += `${i > 0 ? ',\n' : ''}${JSON.stringify(name)}:[\n`
    const last = tables[name].length - 1
    for (const [j, row] of tables[name].entries()) {
      text += `${JSON.stringify(row)}${j < last ? ',' : ''}\n`
      if (text.length < PIECE) continue
      yield Buffer.from(text)
      text = ''
    }
    text += ']'
  }
  yield Buffer.from(`${text}\n}}\n`)
}

const PIECE = 1024 * 1024

/** @throws StoreDamaged naming the line */
export function readSnapshot(path: string, bytes: Buffer): StoredTables {
  checkEncoding(path, bytes)
  return readLines(path, bytes) ?? readWhole(path, bytes)
}

/** Line by line; `undefined` for a file that people formatted in another way. */
function readLines(path: string, bytes: Buffer): StoredTables | undefined {
  const tables = new Map<string, Row[]>(TABLE_NAMES.map((name) => [name, []]))
  let rows: Row[] | undefined
  let number = 0
  /** The last line was seen. */
  let complete = false
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(10, start)
    const end = newline < 0 ? bytes.length : newline
    number++
    if (number > 1 && bytes[start] === BRACE) {
      if (rows === undefined) return undefined
      rows.push(rowAt(path, bytes, start, number))
    } else {
      const text = bytes.toString('utf8', start, Math.min(end, start + 100))
      const table = /^"(\w+)":\[$/.exec(text)?.[1]
      if (table !== undefined) rows = tables.get(table)
      else if (!(number === 1 ? HEAD : /^(\],?|\}\}|)$/).test(text)) return undefined
      complete ||= text === '}}'
    }
    start = end + 1
  }
  return complete ? (Object.fromEntries(tables) as unknown as StoredTables) : undefined
}

const BRACE = 123
const HEAD = new RegExp(`^\\{"format":${SNAPSHOT_FORMAT},"saved_at":\\d+,"tables":\\{$`)

function rowAt(path: string, bytes: Buffer, start: number, line: number): Row {
  let row: Row | null
  try {
    row = parseLine(bytes, start)
  } catch (error) {
    throw new StoreDamaged(path, line, `not JSON: ${error instanceof Error ? error.message : error}`)
  }
  if (typeof row?.id !== 'string') throw new StoreDamaged(path, line, 'expected a row with an id')
  return row
}

function readWhole(path: string, bytes: Buffer): StoredTables {
  const whole = parseFile(path, bytes) as {
    format?: unknown
    saved_at?: unknown
    tables?: { [table: string]: unknown }
  } | null
  if (whole?.format !== SNAPSHOT_FORMAT) {
    throw new StoreDamaged(
      path,
      lineOfKey(bytes, 'format'),
      `format: expected ${SNAPSHOT_FORMAT}, found ${String(whole?.format)}`,
      'Restore it with the version of psp that saved it, export that state there, and import it here.',
    )
  }
  if (!Number.isSafeInteger(whole.saved_at)) {
    throw new StoreDamaged(path, lineOfKey(bytes, 'saved_at'), 'saved_at: expected a time in ms')
  }
  const tables = TABLE_NAMES.map((name): [TableName, unknown] => {
    const rows = whole.tables?.[name] ?? []
    const isRows = Array.isArray(rows) && rows.every((row) => typeof row?.id === 'string')
    if (!isRows)
      throw new StoreDamaged(path, lineOfKey(bytes, name), `${name}: expected a list of rows, each with an id`)
    return [name, rows]
  })
  return Object.fromEntries(tables) as unknown as StoredTables
}
