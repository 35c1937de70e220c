// Reads what the journals hold beyond the pages. Changes nothing on the disk.
import { join } from 'node:path'
import { StoreDamaged } from './errors.ts'
import type { FileSystemPort } from './file-system.ts'
import { journalSeq, type Layout } from './layout.ts'
import { decodeLine, type Line } from './line.ts'

export interface JournalState {
  /** Number of the next line. */
  readonly next: number
  /** Bytes in files that are not covered by the pages. */
  readonly bytes: number
  /** Files of which the pages hold everything, or that hold nothing. */
  readonly spent: readonly string[]
  /** The newest file, when lines may be added to it; `size` leaves out a torn end. */
  readonly tail?: { readonly path: string; readonly size: number }
  /** What a crash left at the end: to be cut off at `size`. */
  readonly torn?: { readonly path: string; readonly size: number; readonly bytes: number; readonly line: number }
}

/**
 * Gives every whole commit after line `covered` to `replay`, its lines together.
 * @throws StoreDamaged for anything but an unfinished end
 */
export function readJournals(
  port: FileSystemPort,
  layout: Layout,
  covered: number,
  replay: (lines: readonly Line[], file: string, lineNumber: number) => void,
): JournalState {
  const files = journalFiles(port, layout)
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
      throw new StoreDamaged(torn.path, torn.line, 'the last line is not whole, and later files follow it')
    if (seq !== next) throw new StoreDamaged(path, 1, `lines ${next} to ${seq - 1} of the journal are missing`)
    const end = readFile(path, content)
    bytes += end
    tail = { path, size: end }
  }
  return { next, bytes, spent, ...(tail && { tail }), ...(torn && { torn }) }

  /** @returns how many bytes are whole commits */
  function readFile(path: string, content: Buffer): number {
    let group: Line[] = []
    let good = { offset: 0, line: 0, next }
    let number = 0
    let offset = 0
    while (offset < content.length) {
      const newline = content.indexOf(10, offset)
      if (newline < 0) break
      number++
      const line = decodeLine(content.subarray(offset, newline))
      if (typeof line === 'string') throw new StoreDamaged(path, number, line)
      if (line.seq !== next)
        throw new StoreDamaged(path, number, `expected line ${next} of the journal, found ${line.seq}`)
      next++
      offset = newline + 1
      group.push(line)
      if (line.more) continue
      if (line.seq > covered) replay(group, path, number)
      group = []
      good = { offset, line: number, next }
    }
    if (good.offset < content.length) {
      torn = { path, size: good.offset, bytes: content.length - good.offset, line: good.line + 1 }
      next = good.next
    }
    return good.offset
  }
}

export function journalFiles(port: FileSystemPort, layout: Layout): { path: string; seq: number }[] {
  return port
    .list(layout.journal)
    .flatMap((name) => {
      const seq = journalSeq(name)
      return seq === undefined ? [] : [{ path: join(layout.journal, name), seq }]
    })
    .sort((a, b) => a.seq - b.seq)
}
