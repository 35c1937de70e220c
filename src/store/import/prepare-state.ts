// Builds the tables of another state next to the tables in use. A commit then replaces the tables in use.
import { join } from 'node:path'
import { unlessAborted } from '../../domain/promises.ts'
import type { TableName } from '../../engine/tables.ts'
import { piecesOf } from '../folder/async-files.ts'
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
  /** @param file the absolute path of the file with the bytes, if there is one */
  | { readonly kind: EnvelopeKind; readonly bytes: AsyncIterable<Uint8Array>; readonly file?: string }
  /** A view of this store. Its rows are already valid. */
  | { readonly view: StateView }

export interface PrepareOptions {
  readonly port: FileSystemPort
  /** The data directory. Absent if the store is in memory. */
  readonly folder: string | undefined
  /** The number of the last journal line. */
  readonly seq: number
  /** The number of the new pages directory. It is higher than all earlier numbers. */
  readonly number: number
  readonly pause: Pause
  /** @throws StoreUnavailableError if this process no longer owns the data directory */
  assertOwned(): void
}

/**
 * If this throws, the new state is discarded.
 * @throws StateTextError; StoreUnavailableError, or the error of the disk; the reason of `signal`
 */
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
  for (const [name, rows] of view.tables) if (name !== 'state') await tables.share(name, rows)
  tables.state = [...view.rows('state')]
}

async function readTables(
  tables: PreparedTables,
  { kind, bytes, file }: Extract<StateSource, { readonly kind: EnvelopeKind }>,
  { port, seq, path, pause, assertOwned }: PrepareOptions & { readonly path: string | undefined },
  signal: AbortSignal | undefined,
): Promise<void> {
  const stateImport = createImportRunner(port, { kind, seq, folder: path }, pause, async (page) => {
    assertOwned()
    await tables.add(page)
  })
  try {
    if (file !== undefined) await unlessAborted(stateImport.pushFile(file), signal)
    else {
      for await (const chunk of untilAborted(bytes, signal)) {
        for (const piece of piecesOf(chunk)) {
          signal?.throwIfAborted()
          await stateImport.push(piece)
        }
      }
    }
    const summary = await stateImport.endInput()
    await tables.checkRefunds(summary.overRefunded)
    tables.state = summary.state
    assertOwned()
    if (tables.folder !== undefined) await stateImport.writeStateFile(stateFileOf(tables.folder, seq, summary))
  } finally {
    await stateImport.dispose()
  }
}

/**
 * Yields the chunks until the signal is aborted.
 * @throws the reason of the signal
 */
async function* untilAborted<T>(chunks: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  const iterator = chunks[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await unlessAborted(iterator.next(), signal)
      if (next.done === true) return
      yield next.value
    }
  } finally {
    // Do not wait for the cleanup of the iterator, because it may wait for a chunk that never arrives.
    void Promise.resolve(iterator.return?.()).catch(() => {})
  }
}

/** Returns the state.json of the new pages directory, without `state` rows, which the commit stores. */
function stateFileOf(folder: string, seq: number, { counters }: ImportSummary): StateFile {
  const lists = [...counters].map(([table, counter]): [TableName, Map<number, number>] => {
    const pages = Array.from({ length: Math.ceil(counter / PAGE_ROWS) }, (_, number): [number, number] => [number, seq])
    return [table, new Map(pages)]
  })
  return {
    ...EMPTY_STATE,
    seq,
    counters: Object.fromEntries(counters),
    pages: formatPageList(new Map(lists)),
    pages_folder: folder,
  }
}
