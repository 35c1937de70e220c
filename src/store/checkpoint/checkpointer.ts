import { basename } from 'node:path'
import { diskReason, errorCode, PagesNotWrittenError } from '../errors.ts'
import { type FileSystemPort, ignoreErrors } from '../folder/file-system.ts'
import type { Layout } from '../folder/layout.ts'
import type { Lock } from '../folder/lock.ts'
import type { Ownership } from '../folder/ownership.ts'
import type { CommitWriter } from '../journal/commit-writer.ts'
import type { Journal } from '../journal/journal.ts'
import type { Prepared } from '../memory/prepared.ts'
import type { PageRef } from '../pages/load-pages.ts'
import { createPagesFolders } from './pages-folders.ts'
import { runCheckpoint } from './run-checkpoint.ts'

export interface Checkpointer {
  /** A prepared state was committed: the pages from before are void. */
  adopted(prepared: Pick<Prepared, 'bytes' | 'folder'>): void
  /** After each commit: begins a checkpoint when the journal has outgrown the data. Never throws. */
  consider(): void
  /** A checkpoint of everything so far. */
  run(): Promise<void>
  /** The last one; no commit comes after. @throws PagesNotWrittenError */
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
  const folders = createPagesFolders(basename(layout.pages))
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
    adopted({ bytes, folder }) {
      folders.adopted(folder)
      sealedBytes = 0
      pageBytes = bytes
      rewrite = []
      void checkpointed()
    },
    run: checkpointed,
    async finish() {
      while (running !== undefined) await running
      await sealing
      const ours = isOurs(source.ownership)
      sealedBytes += journal.size
      journal.close()
      if (!ours) return
      const how = { inThread: sealedBytes > WORTH_A_THREAD, aside: false }
      const isNeeded = sealedBytes > 0 || rewrite.length > 0
      if (isNeeded) requireWritten(await move({ upTo: writer.seq, sealedBytes }, how))
      if (sealedBytes === 0 && isOurs(source.ownership)) ignoreErrors(() => port.remove(layout.newest))
    },
  }

  async function checkpointed(): Promise<void> {
    while (running !== undefined) await running
    await begin()
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

  /** @returns `undefined` if the write fails, which the writer reports */
  function seal(): Promise<Sealed | undefined> {
    sealing = sealFile().finally(() => {
      sealing = undefined
    })
    return sealing
  }

  async function sealFile(): Promise<Sealed | undefined> {
    const sealed = journal.size === 0 ? { bytes: 0, upTo: writer.seq } : await writer.seal().catch(() => undefined)
    if (sealed === undefined) return undefined
    sealedBytes += sealed.bytes
    return { upTo: sealed.upTo, sealedBytes }
  }

  /** @returns why it failed, as sentences */
  async function move(
    { upTo, sealedBytes: moved }: Sealed,
    how: { inThread: boolean; aside: boolean },
  ): Promise<string | undefined> {
    try {
      const { holder: owner } = source.lock
      const job = { folder: layout.folder, upTo, rewrite, voided: folders.voided, owner, aside: how.aside }
      const result = await runCheckpoint(port, job, how.inThread)
      pageBytes = result.pageBytes
      folders.removed(job.voided, result.pagesFolder)
      // None is left after a state was adopted.
      sealedBytes = Math.max(0, sealedBytes - moved)
      rewrite = []
      notBefore = 0
      return undefined
    } catch (error) {
      // The ownership reports a lost folder.
      if (source.ownership.lost() !== undefined) return undefined
      notBefore = sealedBytes + journal.size + LEAST
      return notWritten(layout.folder, error)
    }
  }
}

function requireWritten(problem: string | undefined): void {
  if (problem !== undefined) throw new PagesNotWrittenError(problem)
}

function isOurs(ownership: Ownership): boolean {
  try {
    ownership.demand()
    return true
  } catch {
    return false
  }
}

function notWritten(folder: string, error: unknown): string {
  const why = errorCode(error) === undefined ? String(error) : diskReason(error)
  return `The pages of ${folder} could not be written: ${why.replace(/\.$/, '')}. Nothing is lost: the journal keeps what they lack.`
}

function fileSize(pageBytes: number): number {
  return Math.min(LARGEST_FILE, Math.max(SMALLEST_FILE, pageBytes / 8))
}
