import { diskReason, errorCode } from '../errors.ts'
import { type FileSystemPort, quietly } from '../folder/file-system.ts'
import type { Layout } from '../folder/layout.ts'
import type { Lock } from '../folder/lock.ts'
import type { Ownership } from '../folder/ownership.ts'
import type { CommitWriter } from '../journal/commit-writer.ts'
import type { Journal } from '../journal/journal.ts'
import type { PageRef } from '../pages/load-pages.ts'
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
  readonly lock: Pick<Lock, 'holder'>
  readonly ownership: Ownership
  /** Bytes in sealed journals. */
  readonly sealedBytes: number
  readonly pageBytes: number
  /** Pages to write anew in any case. */
  readonly rewrite: readonly PageRef[]
  /** Bytes of journal; absent: the size of the data, 20 MB at least. */
  readonly threshold: number | undefined
  notice(text: string): void
}

/** What a checkpoint may move: the sealed files. Lines that came since are in a newer file, which must stay. */
interface Sealed {
  /** The last sealed line. */
  readonly upTo: number
  /** In all sealed files. */
  readonly sealedBytes: number
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
  let { sealedBytes, pageBytes, rewrite } = source
  let running: Promise<unknown> | undefined
  let sealing: Promise<Sealed | undefined> | undefined
  /** After a failure: not before the journal has grown on. */
  let notBefore = 0

  return {
    consider() {
      const bytes = sealedBytes + journal.size
      if (running === undefined && bytes > limit() && bytes >= notBefore) void begin()
      // While a checkpoint runs, too: the next one holds a file at a time.
      else if (sealing === undefined && journal.size > fileSize()) void seal()
    },
    async run() {
      while (running !== undefined) await running
      await begin()
    },
    async finish() {
      while (running !== undefined) await running
      await sealing
      sealedBytes += journal.size
      journal.close()
      if (!isOurs()) return
      const all = { upTo: writer.seq, sealedBytes }
      if (sealedBytes > 0 || rewrite.length > 0)
        await move(all, { inThread: sealedBytes > WORTH_A_THREAD, aside: false })
      // No more than tidy: what it names is in the pages.
      if (sealedBytes === 0 && isOurs()) quietly(() => port.remove(layout.newest))
    },
  }

  function isOurs(): boolean {
    try {
      source.ownership.demand()
      return true
    } catch {
      return false
    }
  }

  function limit(): number {
    return source.threshold ?? Math.max(LEAST, pageBytes)
  }

  function fileSize(): number {
    return Math.min(LARGEST_FILE, Math.max(SMALLEST_FILE, pageBytes / 8))
  }

  function begin(): Promise<unknown> {
    running = sealAndMove().finally(() => {
      running = undefined
    })
    return running
  }

  async function sealAndMove(): Promise<void> {
    while (sealing !== undefined) await sealing
    const sealed = await seal()
    if (sealed !== undefined) await move(sealed, { inThread: true, aside: true })
  }

  /** @returns `undefined` when the disk refused, which the writer has told of */
  function seal(): Promise<Sealed | undefined> {
    sealing = sealFile().finally(() => {
      sealing = undefined
    })
    return sealing
  }

  async function sealFile(): Promise<Sealed | undefined> {
    if (journal.size === 0) return { upTo: writer.seq, sealedBytes }
    try {
      const { bytes, upTo } = await writer.seal()
      sealedBytes += bytes
      return { upTo, sealedBytes }
    } catch {
      return undefined
    }
  }

  async function move({ upTo, sealedBytes: moved }: Sealed, how: { inThread: boolean; aside: boolean }): Promise<void> {
    try {
      const job = { folder: layout.folder, upTo, rewrite, owner: source.lock.holder, aside: how.aside }
      const result = await runCheckpoint(port, job, how.inThread)
      pageBytes = result.pageBytes
      sealedBytes -= moved
      rewrite = []
      notBefore = 0
    } catch (error) {
      // Of a folder that was lost its owner tells.
      if (source.ownership.lost() !== undefined) return
      notBefore = sealedBytes + journal.size + LEAST
      const why = errorCode(error) === undefined ? String(error) : diskReason(error)
      source.notice(
        `The pages of ${layout.folder} could not be written: ${why}. Nothing is lost: the journal keeps what they lack, and it is tried again later.`,
      )
    }
  }
}
