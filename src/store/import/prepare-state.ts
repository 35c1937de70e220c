// Builds the tables of a whole state next to those in use: nothing changes before a commit puts them in place.
import { join } from 'node:path'
import { unlessAborted } from '../../domain/promises.ts'
import type { TableName } from '../../engine/tables.ts'
import { type FileSystemPort, ignoreErrors } from '../folder/file-system.ts'
import { numberedPagesFolder } from '../folder/layout.ts'
import { EMPTY_STATE, type StateFile } from '../folder/state-file.ts'
import type { StateView } from '../memory/state-view.ts'
import { PAGE_ROWS } from '../pages/page.ts'
import { formatPageList } from '../pages/page-list.ts'
import type { EnvelopeKind } from './envelopes.ts'
import { createImportRunner } from './import-runner.ts'
import { type Pause, PreparedTables } from './prepared-tables.ts'
import { makeStagedFolder } from './staged-folder.ts'
import type { ImportSummary } from './state-importer.ts'

export type StateSource =
  /** @param file whole path of the file that the bytes are of */
  | { readonly kind: EnvelopeKind; readonly bytes: AsyncIterable<Uint8Array>; readonly file?: string }
  /** Of this store: its rows were checked when they came. */
  | { readonly view: StateView }

export interface PrepareOptions {
  readonly port: FileSystemPort
  /** The data directory; absent: the store is in memory. */
  readonly folder: string | undefined
  /** Number of the last journal line. */
  readonly seq: number
  /** Of the folder for the pages: above those of all folders before. */
  readonly number: number
  readonly pause: Pause
  /** @throws StoreUnavailableError if the folder is not this store's any more */
  assertOwned(): void
}

/** @throws StateTextError; StoreUnavailableError, or what the disk said; the reason of `signal`. Then nothing of it stays. */
export async function prepareState(
  source: StateSource,
  options: PrepareOptions,
  signal?: AbortSignal,
): Promise<PreparedTables> {
  const { port, folder, seq, pause } = options
  const name = folder === undefined ? undefined : numberedPagesFolder(options.number)
  const path = folder === undefined ? undefined : join(folder, name as string)
  const tables = new PreparedTables(pause, { seq, folder: name })
  try {
    if ('view' in source) await shareTables(tables, source.view)
    else {
      options.assertOwned()
      if (path !== undefined) makeStagedFolder(port, path)
      await readTables(tables, source, { ...options, path }, signal)
    }
    signal?.throwIfAborted()
    options.assertOwned()
    return tables
  } catch (error) {
    tables.discard()
    if (path !== undefined) ignoreErrors(() => port.removeTree(path))
    throw error
  }
}

async function shareTables(tables: PreparedTables, view: StateView): Promise<void> {
  for (const [name, table] of view.tables) if (name !== 'state') await tables.share(table)
  tables.state = [...view.rows('state')]
}

async function readTables(
  tables: PreparedTables,
  { kind, bytes, file }: Extract<StateSource, { readonly kind: EnvelopeKind }>,
  { port, seq, path, pause, assertOwned: demand }: PrepareOptions & { readonly path: string | undefined },
  signal: AbortSignal | undefined,
): Promise<void> {
  const importRun = createImportRunner(port, { kind, seq, folder: path }, pause, async (page) => {
    demand()
    await tables.add(page)
  })
  try {
    if (file !== undefined) await unlessAborted(importRun.pushFile(file), signal)
    else for await (const chunk of untilAborted(bytes, signal)) await importRun.push(chunk)
    const summary = await importRun.end()
    await tables.checkRefunds(summary.overRefunded)
    tables.state = summary.state
    demand()
    if (tables.folder !== undefined) await importRun.finish(stateOf(tables.folder, seq, summary))
  } finally {
    await importRun.stop()
  }
}

/** Does not wait for the next chunk once the signal is aborted. @throws its reason */
async function* untilAborted<T>(chunks: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  const iterator = chunks[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await unlessAborted(iterator.next(), signal)
      if (next.done === true) return
      yield next.value
    }
  } finally {
    // Its clean-up may wait for a chunk that never comes.
    void Promise.resolve(iterator.return?.()).catch(() => {})
  }
}

/** The state.json of the folder. The rows of the table `state` come with the commit. */
function stateOf(folder: string, seq: number, { counts }: ImportSummary): StateFile {
  const lists = [...counts].map(([table, count]): [TableName, Map<number, number>] => {
    const pages = Array.from({ length: Math.ceil(count / PAGE_ROWS) }, (_, number): [number, number] => [number, seq])
    return [table, new Map(pages)]
  })
  return {
    ...EMPTY_STATE,
    seq,
    counters: Object.fromEntries(counts),
    pages: formatPageList(new Map(lists)),
    pages_folder: folder,
  }
}
