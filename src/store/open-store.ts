import { dirname, resolve } from 'node:path'
import { type Checkpointer, createCheckpointer } from './checkpoint/checkpointer.ts'
import { closedError, diskPath, diskReason, errorCode, StoreUnavailableError } from './errors.ts'
import { cleanUp } from './folder/cleanup.ts'
import { createDataDirectory, type DataDirectory } from './folder/data-directory.ts'
import { type FileSystemPort, ignoreErrors, nodeFileSystem } from './folder/file-system.ts'
import { type Layout, layoutOf } from './folder/layout.ts'
import { HEARTBEAT_INTERVAL } from './folder/liveness.ts'
import { acquireLockWithRetry } from './folder/lock.ts'
import { createOwnership, type Ownership } from './folder/ownership.ts'
import { assertFormat } from './folder/state-file.ts'
import { createReplacements, type Replacements } from './import/replacements.ts'
import { CommitWriter } from './journal/commit-writer.ts'
import { type Journal, openJournal } from './journal/journal.ts'
import type { Memory } from './memory/memory.ts'
import { commonMembers, createPause, isInPlace, openMemoryStore } from './memory-store.ts'
import { recover } from './recover.ts'
import { createSnapshotFiles } from './snapshots/snapshot-files.ts'
import { createStartRecordFile } from './start-record.ts'
import type { Store, StoreOptions } from './store.ts'

/**
 * Opens the data directory, and creates it if it does not exist. Without `folder`, opens a store in memory.
 * @throws StoreLockedError, StoreDamagedError, StoreFormatError, StoreUnavailableError
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  return options.folder === undefined ? openMemoryStore(options) : openInDirectory(resolve(options.folder), options)
}

async function openInDirectory(folder: string, options: StoreOptions): Promise<Store> {
  const { notice } = options
  const port = options.fs ?? nodeFileSystem
  const durable = options.durable === true
  const layout = layoutOf(folder)
  await explainDiskErrors(layout, () => assertFormat(port, layout.state))
  const data = await explainDiskErrors(layout, () =>
    createDataDirectory(port, layout, () => acquireLockWithRetry(port, layout.folder, options)),
  )
  const { lock } = data
  try {
    const recovery = await explainDiskErrors(layout, () => recover(port, layout))
    // Recovering a lot of data takes seconds. Without a heartbeat another process could take this one for dead.
    ignoreErrors(lock.heartbeat)
    await explainDiskErrors(layout, () => cleanUp(port, recovery, notice))
    if (durable) await explainDiskErrors(layout, () => syncNewDirectory(port, layout))
    const { memory, journal: found, pages } = recovery
    memory.overrideSettings(options.settings ?? {})
    const journal = openJournal(port, layout, found)
    const ownership = createOwnership({ port, layout, lock, journal, systemClock: options.systemClock, notice })
    const { nextTurn } = options
    const listeners: (() => void)[] = []
    const onRecovered = () => {
      for (const listener of listeners) listener()
    }
    const writerOptions = { durable, ownership, notice, nextTurn, onRecovered }
    const writer = new CommitWriter(memory, journal, found.next - 1, writerOptions)
    const checkpointer = createCheckpointer({
      port,
      layout: recovery.layout,
      writer,
      journal,
      lock,
      ownership,
      sealedBytes: found.bytes - (found.lastFile?.size ?? 0),
      pageBytes: pages.bytes,
      rewrite: [...pages.edited, ...pages.unlistedOrEmpty].map(({ table, number }) => ({ table, number })),
      threshold: options.checkpointThreshold,
      notice,
    })
    const replacements = createReplacements({
      port,
      folder,
      seq: () => writer.seq,
      pause: createPause(options),
      assertOwned: ownership.assertOwned,
      syncJournal: () => journal.datasync().catch(() => {}),
      isInPlace: (prepared) => isInPlace(memory, prepared),
      onAdoption: checkpointer.onAdoption,
      notice,
    })
    const parts = { memory, writer, journal, checkpointer, data, ownership, listeners, replacements }
    return createStore(layout, port, options, parts)
  } catch (error) {
    data.discard()
    throw error
  }
}

interface Parts {
  readonly memory: Memory
  readonly writer: CommitWriter
  readonly journal: Journal
  readonly checkpointer: Checkpointer
  readonly data: DataDirectory
  readonly ownership: Ownership
  /** See `Store.onRecovery`. */
  readonly listeners: (() => void)[]
  readonly replacements: Replacements
}

function createStore(layout: Layout, port: FileSystemPort, options: StoreOptions, parts: Parts): Store {
  const { memory, writer, journal, checkpointer, data, ownership, listeners, replacements } = parts
  const { lock } = data
  const openedSeq = writer.seq
  let closing: Promise<void> | undefined
  const heartbeats = options.systemClock.setInterval?.(heartbeat, HEARTBEAT_INTERVAL)
  heartbeats?.unref?.()
  return {
    ...commonMembers(memory, writer),
    get lastLine() {
      return writer.seq
    },
    snapshots: createSnapshotFiles(port, layout, ownership.assertOwned, options.notice),
    replace: replacements.replace,
    start: createStartRecordFile(port, layout, ownership.assertOwned),
    append(at, command, commit) {
      const stored = writer.append(at, command, commit)
      checkpointer.runIfDue()
      return stored
    },
    onRecovery: (listener) => void listeners.push(listener),
    lostReason: ownership.lostReason,
    checkpoint: checkpointer.run,
    publishUrl(url) {
      try {
        ownership.assertOwned()
        lock.publishUrl(url)
      } catch (error) {
        options.notice(`${layout.lock} could not be written, so commands will not find ${url}: ${diskReason(error)}`)
      }
    },
    close() {
      closing ??= close(checkpointer.finish, lock.release)
      return closing
    },
    async abandon() {
      // Without a change leave all files as they are, even pages that were edited by hand.
      const finish = writer.seq === openedSeq ? async () => journal.close() : checkpointer.finish
      const isOwned = ownership.lostReason() === undefined
      closing ??= close(finish, isOwned ? data.discard : lock.release)
      await closing.catch(() => {})
    },
  }

  function heartbeat(): void {
    if (ownership.lostReason() !== undefined) return
    ignoreErrors(lock.heartbeat)
    writer.retry()
  }

  async function close(finish: () => Promise<void>, release: () => void): Promise<void> {
    ownership.beginClosing()
    try {
      await replacements.close(closedError())
      writer.write()
      await writer.flushed()
    } finally {
      writer.close()
      memory.stopCompression()
      try {
        await finish()
      } finally {
        heartbeats?.cancel()
        ownership.stopChecking()
        ignoreErrors(release)
      }
    }
  }
}

/** Makes the entries of the data directory durable, and also the entry for the data directory in its parent. */
function syncNewDirectory(port: FileSystemPort, layout: Layout): void {
  port.syncFolder(layout.folder)
  port.syncFolder(dirname(layout.folder))
}

/** Converts an error of the file system to an error that says what to do next. */
async function explainDiskErrors<T>(layout: Layout, fn: () => T | Promise<T>): Promise<T> {
  try {
    return await fn()
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    const path = diskPath(error) ?? layout.folder
    const prefix = path === layout.folder ? '' : `${path}: `
    throw new StoreUnavailableError(
      `The data directory ${layout.folder} cannot be used: ${prefix}${diskReason(error)}`,
      error,
    )
  }
}
