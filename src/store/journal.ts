import { basename } from 'node:path'
import { crc32 } from './crc.ts'
import { diskReason, StoreUnavailable } from './errors.ts'
import { type FileSystemPort, quietly, replaceFile, writeAll } from './file-system.ts'
import { journalFile, type Layout } from './layout.ts'
import { lineEnd } from './line.ts'

/** Where the lines go. A memory-only store has one that does nothing. */
export interface Journal {
  /** Bytes in the file that lines are added to, with those that wait to be written. */
  readonly size: number
  /** Takes lines, each without its end, to be written. */
  add(lines: readonly string[]): void
  /**
   * Writes the lines that wait, with one call where the disk takes them, or throws and leaves the file as it was; then
   * nothing waits any more.
   * @throws StoreUnavailable when the disk refuses
   */
  write(): void
  /** Takes back what is beyond `size` bytes. */
  truncate(size: number): void
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

const BUFFER = 64 * 1024

export function openJournal(port: FileSystemPort, layout: Layout, start: JournalStart): Journal {
  let buffer = Buffer.allocUnsafeSlow(BUFFER)
  /** Bytes of the buffer that wait. */
  let waiting = 0
  let path = start.tail?.path ?? journalFile(layout, start.next)
  let size = start.tail?.size ?? 0
  /** Opened by the first line: who only reads writes no file. */
  let fd: number | undefined
  let syncing: Promise<void> = Promise.resolve()

  return {
    get size() {
      return size
    },
    add(lines) {
      let end = waiting
      for (const text of lines) end += encode(text, end)
      size += end - waiting
      waiting = end
    },
    write() {
      if (waiting === 0) return
      const before = size - waiting
      try {
        fd ??= open()
        writeAll(port, fd, buffer.subarray(0, waiting))
      } catch (error) {
        // Where even this fails, the next start finds a torn line and drops it.
        if (fd !== undefined) cut(fd, before)
        size = before
        throw unavailable(error)
      } finally {
        waiting = 0
        if (buffer.length > BUFFER) buffer = Buffer.allocUnsafeSlow(BUFFER)
      }
    },
    truncate(mark) {
      size = mark
      waiting = 0
      if (fd !== undefined) port.truncate(fd, mark)
    },
    datasync() {
      syncing = fd === undefined ? syncing : port.datasync(fd)
      return syncing
    },
    rotate(seq) {
      const sealed = fd
      if (sealed !== undefined) {
        port.sync(sealed)
        // Not before a sync that still runs on it is over.
        const close = () => quietly(() => port.close(sealed))
        syncing.then(close, close)
      }
      fd = undefined
      path = journalFile(layout, seq)
      size = 0
    },
    close() {
      if (fd !== undefined) port.close(fd)
      fd = undefined
    },
  }

  function open(): number {
    const opened = port.open(path, 'a')
    try {
      // Before `newest` names it: a power cut must not leave a name without a file.
      port.syncFolder(layout.journal)
      replaceFile(port, layout.newest, [Buffer.from(`${basename(path)}\n`)])
      return opened
    } catch (error) {
      quietly(() => port.close(opened))
      throw error
    }
  }

  function cut(file: number, mark: number): void {
    quietly(() => port.truncate(file, mark))
  }

  /** @returns its bytes */
  function encode(text: string, at: number): number {
    const most = text.length * 3 + 32
    if (at + most > buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(at + most, 2 * buffer.length))
      buffer.copy(larger, 0, 0, at)
      buffer = larger
    }
    const end = at + buffer.write(text, at)
    return end + buffer.write(lineEnd(crc32(buffer.subarray(at, end))), end) - at
  }

  function unavailable(error: unknown): StoreUnavailable {
    return new StoreUnavailable(`The journal ${path} could not be written: ${diskReason(error)}`, error)
  }
}

/** For a store that lives in memory only. */
export const NO_JOURNAL: Journal = {
  size: 0,
  add() {},
  write() {},
  truncate() {},
  datasync: () => Promise.resolve(),
  rotate() {},
  close() {},
}
