// One journal line: {"seq":…,"at":…,"command":"…","clear":[…],"deletes":[…],"puts":[…],"crc":…}

import { crc32 } from 'node:zlib'
import type { Commit } from '../../engine/commit.ts'
import { isTableName, type TableName } from '../../engine/tables.ts'
import type { AppliedChange } from '../memory/memory.ts'
import type { PreparedTablesState } from '../memory/prepared-tables-state.ts'
import type { Row } from '../memory/row.ts'

/** A commit, or a part of a large one. `n` is the ordinal of a row, which determines its page. */
export interface Line {
  readonly seq: number
  /** Sandbox time. */
  readonly at: number
  readonly command: string
  /** The commit continues in the next line. It is valid only if its last line exists. */
  readonly more?: true
  /** The directory of the pages that replace all rows. Such a line is the first one of its file. */
  readonly adopt?: string
  readonly clear?: readonly TableName[]
  readonly deletes?: readonly { readonly table: TableName; readonly n: number; readonly id: string }[]
  readonly puts?: readonly { readonly table: TableName; readonly n: number; readonly row: Row }[]
}

/** A line as it is in the file. */
export interface StoredLine extends Line {
  /** The checksum of its text. */
  readonly crc: number
}

/** The length limit of a line, far below the longest string of V8 (512 MiB). */
const MAX_LINE_LENGTH = 16 * 1024 * 1024

/** Returns the lines of a commit without the final `,"crc":…}`, numbered from `seq`. `at` is sandbox time. */
export function encodeCommit(
  seq: number,
  at: number,
  command: string,
  commit: Pick<Commit, 'clear' | 'puts' | 'prepared'>,
  change: AppliedChange,
  maxLength = MAX_LINE_LENGTH,
): string[] {
  const whole = encodeSingleLine(seq, at, command, commit, change)
  if (whole !== undefined && whole.length <= maxLength) return [whole]
  const lines: string[] = []
  let text = head()
  if (commit.clear.length > 0) text += `,"clear":${JSON.stringify(commit.clear)}`
  list('deletes', change.deleted.length, (i) => {
    const { table, ordinal, before } = change.deleted[i] as AppliedChange['deleted'][number]
    return `{"table":"${table.name}","n":${ordinal},"id":${JSON.stringify(before.id)}}`
  })
  list('puts', commit.puts.length, (i) => {
    const { table, row } = commit.puts[i] as Commit['puts'][number]
    return `{"table":"${table}","n":${change.put[i]?.ordinal},"row":${JSON.stringify(row)}}`
  })
  lines.push(text)
  return lines

  function head(): string {
    return `{"seq":${seq + lines.length},"at":${at},"command":${JSON.stringify(command)}`
  }

  function list(name: string, length: number, item: (i: number) => string): void {
    if (length === 0) return
    text += `,"${name}":[`
    for (let i = 0; i < length; i++) {
      const piece = item(i)
      if (text.length + piece.length > maxLength && !text.endsWith('[')) {
        lines.push(`${text}],"more":true`)
        text = `${head()},"${name}":[`
      } else if (i > 0) text += ','
      text += piece
    }
    text += ']'
  }
}

/** A commit with at most this number of rows is usually short enough for one line. */
const MAX_ROWS_PER_LINE = 16

/** Encodes with one call: joining pieces takes twice as long. Returns `undefined` if there are too many rows. */
function encodeSingleLine(
  seq: number,
  at: number,
  command: string,
  { clear, puts, prepared }: Pick<Commit, 'clear' | 'puts' | 'prepared'>,
  change: AppliedChange,
): string | undefined {
  const { deleted, put } = change
  if (puts.length + deleted.length > MAX_ROWS_PER_LINE) return undefined
  const line: { -readonly [F in keyof Line]: Line[F] } = { seq, at, command }
  // A store in memory has no directory and writes no journal.
  if (prepared !== undefined) line.adopt = (prepared as PreparedTablesState).folder ?? ''
  else if (clear.length > 0) line.clear = clear
  if (deleted.length > 0) {
    line.deletes = deleted.map(({ table, ordinal, before }) => ({ table: table.name, n: ordinal, id: before.id }))
  }
  if (puts.length > 0) line.puts = puts.map(({ table, row }, i) => ({ table, n: put[i]?.ordinal ?? 0, row }))
  return JSON.stringify(line).slice(0, -1)
}

/** Decodes a line without its newline. Returns a message if the line is invalid. */
export function decodeLine(line: Buffer): StoredLine | string {
  const found = checksumOf(line)
  if (typeof found === 'string') return found
  try {
    const value = JSON.parse(line.toString('utf8'))
    return isLine(value) ? { ...value, crc: found.crc } : 'psp did not write this line'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Returns the checksum and its position, or a message if it is missing or wrong. */
export function checksumOf(line: Buffer): { readonly mark: number; readonly crc: number } | string {
  const mark = line.lastIndexOf(CRC_MARK)
  if (mark < 0 || line.length - mark > CRC_MARK.length + 11) return 'not a line of the journal (no checksum at its end)'
  const crc = Number(line.toString('latin1', mark + CRC_MARK.length, line.length - 1))
  if (crc !== crc32(line.subarray(0, mark))) return 'the checksum does not match: the line was changed or damaged'
  return { mark, crc }
}

const CRC_MARK = ',"crc":'

/** Returns the end of a line, which follows the text that {@link encodeCommit} returns. */
export function lineEnd(crc: number): string {
  return `${CRC_MARK}${crc}}\n`
}

export function isLine(value: unknown): value is Line {
  if (typeof value !== 'object' || value === null) return false
  if (!Object.keys(value).every((key) => KEYS.includes(key))) return false
  const { seq, clear = [], deletes = [], puts = [] } = value as { [field: string]: unknown }
  if (!Number.isSafeInteger(seq) || !Array.isArray(clear) || !Array.isArray(deletes) || !Array.isArray(puts))
    return false
  return (
    clear.every(isTableName) &&
    deletes.every(hasPosition) &&
    puts.every((put) => hasPosition(put) && typeof put.row?.id === 'string')
  )
}

const KEYS = ['seq', 'at', 'command', 'more', 'adopt', 'clear', 'deletes', 'puts', 'crc']

function hasPosition(item: { table?: unknown; n?: unknown }): boolean {
  return isTableName(item?.table) && Number.isSafeInteger(item.n)
}
