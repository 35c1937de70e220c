// Reads what the journals hold beyond the pages. Changes nothing on the disk.
import { join } from 'node:path'
import { StoreDamagedError } from '../errors.ts'
import type { FileSystemPort } from '../folder/file-system.ts'
import { journalSeq, type Layout } from '../folder/layout.ts'
import type { Line } from './line.ts'

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
  readonly spent: readonly string[]
  /** The newest file, when lines may be added to it; `size` leaves out a torn end, and counts a newline to come. */
  readonly tail?: { readonly path: string; readonly size: number; readonly lacksNewline?: true }
  /** What a crash left at the end: to be cut off at `size`. */
  readonly torn?: { readonly path: string; readonly size: number; readonly bytes: number; readonly line: number }
}

/** What the reader itself looks at. */
type AnyLine = Pick<Line, 'seq' | 'more'>

/**
 * Gives the lines of every whole commit after line `covered` to `replay`, in order.
 * @param decoder for the content of a file, gives what reads the line from `start` to before its newline, as `decodeLine`
 * @throws StoreDamagedError for anything but an unfinished end
 */
export function readJournals<L extends AnyLine>(
  port: FileSystemPort,
  files: readonly JournalFile[],
  covered: number,
  decoder: (content: Buffer) => (start: number, end: number) => L | string,
  replay: (line: L, file: string, lineNumber: number) => void,
): JournalState {
  const spent: string[] = []
  let next = covered + 1
  let bytes = 0
  let tail: JournalState['tail']
  let torn: JournalState['torn']

  const wanted = files.filter(({ path }, i) => {
    const following = files[i + 1]
    if (following === undefined || following.seq > covered + 1) return true
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
  return { next, bytes, spent, ...(tail && { tail }), ...(torn && { torn }) }

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
      next++
      offset = end + 1
      if (line.more) {
        open.push({ start, end, number })
        continue
      }
      if (line.seq > covered) {
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
    return good.offset

    function decode(at: number, start: number, end: number): L {
      const line = read(start, end)
      if (typeof line === 'string') throw new StoreDamagedError(path, at, line)
      return line
    }
  }
}

/** Oldest first. */
export function journalFiles(port: FileSystemPort, layout: Layout): JournalFile[] {
  return port
    .list(layout.journal)
    .flatMap((name) => {
      const seq = journalSeq(name)
      return seq === undefined ? [] : [{ path: join(layout.journal, name), seq }]
    })
    .sort((a, b) => a.seq - b.seq)
}
