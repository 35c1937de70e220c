// Decodes journal lines for a checkpoint. A checkpoint only moves rows, so a row stays text. Parsing and serializing
// the rows would take most of its time.
import { isTableName, type TableName } from '../../engine/tables.ts'
import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_OBJECT, QUOTE } from '../json-characters.ts'
import { checksumOf, decodeLine, isLine, type Line, type StoredLine } from './line.ts'

export interface RawPut {
  readonly table: TableName
  readonly n: number
  readonly id: string
  /** The row as JSON, see {@link bytesAsText}. */
  readonly text: string
}

export type RawLine = Omit<StoredLine, 'puts'> & { readonly puts?: readonly RawPut[] }

/** Returns a string with one character per byte. This needs no decoding, and a slice of it is not a copy. */
export function bytesAsText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

/** Returns the decoder of a file, which returns the line between two positions, or why it is invalid. */
export function createRawLineDecoder(content: Buffer): (start: number, end: number) => RawLine | string {
  const whole = bytesAsText(content)

  return (start, end) => {
    const line = content.subarray(start, end)
    const found = checksumOf(line)
    if (typeof found === 'string') return found
    const { mark, crc } = found
    const puts = line.subarray(0, mark).indexOf(PUTS)
    const rows = puts < 0 ? undefined : sliceList(content, whole, start + puts + PUTS.length, start + mark)
    const head = rows && parseHead(line.toString('utf8', 0, puts))
    return head === undefined ? decodeWhole(line) : { ...head, crc, puts: rows as RawPut[] }
  }
}

/** Parses the fields before the rows. */
function parseHead(text: string): Omit<Line, 'puts'> | undefined {
  try {
    const head: unknown = JSON.parse(`${text}}`)
    return isLine(head) ? head : undefined
  } catch {
    return undefined
  }
}

/** Decodes a line that has another layout, such as a part of a large commit. */
function decodeWhole(line: Buffer): RawLine | string {
  const whole = decodeLine(line)
  if (typeof whole === 'string') return whole
  const { puts, ...head } = whole
  if (puts === undefined) return head
  return {
    ...head,
    puts: puts.map(({ table, n, row }) => ({
      table,
      n,
      id: row.id,
      text: bytesAsText(Buffer.from(JSON.stringify(row))),
    })),
  }
}

/** The first match is the field: quotes in strings are escaped, and no object before it has a field `puts`. */
const PUTS = ',"puts":['
const PUT = /\{"table":"([a-z_]+)","n":(\d+),"row":(?=\{)/y
const ID = /\{"id":"([\x20-\x21\x23-\x5b\x5d-\x7e]*)"/y

/** Returns `undefined` if the list has another layout, or if an id is not plain ASCII. */
function sliceList(bytes: Buffer, whole: string, from: number, to: number): RawPut[] | undefined {
  const rows: RawPut[] = []
  for (let at = from; ; at++) {
    PUT.lastIndex = at
    const [head = '', table, n] = PUT.exec(whole) ?? []
    if (table === undefined || !isTableName(table)) return undefined
    const start = at + head.length
    ID.lastIndex = start
    const id = ID.exec(whole)?.[1]
    const end = endOfRow(bytes, start, to)
    if (end < 0 || id === undefined || bytes[end] !== CLOSE_OBJECT) return undefined
    rows.push({ table, n: Number(n), id, text: whole.slice(start, end) })
    at = end + 1
    if (bytes[at] === COMMA) continue
    return bytes[at] === CLOSE_LIST && at === to - 1 ? rows : undefined
  }
}

function endOfRow(bytes: Buffer, start: number, to: number): number {
  let depth = 0
  for (let at = start; at < to; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at, to)
    else if (byte === OPEN_OBJECT) depth++
    else if (byte === CLOSE_OBJECT && --depth === 0) return at + 1
  }
  return -1
}

/** Returns the position of the closing quote. */
function endOfString(bytes: Buffer, start: number, to: number): number {
  for (let at = start + 1; at < to; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) return at
    if (byte === BACKSLASH) at++
  }
  return to
}
