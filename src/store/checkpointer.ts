import type { CommitWriter } from './commit-writer.ts'
import { diskReason, errorCode } from './errors.ts'
import type { FileSystemPort } from './file-system.ts'
import type { Journal } from './journal.ts'
import type { Layout } from './layout.ts'
import type { PageRef } from './load-pages.ts'
import { runCheckpoint } from './run-checkpoint.ts'

export interface Checkpointer {
  /** After each commit: begins a checkpoint when the journal has outgrown the data. Never throws. */
  consider(): void
  /** A checkpoint of everything so far. */
  run(): Promise<void>
  /** The last one; no commit comes after. */
  finish(): Promise<void>
}

export interface CheckpointSource {
  readonly port: FileSystemPort
  readonly layout: Layout
  readonly writer: CommitWriter
  readonly journal: Journal
  /** Bytes in sealed journals. */
  readonly sealedBytes: number
  readonly pageBytes: number
  readonly edited: readonly PageRef[]
  /** Bytes of journal; absent: the size of the data, 20 MB at least. */
  readonly threshold: number | undefined
  notice(text: string): void
}

const MB = 1024 * 1024
const LEAST = 20 * MB
/**
 * A checkpoint holds one journal file at a time, so a small one keeps its memory low; but each file has pages written
 * anew, so with much data files are larger.
 */
const SMALLEST_FILE = 8 * MB
const LARGEST_FILE = 64 * MB
/** Below this a thread takes longer to start than the work. */
const WORTH_A_THREAD = 4 * MB

export function createCheckpointer(source: CheckpointSource): Checkpointer {
  const { port, layout, writer, journal } = source
  let { sealedBytes, pageBytes, edited } = source
  let running: Promise<unknown> | undefined
  /** After a failure: not before the journal has grown on. */
  let notBefore = 0

  return {
    consider() {
      if (running !== undefined) return
      const bytes = sealedBytes + journal.size
      if (bytes > limit() && bytes >= notBefore) void begin(sealAndMove)
      else if (journal.size > fileSize()) void begin(seal)
    },
    async run() {
      while (running !== undefined) await running
      await begin(sealAndMove)
    },
    async finish() {
      while (running !== undefined) await running
      sealedBytes += journal.size
      journal.close()
      if (sealedBytes > 0 || edited.length > 0) await move(sealedBytes > WORTH_A_THREAD)
    },
  }

  function limit(): number {
    return source.threshold ?? Math.max(LEAST, pageBytes)
  }

  function fileSize(): number {
    return Math.min(LARGEST_FILE, Math.max(SMALLEST_FILE, pageBytes / 8))
  }

  function begin(work: () => Promise<unknown>): Promise<unknown> {
    running = work().finally(() => {
      running = undefined
    })
    return running
  }

  async function sealAndMove(): Promise<void> {
    if (await seal()) await move(true)
  }

  /** @returns false when the disk refused, which the writer has told of */
  async function seal(): Promise<boolean> {
    try {
      if (journal.size > 0) sealedBytes += await writer.seal()
      return true
    } catch {
      return false
    }
  }

  async function move(inThread: boolean): Promise<void> {
    const moved = sealedBytes
    try {
      const job = { folder: layout.folder, upTo: writer.seq, edited }
      const result = await runCheckpoint(port, job, inThread)
      pageBytes = result.pageBytes
      sealedBytes -= moved
      edited = []
      notBefore = 0
    } catch (error) {
      notBefore = sealedBytes + journal.size + LEAST
      const why = errorCode(error) === undefined ? String(error) : diskReason(error)
      source.notice(
        `The pages of ${layout.folder} could not be written: ${why}. Nothing is lost: the journal keeps what they lack, and it is tried again later.`,
      )
    }
  }
}
