import { basename } from 'node:path'
import { hasPackageFile, startPackageThread } from '../../package-files/package-files.ts'
import { diskReason, errorCode, PagesNotWrittenError } from '../errors.ts'
import { type FileSystemPort, ignoreErrors, nodeFileSystem } from '../folder/file-system.ts'
import type { Layout } from '../folder/layout.ts'
import type { Lock } from '../folder/lock.ts'
import type { Ownership } from '../folder/ownership.ts'
import type { CommitWriter } from '../journal/commit-writer.ts'
import type { Journal } from '../journal/journal.ts'
import type { PreparedTablesState } from '../memory/prepared-tables-state.ts'
import type { PageRef } from '../pages/load-pages.ts'
import { type CheckpointJob, type CheckpointResult, checkpoint } from './checkpoint.ts'

export interface Checkpointer {
  /** Call it after the commit of a prepared state, which replaces all pages. */
  onAdoption(prepared: Pick<PreparedTablesState, 'bytes' | 'folder'>): void
  /**
   * Call it after each commit. Starts a checkpoint if the journal is larger than the threshold, or seals a journal file
   * that is too large. Never throws.
   */
  runIfDue(): void
  /** Runs a checkpoint of all commits so far. If it fails, calls `notice` and does not throw. */
  run(): Promise<void>
  /**
   * Runs the last checkpoint and closes the journal.
   * @throws PagesNotWrittenError
   */
  finish(): Promise<void>
}

export interface CheckpointSource {
  readonly port: FileSystemPort
  readonly layout: Layout
  readonly writer: CommitWriter
  readonly journal: Journal
  readonly lock: Pick<Lock, 'holder'>
  readonly ownership: Ownership
  /** The size of the sealed journal files in bytes. */
  readonly sealedBytes: number
  /** The size of all pages in bytes. */
  readonly pageBytes: number
  /** Pages that the first checkpoint rewrites. */
  readonly rewrite: readonly PageRef[]
  /** The journal size in bytes that triggers a checkpoint. Default: the size of the pages, but at least 20 MB. */
  readonly threshold: number | undefined
  notice(text: string): void
}

/** The sealed journal files, whose lines a checkpoint moves into the pages. Later lines are in a newer file. */
interface Sealed {
  readonly maxSeq: number
  readonly sealedBytes: number
}

/** This file exists only in the built package. Without it the checkpoint runs in the main thread. */
const WORKER = new URL('./checkpoint-worker.js', import.meta.url)

const MB = 1024 * 1024
const MIN_THRESHOLD = 20 * MB
/**
 * The bounds for the size of a journal file. A checkpoint has one file in memory at a time, so small files save memory.
 * For each file it rewrites pages, so large data needs larger files.
 */
const MIN_FILE_SIZE = 8 * MB
const MAX_FILE_SIZE = 64 * MB
/** In bytes. With less journal than this, starting a thread takes longer than the checkpoint. */
const THREAD_THRESHOLD = 4 * MB

