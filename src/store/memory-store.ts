import { StoreUnavailableError } from './errors.ts'
import { nodeFileSystem } from './folder/file-system.ts'
import { ALWAYS_OWNED } from './folder/ownership.ts'
import { createReplacements } from './import/replacements.ts'
import { type CommitWriter, createCommitWriter } from './journal/commit-writer.ts'
import { NO_JOURNAL } from './journal/journal.ts'
import { createMemory, type Memory } from './memory/memory.ts'
import type { PreparedTablesState } from './memory/prepared-tables-state.ts'
import { createMemorySnapshots } from './snapshots/snapshots.ts'
import { createMemoryStartRecord } from './start-record.ts'
import type { Store } from './store.ts'
import type { StoreOptions } from './store-options.ts'

export function openMemoryStore(options: StoreOptions): Store {
  const memory = createMemory()
  memory.overrideSettings(options.settings ?? {})
  const writer = createCommitWriter(memory, NO_JOURNAL, 0, {
    durable: false,
    ownership: ALWAYS_OWNED,
    notice: options.notice,
    onRecovered() {},
  })
  const replacements = createReplacements({
    port: nodeFileSystem,
    folder: undefined,
    seq: () => writer.seq,
    pause: createPause(options),
    assertOwned() {},
    syncJournal: async () => {},
    isInPlace: (prepared) => isInPlace(memory, prepared),
    onAdoption() {},
    notice: options.notice,
  })
  return {
    ...commonMembers(memory, writer),
    get seq() {
      return writer.seq
    },
    snapshots: createMemorySnapshots(),
    start: createMemoryStartRecord(),
    append: writer.append,
    replace: replacements.replace,
    readOnlyReason: writer.readOnlyReason,
    onRecovery() {},
    lostReason: ALWAYS_OWNED.lostReason,
    checkpoint: async () => {},
    publishUrl() {},
    close,
    abandon: close,
  }

  async function close(): Promise<void> {
    await replacements.close(closedError())
    writer.close()
    memory.stopCompression()
  }
}

/** Creates a function that lets other work use the event loop. Without `nextTurn` it does nothing. */
export function createPause({ nextTurn }: StoreOptions): () => Promise<void> {
  return () => new Promise((resolve) => (nextTurn === undefined ? resolve() : nextTurn(resolve)))
}

export function closedError(): StoreUnavailableError {
  return new StoreUnavailableError('The store is closed.')
}

export function commonMembers(memory: Memory, writer: CommitWriter) {
  return { world: memory, flushed: writer.flushed, view: memory.view }
}

export function isInPlace(memory: Memory, { tables }: PreparedTablesState): boolean {
  return memory.table('payments') === tables.get('payments')
}
