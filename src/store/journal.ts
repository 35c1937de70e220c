import { crc32 } from './crc.ts'
import { diskReason, StoreUnavailable } from './errors.ts'
import { type FileSystemPort, quietly, writeAll } from './file-system.ts'
import { journalFile, type Layout } from './layout.ts'
import { lineEnd } from './line.ts'

/** Where the lines go. A memory-only store has one that does nothing. */
export interface Journal {
  /** Bytes in the file that lines are added to. */
  readonly size: number
  /**
   * Writes lines, or throws and leaves the file as it was.
   * @returns how many
   * @throws StoreUnavailable when the disk refuses
   */
  append(lines: () => readonly string[]): number
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

/** @param durable the name of a new file is durable before a line in it counts */
export function openJournal(port: FileSystemPort, layout: Layout, start: JournalStart, durable: boolean): Journal {
  const buffer = Buffer.allocUnsafe(BUFFER)
  let path = start.tail?.path ?? journalFile(layout, start.next)
  let size = start.tail?.size ?? 0
  /** Opened by the first line: who only reads writes no file. */
  let fd: number | undefined
  let syncing: Promise<void> = Promise.resolve()

  return {
    get size() {
      return size
    },
    append(lines) {
      const texts = lines()
      let end = size
      try {
        fd ??= open()
        for (const text of texts) end += write(fd, text)
      } catch (error) {
        // Where even this fails, the next start finds a torn line and drops it.
        if (fd !== undefined) cut(fd, size)
        throw unavailable(error)
      }
      size = end
      return texts.length
    },
    truncate(mark) {
      if (fd !== undefined) port.truncate(fd, mark)
      size = mark
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
    if (durable) port.syncFolder(layout.journal)
    return opened
  }

  function cut(file: number, mark: number): void {
    quietly(() => port.truncate(file, mark))
  }

  /** One write for the whole line, from a buffer that is there already where the line fits. */
  function write(file: number, text: string): number {
    const most = text.length * 3 + 32
    const bytes = most <= BUFFER ? buffer : Buffer.allocUnsafe(most)
    const length = bytes.write(text, 0)
    const total = length + bytes.write(lineEnd(crc32(bytes.subarray(0, length))), length)
    writeAll(port, file, bytes.subarray(0, total))
    return total
  }

  function unavailable(error: unknown): StoreUnavailable {
    return new StoreUnavailable(`The journal ${path} could not be written: ${diskReason(error)}`, error)
  }
}

/** For a store that lives in memory only. */
export const NO_JOURNAL: Journal = {
  size: 0,
  append: () => 1,
  truncate() {},
  datasync: () => Promise.resolve(),
  rotate() {},
  close() {},
}
