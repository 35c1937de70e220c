import { closedError } from './errors.ts'
import { nodeFileSystem } from './folder/file-system.ts'
import { ALWAYS_OWNED } from './folder/ownership.ts'
import { createReplacements } from './import/replacements.ts'
import { CommitWriter } from './journal/commit-writer.ts'
import { NO_JOURNAL } from './journal/journal.ts'
import { createMemory, type Memory } from './memory/memory.ts'
import type { PreparedTablesState } from './memory/prepared-tables-state.ts'
import { createMemorySnapshots } from './snapshots/snapshots.ts'
import { createMemoryStartRecord } from './start-record.ts'
import type { Store, StoreOptions } from './store.ts'

export function openMemoryStore(options: StoreOptions): Store {
  const memory = createMemory()
  memory.overrideSettings(options.settings ?? {})
  const writer = new CommitWriter(memory, NO_JOURNAL, 0, {
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
    get lastLine() {
      return writer.seq
    },
    append: (...commit) => writer.append(...commit),
    snapshots: createMemorySnapshots(),
    start: createMemoryStartRecord(),
    replace: replacements.replace,
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

export function commonMembers(memory: Memory, writer: CommitWriter) {
  return {
    world: memory,
    view: memory.view,
    flushed: () => writer.flushed(),
    readOnlyReason: () => writer.readOnlyReason(),
  }
}

export function isInPlace(memory: Memory, { tables }: PreparedTablesState): boolean {
  return memory.table('payments') === tables.get('payments')
}
