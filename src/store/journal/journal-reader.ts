// Reads the journal lines that are not in the pages. Changes nothing on the disk.
import { join } from 'node:path'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { StoreDamagedError } from '../errors.ts'
import type { FileSystemPort } from '../folder/file-system.ts'
import { journalSeq, type Layout } from '../folder/layout.ts'
import { NEWLINE } from '../json-characters.ts'
import type { StoredLine } from './line.ts'

export interface JournalFile {
  readonly path: string
  /** The number of its first line. */
  readonly seq: number
}

export interface JournalState {
  /** The number of the next line. */
  readonly next: number
  /** The size of the complete commits in the newest file and in the files that the pages do not cover. */
  readonly bytes: number
  /** Files that are empty, and files before the newest one whose lines are all in the pages. */
  readonly obsolete: readonly string[]
  /**
   * The newest file that is neither empty nor obsolete. New lines are appended to it. `size` is the position of the
   * next line. It excludes an incomplete commit at the end, and includes the last newline even if the file lacks it.
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

/** Returns the decoder of a file, which returns the line between two positions, or why it is invalid. */
type LineDecoder<L> = (content: Buffer) => (start: number, end: number) => L | string

type LineHandler<L> = (line: L, file: string, lineNumber: number) => void

/**
 * Passes the lines of every complete commit after line `covered` to `onLine`, in order.
 * @throws StoreDamagedError, but not for an incomplete commit at the end
 */
export function readJournals<L extends AnyLine>(
  port: FileSystemPort,
  files: readonly JournalFile[],
  covered: CoveredLine,
  decoder: LineDecoder<L>,
  onLine: LineHandler<L>,
): JournalState {
  const obsolete: string[] = []
  const reader = new JournalReader(covered, decoder, onLine)
  for (const [i, file] of files.entries()) {
    const following = files[i + 1]
    const content = port.read(file.path) ?? Buffer.alloc(0)
    const isCovered = following !== undefined && following.seq <= covered.seq + 1
    if (isCovered) reader.checkObsoleteFile(file.path, content, following.seq - 1)
    else reader.readFile(file, content)
    if (isCovered || content.length === 0) obsolete.push(file.path)
  }
  return { ...reader.state(), obsolete }
}

class JournalReader<L extends AnyLine> {
  readonly #covered: CoveredLine
  readonly #decoder: LineDecoder<L>
  readonly #onLine: LineHandler<L>
  /** The number of the next line. Absent before the first file that is read. */
  #next: number | undefined
  #bytes = 0
  #lastFile: JournalState['lastFile']
  #torn: JournalState['torn']

  constructor(covered: CoveredLine, decoder: LineDecoder<L>, onLine: LineHandler<L>) {
    this.#covered = covered
    this.#decoder = decoder
    this.#onLine = onLine
  }

  state(): Omit<JournalState, 'obsolete'> {
    return omitUndefined({
      next: this.#next ?? this.#covered.seq + 1,
      bytes: this.#bytes,
      lastFile: this.#lastFile,
      torn: this.#torn,
    })
  }

  /** Checks a file whose lines should all be in the pages: it must end with line `last`. Other damage is ignored. */
  checkObsoleteFile(path: string, content: Buffer, last: number): void {
    const start = content.lastIndexOf(NEWLINE, -2) + 1
    const line = this.#decoder(content)(start, content.length - (content.at(-1) === NEWLINE ? 1 : 0))
    if (typeof line === 'string') return
    if (line.seq !== last)
      throw otherHistoryError(path, lineCount(content), this.#covered.seq, { found: line.seq, expected: last })
    this.#checkCovered(path, lineCount(content), line)
  }

  readFile({ path, seq }: JournalFile, content: Buffer): void {
    this.#next ??= Math.min(this.#covered.seq + 1, seq)
    if (content.length === 0) return
    if (this.#torn !== undefined)
      throw new StoreDamagedError(
        this.#torn.path,
        this.#torn.line,
        'the last line is incomplete, and later files exist',
      )
    if (seq !== this.#next)
      throw new StoreDamagedError(path, 1, `lines ${this.#next} to ${seq - 1} of the journal are missing`)
    const size = this.#readCommits(path, content, seq)
    this.#bytes += size
    this.#lastFile = { path, size, ...(size > content.length && { lacksNewline: true }) }
  }

  /**
   * @param first the number of the first line
   * @returns the number of bytes that are complete commits
   */
  #readCommits(path: string, content: Buffer, first: number): number {
    const decode = this.#decoder(content)
    /** The lines of an incomplete commit. Only their places, because the lines themselves could exceed the memory. */
    let open: LinePlace[] = []
    let complete = { offset: 0, number: 0 }
    for (let number = 1, offset = 0; offset < content.length; number++) {
      const newline = content.indexOf(NEWLINE, offset)
      const place = { start: offset, end: newline < 0 ? content.length : newline, number }
      // A line without its newline is valid: its commit may have been confirmed.
      if (newline < 0 && typeof decode(place.start, place.end) === 'string') break
      const line = decodeValid(decode, path, place)
      const expected = first + number - 1
      if (line.seq !== expected)
        throw new StoreDamagedError(path, number, `expected line ${expected} of the journal, found ${line.seq}`)
      this.#checkCovered(path, number, line)
      offset = place.end + 1
      if (line.more) {
        open.push(place)
        continue
      }
      if (line.seq > this.#covered.seq) {
        for (const part of open) this.#onLine(decodeValid(decode, path, part), path, part.number)
        this.#onLine(line, path, number)
      }
      open = []
      complete = { offset, number }
    }
    this.#next = first + complete.number
    if (complete.offset < content.length) {
      const bytes = content.length - complete.offset
      this.#torn = { path, size: complete.offset, bytes, line: complete.number + 1 }
    }
    if (this.#next <= this.#covered.seq) {
      const lines = { found: this.#next - 1, expected: this.#covered.seq }
      throw otherHistoryError(path, Math.max(1, complete.number), this.#covered.seq, lines)
    }
    return complete.offset
  }

  #checkCovered(path: string, number: number, { seq, crc }: AnyLine): void {
    const { seq: last, seq_crc } = this.#covered
    if (seq === last && crc !== (seq_crc ?? crc))
      throw otherHistoryError(path, number, last, { found: seq, expected: seq })
  }
}

/** The place of a line in its file. The first line has the number 1. */
interface LinePlace {
  readonly start: number
  readonly end: number
  readonly number: number
}

/** @throws StoreDamagedError if the line is invalid */
function decodeValid<L>(decode: (start: number, end: number) => L | string, path: string, place: LinePlace): L {
  const line = decode(place.start, place.end)
  if (typeof line === 'string') throw new StoreDamagedError(path, place.number, line)
  return line
}

/**
 * @param covered the number of the last journal line that the pages contain.
 * @param found the last line number in the file, or `expected` if the file has another line with this number.
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
  let count = content.at(-1) === NEWLINE ? 0 : 1
  for (let at = content.indexOf(NEWLINE); at >= 0; at = content.indexOf(NEWLINE, at + 1)) count++
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
