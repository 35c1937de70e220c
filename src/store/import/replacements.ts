import { join } from 'node:path'
import { RefusalError } from '../../domain/errors.ts'
import { diskReason, errorCode, StoreUnavailableError } from '../errors.ts'
import { ignoreErrors } from '../folder/file-system.ts'
import type { PreparedTablesState } from '../memory/prepared-tables-state.ts'
import { type PrepareOptions, prepareState, type StateSource } from './prepare-state.ts'

/** Replaces the whole state. Several states may be prepared at once, so a slow one does not delay others. */
export interface Replacements {
  /** See `Store.replace`. */
  replace<T>(
    source: StateSource,
    commit: (prepared: PreparedTablesState) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>
  /** Aborts all preparations. */
  close(reason: Error): Promise<void>
}

export interface ReplacementOptions extends Omit<PrepareOptions, 'seq' | 'number'> {
  seq(): number
  /** Called before the commit. Syncs the journal file, so that the sync of the commit is short. */
  syncJournal(): Promise<void>
  /** Returns whether the prepared tables are in use. They are from their commit on, unless it was rolled back. */
  isInPlace(prepared: PreparedTablesState): boolean
  /** Called when `commit` resolves, or if it rejects although the prepared tables are in use. */
  onAdoption(prepared: PreparedTablesState): void
  /** Prints why a write failed, because the response of the API does not contain the reason. */
  notice(text: string): void
}

export function createReplacements(options: ReplacementOptions): Replacements {
  const { port, folder } = options
  const closed = new AbortController()
  const running = new Set<Promise<unknown>>()
  /** The number of the last pages directory. Each state gets a new number. */
  let last = 0

  async function run<T>(
    source: StateSource,
    commit: (prepared: PreparedTablesState) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    signal.throwIfAborted()
    last = Math.max(options.seq(), last) + 1
    const target = { ...options, seq: options.seq(), number: last }
    const tables = await prepareState(source, target, signal).catch((error: unknown) => {
      // A body that is too large also has a code.
      if (error instanceof RefusalError || errorCode(error) === undefined) throw error
      const message = `The state could not be stored: ${diskReason(error)}. Nothing was changed.`
      options.notice(message)
      throw new StoreUnavailableError(message, error)
    })
    try {
      await options.syncJournal()
      signal.throwIfAborted()
      const result = await commit(tables)
      options.onAdoption(tables)
      return result
    } catch (error) {
      if (options.isInPlace(tables)) options.onAdoption(tables)
      else {
        tables.discard()
        if (folder !== undefined) ignoreErrors(() => port.removeTree(join(folder, tables.folder as string)))
      }
      throw error
    }
  }

  return {
    replace(source, commit, signal) {
      const ended = signal === undefined ? closed.signal : AbortSignal.any([signal, closed.signal])
      const result = run(source, commit, ended)
      const settled = result.catch(() => {})
      running.add(settled)
      settled.finally(() => running.delete(settled))
      return result
    },
    async close(reason) {
      closed.abort(reason)
      await Promise.all(running)
    },
  }
}
