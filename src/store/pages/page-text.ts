// The text of a page file: {"seq":…,"crc":…,"rows":[ then one row per line. lowdb and people can read it.
import { crc32 } from 'node:zlib'
import { StoreDamagedError } from '../errors.ts'
import { lineOfKey, parseJsonFile, unknownKey } from '../folder/json-file.ts'
import { COMMA, NEWLINE, OPEN_OBJECT } from '../json-characters.ts'
import type { Row } from '../memory/row.ts'

export interface PageContent {
  /**
   * The number of a journal line. The page contains every change to its rows up to and including that line. Absent if a
   * user removed the number.
   */
  readonly seq: number | undefined
  /** Whether the checksum matches. False if the page was edited by hand. */
  readonly isIntact: boolean
  readonly rows: readonly PageRow[]
}

/** A row of a page: its position if the page is intact, and the parsed row otherwise. */
export interface PageRow {
  readonly row?: Row
  readonly start: number
  /** The offset after its last byte, before the comma. */
  readonly end: number
}

/**
 * Returns the bytes of the file.
 * @param rows the JSON of each row, with one character per byte (see `bytesAsText`)
 */
export function pageText(seq: number, rows: Iterable<string>): Uint8Array[] {
  const body = Buffer.from(`${[...rows].join(',\n')}\n]}\n`, 'latin1')
  return [Buffer.from(formatHead(seq, body)), body]
}

/**
 * Returns the bytes of the file in one buffer.
 * @param body from the first row to the end of the file
 */
export function encodePage(seq: number, body: Uint8Array): Buffer {
  const head = formatHead(seq, body)
  // The buffer does not share memory, so it can be transferred to another thread.
  const bytes = Buffer.allocUnsafeSlow(head.length + body.length)
  bytes.write(head, 'latin1')
  bytes.set(body, head.length)
  return bytes
}

function formatHead(seq: number, body: Uint8Array): string {
  return `{"seq":${seq},"crc":${checksum(seq, body)},"rows":[\n`
}

/** @throws StoreDamagedError with the line */
export function readPage(file: string, bytes: Buffer): PageContent {
  const head = bytes.indexOf(NEWLINE)
  const [, seq, crc] = HEAD.exec(bytes.toString('latin1', 0, Math.min(Math.max(head, 0), HEAD_BYTES))) ?? []
  const body = bytes.subarray(head + 1)
  if (seq !== undefined && Number(crc) === checksum(Number(seq), body)) {
    return { seq: Number(seq), isIntact: true, rows: locateRows(bytes, head + 1) }
  }
  return readEditedPage(file, bytes)
}

/**
 * Returns the last journal line of a page that psp wrote, or 0 if it is not known.
 * @param start the first bytes of the file
 */
export function parseHeadSeq(start: Buffer): number {
  return Number(/^\{"seq":(\d{1,15}),/.exec(start.toString('latin1'))?.[1] ?? 0)
}

/** The number of bytes that {@link parseHeadSeq} needs. */
export const HEAD_BYTES = 80

const HEAD = /^\{"seq":(\d{1,15}),"crc":(\d{1,10}),"rows":\[$/

function checksum(seq: number, body: Uint8Array): number {
  return crc32(body, crc32(Buffer.from(String(seq))))
}

/**
 * Returns the positions of the rows of an intact page.
 * @param from the offset of the first row
 */
export function locateRows(bytes: Buffer, from: number): PageRow[] {
  const rows: PageRow[] = []
  for (let start = from; bytes[start] === OPEN_OBJECT; ) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = bytes[newline - 1] === COMMA ? newline - 1 : newline
    rows.push({ start, end })
    start = newline + 1
  }
  return rows
}

function readEditedPage(file: string, bytes: Buffer): PageContent {
  const whole = parseJsonFile(file, bytes) as { seq?: unknown; rows?: unknown } | null
  const rows = whole?.rows
  if (!Array.isArray(rows)) throw new StoreDamagedError(file, lineOfKey(bytes, 'rows'), 'expected {"rows":[ … ]}')
  for (const [i, row] of rows.entries()) {
    if (typeof row?.id === 'string') continue
    throw new StoreDamagedError(file, lineOfRow(bytes, i, rows.length), 'expected a row with an id')
  }
  const unknown = unknownKey(whole ?? {}, ['seq', 'crc', 'rows'])
  if (unknown !== undefined) throw new StoreDamagedError(file, lineOfKey(bytes, unknown.key), unknown.why)
  const seq = whole?.seq as number | undefined
  if (seq !== undefined && (!Number.isSafeInteger(seq) || seq < 0)) {
    throw new StoreDamagedError(file, lineOfKey(bytes, 'seq'), 'seq: expected an integer from 0')
  }
  return { seq, isIntact: false, rows: rows.map((row: Row) => ({ row, start: 0, end: 0 })) }
}

/** Returns the line of the n-th row if every row has its own line. Otherwise returns 1. */
export function lineOfRow(bytes: Buffer, n: number, count: number): number {
  const lines = bytes.toString('latin1').trimEnd().split('\n').length
  return lines === count + 2 ? n + 2 : 1
}