export function createCheckpointer(source: CheckpointSource): Checkpointer {
  const { port, layout, writer, journal } = source
  let { sealedBytes, pageBytes, rewrite } = source
  /** See `CheckpointJob`. The last one is in use. */
  let pagesFolders: readonly string[] = [basename(layout.pages)]
  let running: Promise<unknown> | undefined
  let sealing: Promise<Sealed | undefined> | undefined
  /** After a failure, the journal size at which the next attempt is due. */
  let retryAtSize = 0

  return {
    runIfDue() {
      const bytes = sealedBytes + journal.size
      const isDue = bytes >= retryAtSize && bytes > (source.threshold ?? Math.max(MIN_THRESHOLD, pageBytes))
      if (isDue && running === undefined) void startCheckpoint()
      // Also seal files while a checkpoint runs: the next one has a whole file in memory, so files must stay small.
      else if (sealing === undefined && journal.size > sealSize(pageBytes)) void seal()
    },
    onAdoption({ bytes, folder }) {
      if (folder !== undefined) pagesFolders = [...pagesFolders, folder]
      sealedBytes = 0
      pageBytes = bytes
      rewrite = []
      void runAfterCurrent()
    },
    run: runAfterCurrent,
    async finish() {
      while (running !== undefined) await running
      await sealing
      const isStillOwned = isOwned(source.ownership)
      sealedBytes += journal.size
      journal.close()
      if (!isStillOwned) return
      const isNeeded = sealedBytes > 0 || rewrite.length > 0
      const failure = isNeeded ? await moveSealed({ maxSeq: writer.seq, sealedBytes }, { isLast: true }) : undefined
      if (failure !== undefined) throw new PagesNotWrittenError(failure)
      if (sealedBytes === 0 && isOwned(source.ownership)) ignoreErrors(() => port.remove(layout.newest))
    },
  }

  async function runAfterCurrent(): Promise<void> {
    while (running !== undefined) await running
    await startCheckpoint()
  }

  function startCheckpoint(): Promise<unknown> {
    running = sealAndMove().finally(() => {
      running = undefined
    })
    return running
  }

  async function sealAndMove(): Promise<void> {
    while (sealing !== undefined) await sealing
    const sealed = await seal()
    const failure = sealed === undefined ? undefined : await moveSealed(sealed, { isLast: false })
    if (failure !== undefined) source.notice(`${failure} It is tried again later.`)
  }

  /** Returns `undefined` if the write fails. The writer reports the failure. */
  function seal(): Promise<Sealed | undefined> {
    sealing = sealFile().finally(() => {
      sealing = undefined
    })
    return sealing
  }

  async function sealFile(): Promise<Sealed | undefined> {
    const sealed = journal.size === 0 ? { bytes: 0, maxSeq: writer.seq } : await writer.seal().catch(() => undefined)
    if (sealed === undefined) return undefined
    sealedBytes += sealed.bytes
    return { maxSeq: sealed.maxSeq, sealedBytes }
  }

  /** Returns the message of a failure, or `undefined` if the move succeeded or the data directory was lost. */
  async function moveSealed(
    { maxSeq, sealedBytes: moved }: Sealed,
    { isLast }: { isLast: boolean },
  ): Promise<string | undefined> {
    const { holder: owner } = source.lock
    try {
      const job = { folder: layout.folder, maxSeq, rewrite, pagesFolders, owner, isLowPriority: !isLast }
      const result = await runCheckpoint(port, job, !isLast || moved > THREAD_THRESHOLD)
      pageBytes = result.pageBytes
      pagesFolders = pagesFolders.slice(pagesFolders.indexOf(result.pagesFolder))
      // An adoption during the run sets `sealedBytes` to 0.
      sealedBytes = Math.max(0, sealedBytes - moved)
      rewrite = []
      retryAtSize = 0
      return undefined
    } catch (error) {
      // If the data directory was lost, `Ownership` has already reported it.
      if (source.ownership.lostReason() !== undefined) return undefined
      retryAtSize = sealedBytes + journal.size + MIN_THRESHOLD
      return failureMessage(layout.folder, error)
    }
  }
}

/**
 * Runs a checkpoint, in a thread if requested and possible.
 * @throws the errors of {@link checkpoint}
 */
async function runCheckpoint(port: FileSystemPort, job: CheckpointJob, inThread: boolean): Promise<CheckpointResult> {
  const canThread = port === nodeFileSystem && hasPackageFile(WORKER)
  return inThread && canThread ? runInThread(job) : checkpoint(port, job)
}

function runInThread(job: CheckpointJob): Promise<CheckpointResult> {
  return new Promise((resolve, reject) => {
    const worker = startPackageThread(WORKER, { workerData: job, resourceLimits: { maxYoungGenerationSizeMb: 8 } })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the checkpoint thread ended with code ${code}`)))
  })
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
  return `The pages of ${folder} could not be written: ${why.replace(/\.$/, '')}. Nothing is lost: the journal has the missing changes.`
}

function sealSize(pageBytes: number): number {
  return Math.min(MAX_FILE_SIZE, Math.max(MIN_FILE_SIZE, pageBytes / 8))
}
