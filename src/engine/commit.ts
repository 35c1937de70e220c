import type { Refusal } from '../domain/errors.ts'
import type { StreamMessage } from '../domain/events.ts'
import type { TableName, Tables } from './tables.ts'

export type Put = { [T in TableName]: { readonly table: T; readonly row: Tables[T] } }[TableName]

/** One row more or anew. The compiler follows table and row to the pair of them only so far. */
export function put<T extends TableName>(table: T, row: Tables[T]): Put {
  return { table, row } as Put
}

export interface Delete {
  readonly table: TableName
  readonly id: string
}

/** The last row that a look for finished ones stepped over, per table: the next look goes on behind it. */
export interface Looked {
  readonly events?: string | undefined
  readonly deliveries?: string | undefined
}

/**
 * All that one command changes, decided at one instant. It is written as one journal line and applied whole, in the
 * order clear, deletes, puts; a command that throws changes nothing.
 */
export interface Commit<R = unknown> {
  /** Tables emptied first (reset, import, restore). */
  readonly clear: readonly TableName[]
  readonly deletes: readonly Delete[]
  readonly puts: readonly Put[]
  /** Settings that hold from now on in the place of those of this run, see `World.run_settings`. A clear of `state` brings these back. */
  readonly overrides?: readonly string[]
  /** See `World.looked`. Only a hint, not stored: without it the next look begins with the oldest row. */
  readonly looked?: Looked
  /** Messages of the public stream, in order; pushed after the commit, not stored. */
  readonly stream: readonly StreamMessage[]
  /** What the caller of the command gets. */
  readonly reply: R
  /** Thrown after the commit: a planned refusal, which still counts the rule that asked for it. */
  readonly refusal?: Refusal
}
