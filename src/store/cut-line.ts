// A journal line for those who only move its rows on: a row stays the text it is, since parsing and writing it anew would be most of their work.
import { TABLE_NAMES, type TableName } from '../engine/tables.ts'
import { decodeLine, isLine, type Line, lineText } from './line.ts'

export interface CutPut {
  readonly table: TableName
  readonly n: number
  readonly id: string
  /** The row as JSON. */
  readonly text: string
}

export type CutLine = Omit<Line, 'puts'> & { readonly puts?: readonly CutPut[] }

/** `line` without its newline. @returns the line, or in words what is wrong with it */
export function cutLine(line: Buffer): CutLine | string {
  const text = lineText(line)
  if (text === undefined) return decoded(line)
  const puts = text.indexOf(PUTS)
  const rows = puts < 0 ? undefined : cutRows(text, puts + PUTS.length)
  if (rows === undefined) return decoded(line)
  const head = headOf(text.slice(0, puts))
  return head === undefined ? decoded(line) : { ...head, puts: rows }
}

/** What stands before the rows. */
function headOf(text: string): Omit<Line, 'puts'> | undefined {
  try {
    const head: unknown = JSON.parse(`${text}}`)
    return isLine(head) ? head : undefined
  } catch {
    return undefined
  }
}

/** Also what is not as this program writes it, and parts of big commits. */
function decoded(line: Buffer): CutLine | string {
  const whole = decodeLine(line)
  if (typeof whole === 'string') return whole
  const { puts, ...head } = whole
  if (puts === undefined) return head
  return { ...head, puts: puts.map(({ table, n, row }) => ({ table, n, id: row.id, text: JSON.stringify(row) })) }
}

/** Within a text its quotes would be escaped, and before the rows nothing is nested: the first is the line's own. */
const PUTS = ',"puts":['
const PUT = /\{"table":"([a-z_]+)","n":(\d+),"row":(?=\{)/y

/** @returns `undefined` where anything but the end of the list follows a row */
function cutRows(text: string, from: number): CutPut[] | undefined {
  const rows: CutPut[] = []
  for (let at = from; ; at++) {
    PUT.lastIndex = at
    const [head = '', table, n] = PUT.exec(text) ?? []
    if (table === undefined || !isTable(table)) return undefined
    const start = at + head.length
    const end = endOfRow(text, start)
    const id = idOf(text, start)
    if (end < 0 || id === undefined || text.charCodeAt(end) !== CLOSE) return undefined
    rows.push({ table, n: Number(n), id, text: text.slice(start, end) })
    at = end + 1
    if (text.charCodeAt(at) === COMMA) continue
    return text.endsWith(']') && at === text.length - 1 ? rows : undefined
  }
}

function endOfRow(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === OPEN) depth++
    else if (code === CLOSE && --depth === 0) return at + 1
  }
  return -1
}

/** @returns where its closing quote is */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at++
  }
  return text.length
}

function idOf(text: string, start: number): string | undefined {
  if (!text.startsWith(ID, start)) return undefined
  const from = start + ID.length
  const end = endOfString(text, from - 1)
  const id = text.slice(from, end)
  return id.includes('\\') ? undefined : id
}

function isTable(name: string): name is TableName {
  return TABLE_NAMES.includes(name as TableName)
}

const ID = '{"id":"'
const QUOTE = 34
const COMMA = 44
const BACKSLASH = 92
const OPEN = 123
const CLOSE = 125
