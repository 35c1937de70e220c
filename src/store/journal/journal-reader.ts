// Reads what the journals hold beyond the pages. Changes nothing on the disk.
import { join } from 'node:path'
import { StoreDamagedError } from '../errors.ts'
import type { FileSystemPort } from '../folder/file-system.ts'
import { journalSeq, type Layout } from '../folder/layout.ts'
import type { StoredLine } from './line.ts'

export interface JournalFile {
  readonly path: string
  /** Number of its first line. */
  readonly seq: number
}

export interface JournalState {
  /** Number of the next line. */
  readonly next: number
  /** Bytes in files that are not covered by the pages. */
  readonly bytes: number
  /** Files of which the pages hold everything, or that hold nothing. */
  readonly obsolete: readonly string[]
  /** The newest file, when lines may be added to it; `size` leaves out a torn end, and counts a newline to come. */
  readonly tail?: { readonly path: string; readonly size: number; readonly lacksNewline?: true }
  /** What a crash left at the end: to be cut off at `size`. */
  readonly torn?: { readonly path: string; readonly size: number; readonly bytes: number; readonly line: number }
}

/** The last journal line that the pages contain. */
export interface CoveredLine {
  /** 0: the pages contain none. */
  readonly seq: number
  /** The checksum of that line. Absent: unknown, so a line with this number is taken for it. */
  readonly seq_crc?: number
}

/** The fields of a line that the reader uses. */
type AnyLine = Pick<StoredLine, 'seq' | 'more' | 'crc'>

/**
 * Passes the lines of every complete commit after line `covered` to `replay`, in order.
 * @param decoder for the content of a file, gives what reads the line from `start` to before its newline, as `decodeLine`
 * @throws StoreDamagedError for anything but an unfinished end
 */
export function readJournals<L extends AnyLine>(
  port: FileSystemPort,
  files: readonly JournalFile[],
  covered: CoveredLine,
  decoder: (content: Buffer) => (start: number, end: number) => L | string,
  replay: (line: L, file: string, lineNumber: number) => void,
): JournalState {
  const spent: string[] = []
  let next = covered.seq + 1
  let bytes = 0
  let tail: JournalState['tail']
  let torn: JournalState['torn']

  const wanted = files.filter(({ path }, i) => {
    const following = files[i + 1]
    if (following === undefined || following.seq > covered.seq + 1) return true
    checkObsoleteFile(path, following.seq - 1)
    spent.push(path)
    return false
  })
  if (wanted[0] !== undefined) next = Math.min(next, wanted[0].seq)

  for (const { path, seq } of wanted) {
    const content = port.read(path) ?? Buffer.alloc(0)
    if (content.length === 0) {
      spent.push(path)
      continue
    }
    if (torn !== undefined)
      throw new StoreDamagedError(torn.path, torn.line, 'the last line is not whole, and later files follow it')
    if (seq !== next) throw new StoreDamagedError(path, 1, `lines ${next} to ${seq - 1} of the journal are missing`)
    const end = readFile(path, content)
    bytes += end
    tail = { path, size: end, ...(end > content.length && { lacksNewline: true }) }
  }
  return { next, bytes, obsolete: spent, ...(tail && { tail }), ...(torn && { torn }) }

  /** A file whose lines are all in the pages must end with line `last`. Damage in it does not matter. */
  function checkObsoleteFile(path: string, last: number): void {
    const content = port.read(path) ?? Buffer.alloc(0)
    const start = content.lastIndexOf(10, -2) + 1
    const line = decoder(content)(start, content.length - (content.at(-1) === 10 ? 1 : 0))
    if (typeof line !== 'string' && line.seq !== last) throw otherHistoryError(path, lineCount(content), line.seq, last)
    if (typeof line !== 'string') checkCovered(path, lineCount(content), line)
  }

  function checkCovered(path: string, number: number, { seq, crc }: AnyLine): void {
    if (seq === covered.seq && crc !== (covered.seq_crc ?? crc)) throw otherHistoryError(path, number, seq, seq)
  }

  /** @returns how many bytes are whole commits */
  function readFile(path: string, content: Buffer): number {
    /** Lines of a commit whose end is not seen yet: by place, since a big one would fill the memory. */
    let open: { start: number; end: number; number: number }[] = []
    const read = decoder(content)
    let good = { offset: 0, number: 0, next }
    let number = 0
    for (let offset = 0; offset < content.length; ) {
      const newline = content.indexOf(10, offset)
      const [start, end] = [offset, newline < 0 ? content.length : newline]
      // One that lost no more than its newline counts: it may have been confirmed.
      if (newline < 0 && typeof read(start, end) === 'string') break
      const line = decode(++number, start, end)
      if (line.seq !== next) {
        throw new StoreDamagedError(path, number, `expected line ${next} of the journal, found ${line.seq}`)
      }
      checkCovered(path, number, line)
      next++
      offset = end + 1
      if (line.more) {
        open.push({ start, end, number })
        continue
      }
      if (line.seq > covered.seq) {
        for (const part of open) replay(decode(part.number, part.start, part.end), path, part.number)
        replay(line, path, number)
      }
      open = []
      good = { offset, number, next }
    }
    if (good.offset < content.length) {
      torn = { path, size: good.offset, bytes: content.length - good.offset, line: good.number + 1 }
      next = good.next
    }
    if (next <= covered.seq) throw otherHistoryError(path, Math.max(1, good.number), next - 1, covered.seq)
    return good.offset

    function decode(at: number, start: number, end: number): L {
      const line = read(start, end)
      if (typeof line === 'string') throw new StoreDamagedError(path, at, line)
      return line
    }
  }
}

/** @param last the last line of the file @param covered the line that must be its last one, or in it */
function otherHistoryError(path: string, line: number, last: number, covered: number): StoreDamagedError {
  const found =
    last === covered ? `line ${last} of the journal is another one there` : `this file ends with line ${last}`
  return new StoreDamagedError(
    path,
    line,
    `the pages contain the journal up to line ${covered}, and ${found}: the file is from another history`,
    'Move this file out of the data directory: psp then continues without the changes that only this file contains. To keep them instead, restore the whole data directory from a backup of the time of this file.',
  )
}

function lineCount(content: Buffer): number {
  let count = content.at(-1) === 10 ? 0 : 1
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) count++
  return count
}

/** Oldest first. */
export function listJournalFiles(port: FileSystemPort, layout: Layout): JournalFile[] {
  return port
    .list(layout.journal)
    .flatMap((name) => {
      const seq = journalSeq(name)
      return seq === undefined ? [] : [{ path: join(layout.journal, name), seq }]
    })
    .sort((a, b) => a.seq - b.seq)
}
