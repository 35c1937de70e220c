import type { RefusalError } from '../domain/errors.ts'
import type { StreamMessage } from '../domain/events.ts'
import type { StateRow, TableName, Tables } from './tables.ts'

export type Put = { [T in TableName]: { readonly table: T; readonly row: Tables[T] } }[TableName]

/** Inserts or replaces a row. The cast is needed because the compiler does not correlate table and row. */
export function put<T extends TableName>(table: T, row: Tables[T]): Put {
  return { table, row } as Put
}

export interface Delete {
  readonly table: TableName
  readonly id: string
}

/** The last unfinished row that retention skipped, per table. The next scan continues after it. */
export interface RetentionCursor {
  readonly events?: string | undefined
  readonly deliveries?: string | undefined
}

/** Whether the commit is a reset, an import or a restore. Work that began earlier must then have no effect. */
export function replacesState({ clear }: Pick<Commit, 'clear'>): boolean {
  return clear.includes('payments')
}

/** Tables that the store built separately, to replace all others. Only the store knows their content. */
export interface PreparedState {
  /** The rows of the table `state`, which the commit puts. */
  readonly state: readonly StateRow[]
  /** Rows with a timer: timers and unfinished payments. `undefined` marks a good time for a pause. */
  timed(): Iterable<Extract<Put, { readonly table: 'timers' | 'payments' }> | undefined>
}

/**
 * All changes of one command, at one time. The store writes a commit as one journal line, or as several if it is large.
 * It applies the whole commit or nothing, in the order clear, deletes, puts. A command that throws changes nothing.
 */
export interface Commit<R = unknown> {
  /** Tables that are cleared first (reset, import, restore). */
  readonly clear: readonly TableName[]
  /** The tables that replace the cleared tables. The puts are applied to the new tables. */
  readonly prepared?: PreparedState
  readonly deletes: readonly Delete[]
  readonly puts: readonly Put[]
  /** Stored settings that now override those of this run, see `World.run_settings`. Clearing `state` undoes this. */
  readonly overrides?: readonly string[]
  /** See `World.retentionCursor`. Not stored: without it the next scan begins with the oldest row. */
  readonly retention_cursor?: RetentionCursor
  /** Messages of the public stream, in order. They are published after the commit and not stored. */
  readonly stream: readonly StreamMessage[]
  readonly result: R
  /** A planned refusal. It is thrown after the commit, so that its rule is still counted. */
  readonly refusal?: RefusalError
}
