import { type Adapter, Low } from 'lowdb'
import { writeAtomicFile } from '../folder/atomic-file.ts'
import type { FileSystemPort } from '../folder/file-system.ts'
import { bytesAsText } from '../journal/raw-line.ts'
import { fieldText } from './json-field.ts'
import { pageText, readPage } from './page-text.ts'

export interface PageData {
  /** The number of a journal line. The page contains every change to its rows up to and including that line. */
  seq: number
  /** The JSON of each row, with one character per byte (see `bytesAsText`). By id, in the order of the file. */
  rows: Map<string, string>
}

/** Returns a page file as a lowdb database. */
export function openPageFile(port: FileSystemPort, file: string): Low<PageData> {
  const adapter: Adapter<PageData> = {
    read: async () => {
      const bytes = port.read(file)
      return bytes === undefined ? null : parsePageData(file, bytes)
    },
    write: async ({ seq, rows }) => writeAtomicFile(port, file, pageText(seq, rows.values())),
  }
  return new Low<PageData>(adapter, { seq: 0, rows: new Map() })
}

function parsePageData(file: string, bytes: Buffer): PageData {
  const { seq, rows } = readPage(file, bytes)
  const text = bytesAsText(bytes)
  const texts = rows.map(({ row, start, end }): [string, string] =>
    row === undefined
      ? [fieldText(bytes, start, end, 'id') ?? '', text.slice(start, end)]
      : [row.id, bytesAsText(Buffer.from(JSON.stringify(row)))],
  )
  return { seq: seq ?? 0, rows: new Map(texts) }
}
