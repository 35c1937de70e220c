import { resolve } from 'node:path'
import { createCommitWriter } from './commit-writer.ts'
import { diskReason, StoreUnavailable } from './errors.ts'
import { type FileSystemPort, nodeFileSystem, quietly } from './file-system.ts'
import { type Journal, NO_JOURNAL, openJournal } from './journal.ts'
import { type Layout, layoutOf } from './layout.ts'
import { type Lock, takeLock } from './lock.ts'
import { createMemory, type Memory } from './memory.ts'
import { type Recovery, recover } from './recover.ts'
import { snapshotFiles } from './snapshot-files.ts'
import { memorySnapshots, type Snapshots } from './snapshots.ts'
import { EMPTY_STATE, writeState } from './state-file.ts'
import { exportTables, type Store } from './store.ts'

export interface StoreOptions {
  /** `undefined`: memory only. */
  readonly folder: string | undefined
  /** Every commit is on the disk before its promise resolves (fdatasync). */
  readonly durable?: boolean
  readonly wall: { now(): number }
  readonly fs?: FileSystemPort
  /** The url of this process's server, where it is known at once; else see `announce`. */
  readonly owner?: { url(): string | undefined }
  /** One line for people: what was dropped, what failed and how to go on. */
  notice(text: string): void
  /** Bytes of journal that make a checkpoint worth its while. */
  readonly checkpointThreshold?: number
}

/**
 * Opens the folder, making it where needed, or a store in memory.
 * @throws StoreLocked, StoreDamaged, StoreFormat, StoreUnavailable
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  if (options.folder === undefined) {
    const memory = createMemory()
    const snapshots = memorySnapshots(options.wall.now, () => exportTables(memory))
    return assemble(memory, NO_JOURNAL, 0, options, snapshots, undefined)
  }
  const port = options.fs ?? nodeFileSystem
  const layout = layoutOf(resolve(options.folder))
  const lock = await lockFolder(port, layout, options)
  try {
    const recovery = await recover(port, layout)
    const { memory } = recovery
    await attempt(layout, () => settle(port, layout, recovery, options.notice))
    const journal = await attempt(layout, () => openJournal(port, layout, recovery.journal, options.durable === true))
    const snapshots = snapshotFiles(port, layout, options.wall.now, () => exportTables(memory))
    return assemble(memory, journal, recovery.journal.next - 1, options, snapshots, lock)
  } catch (error) {
    quietly(() => lock.release())
    throw error
  }
}

async function lockFolder(port: FileSystemPort, layout: Layout, options: StoreOptions): Promise<Lock> {
  return attempt(layout, () => {
    port.makeFolder(layout.folder)
    port.makeFolder(layout.journal)
    port.makeFolder(layout.pages)
    const lock = takeLock(port, layout.folder, options.wall.now())
    const url = options.owner?.url()
    if (url !== undefined) lock.announce(url)
    return lock
  })
}

/** After the folder was found sound: cuts a torn end off, takes spent files away, and marks a new folder. */
async function settle(
  port: FileSystemPort,
  layout: Layout,
  { state, journal }: Recovery,
  notice: (text: string) => void,
) {
  if (journal.torn !== undefined) {
    const { path, size, bytes, line } = journal.torn
    const fd = port.open(path, 'a')
    try {
      port.truncate(fd, size)
      port.sync(fd)
    } finally {
      port.close(fd)
    }
    notice(`${path}:${line}: dropped ${bytes} bytes of a change that was cut short before it was confirmed.`)
  }
  for (const path of journal.spent) port.remove(path)
  if (state === undefined) await writeState(port, layout.state, EMPTY_STATE)
}

function assemble(
  memory: Memory,
  journal: Journal,
  seq: number,
  options: StoreOptions,
  snapshots: Snapshots,
  lock: Lock | undefined,
): Store {
  const writer = createCommitWriter(memory, journal, seq, { durable: options.durable === true, notice: options.notice })
  let closed = false
  return {
    world: memory,
    snapshots,
    get seq() {
      return writer.seq
    },
    append: writer.append,
    flushed: writer.flushed,
    checkpoint: async () => {},
    exportAll: () => exportTables(memory),
    announce: (url) => lock?.announce(url),
    async close() {
      if (closed) return
      closed = true
      try {
        await writer.flushed()
      } finally {
        journal.close()
        lock?.release()
      }
    },
  }
}

async function attempt<T>(layout: Layout, fn: () => T | Promise<T>): Promise<T> {
  try {
    return await fn()
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    throw new StoreUnavailable(`The data folder ${layout.folder} cannot be used: ${diskReason(error)}`, error)
  }
}
