import { basename } from 'node:path'
import { diskReason, StoreUnavailableError } from '../errors.ts'
import { writeAtomicFile } from '../folder/atomic-file.ts'
import { type FileSystemPort, ignoreErrors, writeAll } from '../folder/file-system.ts'
import { journalFile, type Layout } from '../folder/layout.ts'
import { createLineBuffer } from './line-buffer.ts'

/** Where the lines go. A memory-only store has one that does nothing. */
export interface Journal {
  /** Bytes in the file that lines are added to, with those that wait to be written. */
  readonly size: number
  /** Takes lines, each without its end, to be written. */
  add(lines: readonly string[]): void
  /**
   * Writes the lines that wait, with one call where the disk takes them, or throws and leaves the file as it was; then
   * nothing waits any more.
   * @throws StoreUnavailableError when the disk refuses
   */
  write(): void
  /** Takes back what is beyond `size` bytes; what the disk will not give back now goes before the next line. */
  truncate(size: number): void
  /** Writes and takes back, to know whether the disk takes lines. @throws what the disk said */
  testWrite(): void
  /** What another program did to the file that lines are added to, as a sentence. @throws what the disk said */
  integrityIssue(): string | undefined
  /** The file is not ours any more: from now on it is let be. */
  abandon(): void
  /** Makes what was written to the file durable without stopping the event loop. */
  datasync(): Promise<void>
  /**
   * Seals the file, durably: after a power cut no later line may be there without it. Line `seq` begins a new one.
   * Quick only when most of the file was synced before. @throws what the disk said
   */
  rotate(seq: number): void
  close(): void
}

export interface JournalStart {
  /** The file to go on with; absent: a new one. */
  readonly tail?: { readonly path: string; readonly size: number }
  /** Number of the next line. */
  readonly next: number
}

/** Bytes: more than what a full disk may still have in a block begun. */
const TEST_BYTES = 64 * 1024

interface JournalEnd {
  /** Bytes in the file. */
  readonly size: number
  /** The last bytes of the file. Absent: unknown, because lines were taken back. */
  readonly tail?: Buffer
}

const EMPTY: JournalEnd = { size: 0 }

/** Bytes at the end of the file that are compared. */
const TAIL = 64

export function openJournal(port: FileSystemPort, layout: Layout, start: JournalStart): Journal {
  const lines = createLineBuffer()
  let path = start.tail?.path ?? journalFile(layout, start.next)
  /** What the file holds, without the lines that wait. */
  let end: JournalEnd =
    start.tail === undefined ? EMPTY : { size: start.tail.size, tail: readTail(port, path, start.tail.size) }
  /** Opened by the first line: who only reads writes no file. */
  let fd: number | undefined
  /** The file has more than `end.size` bytes: of what was refused. */
  let torn = false
  let abandoned = false
  let syncing: Promise<void> = Promise.resolve()

  return {
    get size() {
      return end.size + lines.length
    },
    add: (texts) => void lines.add(texts),
    write() {
      if (lines.length === 0) return
      try {
        append(lines.bytes)
        end = { size: end.size + lines.length, tail: Buffer.from(lines.bytes.subarray(-TAIL)) }
      } catch (error) {
        throw new StoreUnavailableError(`The journal ${path} could not be written: ${diskReason(error)}`, error)
      } finally {
        lines.clear()
      }
    },
    truncate(size) {
      end = { size }
      lines.clear()
      torn = fd !== undefined
      truncateTorn()
    },
    testWrite() {
      append(Buffer.alloc(TEST_BYTES, ' '))
      torn = true
      truncateTorn()
    },
    integrityIssue: () => (fd === undefined && end.size === 0 ? undefined : fileIssue(port, path, fd, end, torn)),
    abandon() {
      abandoned = true
      lines.clear()
      closeAfterSync(fd)
    },
    datasync() {
      syncing = fd === undefined ? syncing : port.datasync(fd)
      return syncing
    },
    rotate(seq) {
      if (fd !== undefined) port.sync(fd)
      closeAfterSync(fd)
      path = journalFile(layout, seq)
      end = EMPTY
    },
    close() {
      if (fd !== undefined) port.close(fd)
      fd = undefined
      end = EMPTY
    },
  }

  /** All of it, or nothing. */
  function append(bytes: Uint8Array): void {
    const file = fd ?? open()
    if (torn) port.truncate(file, end.size)
    torn = true
    try {
      writeAll(port, file, bytes)
      torn = false
    } finally {
      if (torn) truncateTorn()
    }
  }

  /** Where this fails, it comes before the next line, or the next start drops what is torn. */
  function truncateTorn(): void {
    ignoreErrors(() => {
      if (fd !== undefined) port.truncate(fd, end.size)
      torn = false
    })
  }

  function open(): number {
    if (abandoned) throw new Error('it is not written any more')
    fd = openFile(port, layout, path)
    return fd
  }

  /** Not before a sync that still runs on it is over. */
  function closeAfterSync(file: number | undefined): void {
    fd = undefined
    const close = () => ignoreErrors(() => file !== undefined && port.close(file))
    syncing.then(close, close)
  }
}

/** @param fd absent if nothing was written to the file yet */
function fileIssue(
  port: FileSystemPort,
  path: string,
  fd: number | undefined,
  { size: written, tail }: JournalEnd,
  torn: boolean,
): string | undefined {
  const named = port.stat(path)
  const open = fd === undefined ? named : port.stat(fd)
  if (named === undefined) return `The journal file ${path} was removed or moved away while psp used it.`
  if (open?.id !== named.id) return `The journal file ${path} was replaced by another one while psp used it.`
  if (named.size < written) {
    return `The journal file ${path} was truncated while psp used it: it has ${named.size} bytes, and psp wrote ${written}.`
  }
  const isOurs = tail === undefined || readTail(port, path, written, tail.length).equals(tail)
  if (isOurs && (named.size === written || torn)) return undefined
  return `Another program wrote to the journal file ${path} while psp used it.`
}

/** The tail contains the checksum of the last line, so other content of the same length has another tail. */
function readTail(port: FileSystemPort, path: string, size: number, length = Math.min(size, TAIL)): Buffer {
  return port.readAt(path, size - length, length)
}

function openFile(port: FileSystemPort, layout: Layout, path: string): number {
  const opened = port.open(path, 'a')
  try {
    // Before `newest` names it: a power cut must not leave a name without a file.
    port.syncFolder(layout.journal)
    writeAtomicFile(port, layout.newest, [Buffer.from(`${basename(path)}\n`)])
    return opened
  } catch (error) {
    ignoreErrors(() => port.close(opened))
    throw error
  }
}

/** For a store that lives in memory only. */
export const NO_JOURNAL: Journal = {
  size: 0,
  add() {},
  write() {},
  truncate() {},
  testWrite() {},
  integrityIssue: () => undefined,
  abandon() {},
  datasync: () => Promise.resolve(),
  rotate() {},
  close() {},
}
