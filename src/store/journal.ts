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
  /** Makes what was written durable without stopping the event loop. */
  datasync(): Promise<void>
  /** Seals the file and begins a new one for line `seq`. @throws StoreUnavailable; the old file is used on */
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

/** @param durable what is sealed is durable before the next line, and so are the names of new files */
export function openJournal(port: FileSystemPort, layout: Layout, start: JournalStart, durable: boolean): Journal {
  const buffer = Buffer.allocUnsafe(BUFFER)
  let path = start.tail?.path ?? journalFile(layout, start.next)
  let size = start.tail?.size ?? 0
  let fd = open(path)
  let syncing: Promise<void> = Promise.resolve()

  return {
    get size() {
      return size
    },
    append(lines) {
      const texts = lines()
      let end = size
      try {
        for (const text of texts) end += write(text)
      } catch (error) {
        // Where even this fails, the next start finds a torn line and drops it.
        quietly(() => port.truncate(fd, size))
        throw unavailable(error)
      }
      size = end
      return texts.length
    },
    truncate(mark) {
      port.truncate(fd, mark)
      size = mark
    },
    datasync() {
      syncing = port.datasync(fd)
      return syncing
    },
    rotate(seq) {
      const sealed = fd
      try {
        if (durable) port.sync(sealed)
        fd = open(journalFile(layout, seq))
      } catch (error) {
        throw unavailable(error)
      }
      path = journalFile(layout, seq)
      size = 0
      const close = () => quietly(() => port.close(sealed))
      Promise.allSettled([syncing, durable ? undefined : port.datasync(sealed)]).then(close)
    },
    close: () => port.close(fd),
  }

  function open(file: string): number {
    const opened = port.open(file, 'a')
    if (durable) port.syncFolder(layout.journal)
    return opened
  }

  /** One write for the whole line, from a buffer that is there already where the line fits. */
  function write(text: string): number {
    const most = text.length * 3 + 32
    const bytes = most <= BUFFER ? buffer : Buffer.allocUnsafe(most)
    const length = bytes.write(text, 0)
    const total = length + bytes.write(lineEnd(crc32(bytes.subarray(0, length))), length)
    writeAll(port, fd, bytes.subarray(0, total))
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
