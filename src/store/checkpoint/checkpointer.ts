import { diskReason, errorCode, PagesNotWritten } from '../errors.ts'
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
  /** The last one; no commit comes after. @throws PagesNotWritten */
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
      if (running === undefined && bytes > (source.threshold ?? Math.max(LEAST, pageBytes)) && bytes >= notBefore)
        void begin()
      // While a checkpoint runs, too: the next one holds a file at a time.
      else if (sealing === undefined && journal.size > fileSize(pageBytes)) void seal()
    },
    async run() {
      while (running !== undefined) await running
      await begin()
    },
    async finish() {
      while (running !== undefined) await running
      await sealing
      const ours = isOurs()
      sealedBytes += journal.size
      journal.close()
      if (!ours) return
      const all = { upTo: writer.seq, sealedBytes }
      if (sealedBytes > 0 || rewrite.length > 0) {
        const problem = await move(all, { inThread: sealedBytes > WORTH_A_THREAD, aside: false })
        if (problem !== undefined) throw new PagesNotWritten(problem)
      }
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

  function begin(): Promise<unknown> {
    running = sealAndMove().finally(() => {
      running = undefined
    })
    return running
  }

  async function sealAndMove(): Promise<void> {
    while (sealing !== undefined) await sealing
    const sealed = await seal()
    const problem = sealed === undefined ? undefined : await move(sealed, { inThread: true, aside: true })
    if (problem !== undefined) source.notice(`${problem} It is tried again later.`)
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

  /** @returns why it failed, as sentences */
  async function move(
    { upTo, sealedBytes: moved }: Sealed,
    how: { inThread: boolean; aside: boolean },
  ): Promise<string | undefined> {
    try {
      const job = { folder: layout.folder, upTo, rewrite, owner: source.lock.holder, aside: how.aside }
      const result = await runCheckpoint(port, job, how.inThread)
      pageBytes = result.pageBytes
      sealedBytes -= moved
      rewrite = []
      notBefore = 0
      return undefined
    } catch (error) {
      // The ownership reports a lost folder.
      if (source.ownership.lost() !== undefined) return undefined
      notBefore = sealedBytes + journal.size + LEAST
      const why = errorCode(error) === undefined ? String(error) : diskReason(error)
      return `The pages of ${layout.folder} could not be written: ${why.replace(/\.$/, '')}. Nothing is lost: the journal keeps what they lack.`
    }
  }
}

function fileSize(pageBytes: number): number {
  return Math.min(LARGEST_FILE, Math.max(SMALLEST_FILE, pageBytes / 8))
}
