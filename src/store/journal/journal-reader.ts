// Reads the journal lines that are not in the pages. Changes nothing on the disk.
import { join } from 'node:path'
import { StoreDamagedError } from '../errors.ts'
import type { FileSystemPort } from '../folder/file-system.ts'
import { journalSeq, type Layout } from '../folder/layout.ts'
import type { StoredLine } from './line.ts'

export interface JournalFile {
  readonly path: string
  /** The number of its first line. */
  readonly seq: number
}

export interface JournalState {
  /** The number of the next line. */
  readonly next: number
  /** The size of the files that the pages do not cover. */
  readonly bytes: number
  /** Files that are empty, or whose lines are all in the pages. */
  readonly obsolete: readonly string[]
  /**
   * The newest file, if it has lines. `size` is the position of the next line: before a torn end, and after the last newline even
   * if it is missing.
   */
  readonly lastFile?: { readonly path: string; readonly size: number; readonly lacksNewline?: true }
  /** An incomplete commit at the end, from a crash. The file must be truncated to `size`. */
  readonly torn?: { readonly path: string; readonly size: number; readonly bytes: number; readonly line: number }
}

/** The last journal line that the pages contain. */
export interface CoveredLine {
  /** 0 if the pages contain none. */
  readonly seq: number
  /** The checksum of that line. Absent if unknown: any line with this number then counts as that line. */
  readonly seq_crc?: number
}

/** The fields of a line that the reader uses. */
type AnyLine = Pick<StoredLine, 'seq' | 'more' | 'crc'>

/**
 * Passes the lines of every complete commit after line `covered` to `replay`, in order.
 * @param decoder returns the decoder of a file. It gets the start of a line and the position of its newline, and returns the line,
 * or a message if it is invalid.
 * @throws StoreDamagedError, except for an incomplete end
 */
export function readJournals<L extends AnyLine>(
  port: FileSystemPort,
  files: readonly JournalFile[],
  covered: CoveredLine,
  decoder: (content: Buffer) => (start: number, end: number) => L | string,
  replay: (line: L, file: string, lineNumber: number) => void,
): JournalState {
  const obsolete: string[] = []
  let next = covered.seq + 1
  let bytes = 0
  let lastFile: JournalState['lastFile']
  let torn: JournalState['torn']

  const wanted = files.filter(({ path }, i) => {
    const following = files[i + 1]
    if (following === undefined || following.seq > covered.seq + 1) return true
    checkObsoleteFile(path, following.seq - 1)
    obsolete.push(path)
    return false
  })
  if (wanted[0] !== undefined) next = Math.min(next, wanted[0].seq)

  for (const { path, seq } of wanted) {
    const content = port.read(path) ?? Buffer.alloc(0)
    if (content.length === 0) {
      obsolete.push(path)
      continue
    }
    if (torn !== undefined)
      throw new StoreDamagedError(torn.path, torn.line, 'the last line is incomplete, and later files exist')
    if (seq !== next) throw new StoreDamagedError(path, 1, `lines ${next} to ${seq - 1} of the journal are missing`)
    const end = readFile(path, content)
    bytes += end
    lastFile = { path, size: end, ...(end > content.length && { lacksNewline: true }) }
  }
  return { next, bytes, obsolete, ...(lastFile && { lastFile }), ...(torn && { torn }) }

  /** Checks a file whose lines should all be in the pages: it must end with line `last`. Damage in it does not matter. */
  function checkObsoleteFile(path: string, last: number): void {
    const content = port.read(path) ?? Buffer.alloc(0)
    const start = content.lastIndexOf(10, -2) + 1
    const line = decoder(content)(start, content.length - (content.at(-1) === 10 ? 1 : 0))
    if (typeof line !== 'string' && line.seq !== last)
      throw otherHistoryError(path, lineCount(content), covered.seq, { found: line.seq, expected: last })
    if (typeof line !== 'string') checkCovered(path, lineCount(content), line)
  }

  function checkCovered(path: string, number: number, { seq, crc }: AnyLine): void {
    if (seq === covered.seq && crc !== (covered.seq_crc ?? crc))
      throw otherHistoryError(path, number, covered.seq, { found: seq, expected: seq })
  }

  /** Returns the number of bytes that are complete commits. */
  function readFile(path: string, content: Buffer): number {
    /** Only the places of the lines of an incomplete commit, because the lines themselves could exceed the memory. */
    let open: { start: number; end: number; number: number }[] = []
    const read = decoder(content)
    let complete = { offset: 0, number: 0, next }
    let number = 0
    for (let offset = 0; offset < content.length; ) {
      const newline = content.indexOf(10, offset)
      const [start, end] = [offset, newline < 0 ? content.length : newline]
      // A line without its newline is valid: its commit may have been confirmed.
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
      complete = { offset, number, next }
    }
    if (complete.offset < content.length) {
      torn = { path, size: complete.offset, bytes: content.length - complete.offset, line: complete.number + 1 }
      next = complete.next
    }
    if (next <= covered.seq)
      throw otherHistoryError(path, Math.max(1, complete.number), covered.seq, {
        found: next - 1,
        expected: covered.seq,
      })
    return complete.offset

    function decode(at: number, start: number, end: number): L {
      const line = read(start, end)
      if (typeof line === 'string') throw new StoreDamagedError(path, at, line)
      return line
    }
  }
}

/**
 * @param covered the number of the last journal line that the pages contain.
 * @param found the number of the last line in the file.
 * @param expected the number that the file must contain
 */
function otherHistoryError(
  path: string,
  line: number,
  covered: number,
  { found, expected }: { readonly found: number; readonly expected: number },
): StoreDamagedError {
  const difference =
    found === expected
      ? `this file has a different line ${found}`
      : `this file ends with line ${found}, not line ${expected}`
  return new StoreDamagedError(
    path,
    line,
    `the pages contain the journal up to line ${covered}, and ${difference}: the file is from another history`,
    'Move this file out of the data directory: psp then continues without the changes that only this file contains. To keep them instead, restore the whole data directory from a backup of the time of this file.',
  )
}

function lineCount(content: Buffer): number {
  let count = content.at(-1) === 10 ? 0 : 1
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) count++
  return count
}

/** Returns the journal files, oldest first. */
export function listJournalFiles(port: FileSystemPort, layout: Layout): JournalFile[] {
  return port
    .list(layout.journal)
    .flatMap((name) => {
      const seq = journalSeq(name)
      return seq === undefined ? [] : [{ path: join(layout.journal, name), seq }]
    })
    .sort((a, b) => a.seq - b.seq)
}
