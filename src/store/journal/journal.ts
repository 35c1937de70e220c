import { basename } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Commit } from '../../engine/commit.ts'
import { diskReason, StoreUnavailableError } from '../errors.ts'
import { writeAtomicFile } from '../folder/atomic-file.ts'
import { type FileSystemPort, ignoreErrors, writeAll } from '../folder/file-system.ts'
import { journalFile, type Layout } from '../folder/layout.ts'
import { GrowingBuffer } from '../growing-buffer.ts'
import type { AppliedChange } from '../memory/memory.ts'
import type { JournalState } from './journal-reader.ts'
import { encodeCommit, lineEnd } from './line.ts'

/** Writes lines to the journal files. The journal of a store in memory does nothing. */
export interface Journal {
  /** The size of the current file in bytes, including lines that wait to be written. */
  readonly size: number
  /** Adds the lines of a commit, numbered from `seq`, which wait until `write`. Returns the number of lines. */
  add(seq: number, at: number, command: string, commit: Commit, change: AppliedChange): number
  /**
   * Writes the waiting lines, usually with one call. Afterwards no line waits, even if the write fails. The bytes of a
   * failed write are removed now or before the next write.
   * @throws StoreUnavailableError if the write fails
   */
  write(): void
  /** Truncates the file to `size` bytes. If that fails, it is repeated before the next line is written. */
  truncate(size: number): void
  /**
   * Writes and removes blank bytes, to test whether writes succeed.
   * @throws the error of the file system
   */
  testWrite(): void
  /**
   * Returns a sentence if another program changed the current file.
   * @throws the error of the file system
   */
  integrityIssue(): string | undefined
  /** Stops all writes, because this process lost the data directory. */
  abandon(): void
  /** Makes the written lines durable without blocking the event loop. */
  datasync(): Promise<void>
  /**
   * Makes the file durable and then starts a new file with line `seq`. So a power cut cannot leave only the new file.
   * Call `datasync` first, because `rotate` blocks the event loop until the file is durable.
   * @throws the error of the file system
   */
  rotate(seq: number): void
  close(): void
}

/** The first size of the buffer for lines that wait, in bytes. A larger buffer is released after the write. */
const LINES_BYTES = 64 * 1024

/** The size of a test write. It exceeds the free space that a full disk may have in its last block. */
const TEST_BYTES = 64 * 1024

interface JournalEnd {
  /** The size of the file in bytes. */
  readonly size: number
  /** The last bytes of the file. Absent if unknown, because lines were removed. */
  readonly lastBytes?: Buffer
}

const EMPTY: JournalEnd = { size: 0 }

/** The number of bytes at the end of the file that are compared. */
const COMPARED_BYTES = 64

/** @param start the file to continue, or a new file if it is absent, and the number of the next line */
export function openJournal(
  port: FileSystemPort,
  layout: Layout,
  start: Pick<JournalState, 'lastFile' | 'next'>,
): Journal {
  const lines = new GrowingBuffer(LINES_BYTES)
  let path = start.lastFile?.path ?? journalFile(layout, start.next)
  /** The end of the file, without the lines that wait. */
  let end: JournalEnd =
    start.lastFile === undefined
      ? EMPTY
      : { size: start.lastFile.size, lastBytes: readLastBytes(port, path, start.lastFile.size) }
  /** Opened by the first line, so that a process that only reads creates no file. */
  let fd: number | undefined
  /** True if the file has more than `end.size` bytes, from a write that failed. */
  let torn = false
  let abandoned = false
  let syncing: Promise<void> = Promise.resolve()

  return {
    get size() {
      return end.size + lines.length
    },
    add: (...commit) => addLines(lines, encodeCommit(...commit)),
    write() {
      if (lines.length === 0) return
      try {
        append(lines.bytes)
        end = { size: end.size + lines.length, lastBytes: Buffer.from(lines.bytes.subarray(-COMPARED_BYTES)) }
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

  /** Appends all bytes, or none. */
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

  /** If this fails, the next write repeats it. If no write follows, the next start drops the torn bytes. */
  function truncateTorn(): void {
    ignoreErrors(() => {
      if (fd !== undefined) port.truncate(fd, end.size)
      torn = false
    })
  }

  function open(): number {
    if (abandoned) throw new Error('psp does not write to it any more')
    fd = openFile(port, layout, path)
    return fd
  }

  /** Closes the file once a sync that is still running has ended. */
  function closeAfterSync(file: number | undefined): void {
    fd = undefined
    const close = () => ignoreErrors(() => file !== undefined && port.close(file))
    syncing.then(close, close)
  }
}

/** Adds lines, each with the checksum of its text. Returns their number. */
function addLines(buffer: GrowingBuffer, lines: readonly string[]): number {
  for (const text of lines) {
    const start = buffer.length
    buffer.append(text)
    buffer.append(lineEnd(crc32(buffer.bytes.subarray(start))))
  }
  return lines.length
}

/** @param fd absent if nothing was written to the file yet */
function fileIssue(
  port: FileSystemPort,
  path: string,
  fd: number | undefined,
  { size: written, lastBytes }: JournalEnd,
  torn: boolean,
): string | undefined {
  const named = port.stat(path)
  const open = fd === undefined ? named : port.stat(fd)
  if (named === undefined) return `The journal file ${path} was removed or moved away while psp used it.`
  if (open?.id !== named.id) return `The journal file ${path} was replaced by another one while psp used it.`
  if (named.size < written) {
    return `The journal file ${path} was truncated while psp used it: it has ${named.size} bytes, and psp wrote ${written}.`
  }
  const isOurs = lastBytes === undefined || readLastBytes(port, path, written, lastBytes.length).equals(lastBytes)
  if (isOurs && (named.size === written || torn)) return undefined
  return `Another program wrote to the journal file ${path} while psp used it.`
}

/** These bytes contain the checksum of the last line, so they differ if the content differs. */
function readLastBytes(
  port: FileSystemPort,
  path: string,
  size: number,
  length = Math.min(size, COMPARED_BYTES),
): Buffer {
  return port.readAt(path, size - length, length)
}

function openFile(port: FileSystemPort, layout: Layout, path: string): number {
  const opened = port.open(path, 'a')
  try {
    // `newest-journal` must not name a file that a power cut can remove.
    port.syncFolder(layout.journal)
    writeAtomicFile(port, layout.newest, [Buffer.from(`${basename(path)}\n`)])
    return opened
  } catch (error) {
    ignoreErrors(() => port.close(opened))
    throw error
  }
}

/** The journal of a store in memory. */
export const NO_JOURNAL: Journal = {
  size: 0,
  add: () => 1,
  write() {},
  truncate() {},
  testWrite() {},
  integrityIssue: () => undefined,
  abandon() {},
  datasync: () => Promise.resolve(),
  rotate() {},
  close() {},
}
