// The text of a page file: {"seq":…,"crc":…,"rows":[ and then a row a line. Stock lowdb reads it, and so do people.
import { crc32 } from 'node:zlib'
import { StoreDamagedError } from '../errors.ts'
import { lineOfKey, parseJsonFile, unknownKey } from '../folder/json-file.ts'
import type { Row } from '../memory/row.ts'

export interface PageContent {
  /** The page holds what every journal line up to this one says of it; people may have left it out. */
  readonly seq: number | undefined
  /** As this program wrote it, by its checksum; false for one that people edited. */
  readonly isIntact: boolean
  readonly rows: readonly PageRow[]
}

/** A row of an intact page is known by the place of its text, and not parsed yet. */
export interface PageRow {
  readonly row?: Row
  readonly start: number
  /** Behind its last byte, without the comma. */
  readonly end: number
}

/** The file's bytes. @param rows each as JSON, its bytes as text */
export function pageText(seq: number, rows: Iterable<string>): Uint8Array[] {
  const body = Buffer.from(`${[...rows].join(',\n')}\n]}\n`, 'latin1')
  return [Buffer.from(formatHead(seq, body)), body]
}

/** The file's bytes in one buffer. @param body from the first row to the end of the file */
export function encodePage(seq: number, body: Uint8Array): Buffer {
  const head = formatHead(seq, body)
  // In memory that it shares with nothing: it may move to another thread.
  const bytes = Buffer.allocUnsafeSlow(head.length + body.length)
  bytes.write(head, 'latin1')
  bytes.set(body, head.length)
  return bytes
}

function formatHead(seq: number, body: Uint8Array): string {
  return `{"seq":${seq},"crc":${checksum(seq, body)},"rows":[\n`
}

/** @throws StoreDamagedError naming the line */
export function readPage(file: string, bytes: Buffer): PageContent {
  const head = bytes.indexOf(10)
  const [, seq, crc] = HEAD.exec(bytes.toString('latin1', 0, Math.min(Math.max(head, 0), HEAD_BYTES))) ?? []
  const body = bytes.subarray(head + 1)
  if (seq !== undefined && Number(crc) === checksum(Number(seq), body)) {
    return { seq: Number(seq), isIntact: true, rows: locateRows(bytes, head + 1) }
  }
  return readEditedPage(file, bytes)
}

/** The line that a page as this program wrote it is up to; 0: not known. @param start the file's first bytes */
export function parseHeadSeq(start: Buffer): number {
  return Number(/^\{"seq":(\d{1,15}),/.exec(start.toString('latin1'))?.[1] ?? 0)
}

/** Enough for {@link parseHeadSeq}. */
export const HEAD_BYTES = 80

const HEAD = /^\{"seq":(\d{1,15}),"crc":(\d{1,10}),"rows":\[$/

function checksum(seq: number, body: Uint8Array): number {
  return crc32(body, crc32(Buffer.from(String(seq))))
}

/** Rows of the text of an intact page, from the first one on. */
export function locateRows(bytes: Buffer, from: number): PageRow[] {
  const rows: PageRow[] = []
  for (let start = from; bytes[start] === BRACE; ) {
    const newline = bytes.indexOf(10, start)
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

/** The line of the n-th row, where each has one; else 1. */
export function lineOfRow(bytes: Buffer, n: number, count: number): number {
  const lines = bytes.toString('latin1').trimEnd().split('\n').length
  return lines === count + 2 ? n + 2 : 1
}

const COMMA = 44
const BRACE = 123
