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
  onAdoption(prepared: Pick<Prepared, 'bytes' | 'folder'>): void
  /** After each commit: begins a checkpoint when the journal has outgrown the data. Never throws. */
  runIfDue(): void
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
const MIN_THRESHOLD = 20 * MB
/**
 * A checkpoint holds one journal file at a time, so a small one keeps its memory low; but each file has pages written
 * anew, so with much data files are larger.
 */
const MIN_FILE_SIZE = 8 * MB
const MAX_FILE_SIZE = 64 * MB
/** Below this a thread takes longer to start than the work. */
const THREAD_THRESHOLD = 4 * MB

export function createCheckpointer(source: CheckpointSource): Checkpointer {
  const { port, layout, writer, journal } = source
  let { sealedBytes, pageBytes, rewrite } = source
  const folders = createPagesFolders(basename(layout.pages))
  let running: Promise<unknown> | undefined
  let sealing: Promise<Sealed | undefined> | undefined
  /** After a failure: not before the journal has grown on. */
  let retryAtSize = 0

  return {
    runIfDue() {
      const bytes = sealedBytes + journal.size
      const isDue = bytes >= retryAtSize && bytes > (source.threshold ?? Math.max(MIN_THRESHOLD, pageBytes))
      if (isDue && running === undefined) void begin()
      // Also while a checkpoint runs, because the next one holds one file in memory at a time.
      else if (sealing === undefined && journal.size > sealSize(pageBytes)) void seal()
    },
    onAdoption({ bytes, folder }) {
      folders.adopt(folder)
      sealedBytes = 0
      pageBytes = bytes
      rewrite = []
      void checkpointed()
    },
    run: checkpointed,
    async finish() {
      while (running !== undefined) await running
      await sealing
      const isStillOwned = isOwned(source.ownership)
      sealedBytes += journal.size
      journal.close()
      if (!isStillOwned) return
      const isNeeded = sealedBytes > 0 || rewrite.length > 0
      const failure = isNeeded ? await move({ upTo: writer.seq, sealedBytes }, { isLast: true }) : undefined
      if (failure !== undefined) throw new PagesNotWrittenError(failure)
      if (sealedBytes === 0 && isOwned(source.ownership)) ignoreErrors(() => port.remove(layout.newest))
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
    const failure = sealed === undefined ? undefined : await move(sealed, { isLast: false })
    if (failure !== undefined) source.notice(`${failure} It is tried again later.`)
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

  /** Returns the message of the failure, if it fails. */
  async function move(
    { upTo, sealedBytes: moved }: Sealed,
    { isLast }: { isLast: boolean },
  ): Promise<string | undefined> {
    const { holder: owner } = source.lock
    const replacedFolders = folders.replaced
    try {
      const job = { folder: layout.folder, upTo, rewrite, replacedFolders, owner, isLowPriority: !isLast }
      const result = await runCheckpoint(port, job, !isLast || moved > THREAD_THRESHOLD)
      pageBytes = result.pageBytes
      folders.forget(replacedFolders, result.pagesFolder)
      // An adoption during the run sets `sealedBytes` to 0.
      sealedBytes = Math.max(0, sealedBytes - moved)
      rewrite = []
      retryAtSize = 0
      return undefined
    } catch (error) {
      // The ownership reports a lost data directory.
      if (source.ownership.lostReason() !== undefined) return undefined
      retryAtSize = sealedBytes + journal.size + MIN_THRESHOLD
      return failureMessage(layout.folder, error)
    }
  }
}

function isOwned(ownership: Ownership): boolean {
  try {
    ownership.assertOwned()
    return true
  } catch {
    return false
  }
}

function failureMessage(folder: string, error: unknown): string {
  const why = errorCode(error) === undefined ? String(error) : diskReason(error)
  return `The pages of ${folder} could not be written: ${why.replace(/\.$/, '')}. Nothing is lost: the journal keeps what they lack.`
}

function sealSize(pageBytes: number): number {
  return Math.min(MAX_FILE_SIZE, Math.max(MIN_FILE_SIZE, pageBytes / 8))
}
