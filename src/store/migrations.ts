/** From one format of the folder to the next, as far as state.json tells of it. */
export interface Migration {
  readonly from: number
  migrate(state: Record<string, unknown>): Record<string, unknown>
}

/** One for each older format, in order. */
export const MIGRATIONS: readonly Migration[] = [
  // Its list of pages, where it has one, does not tell how far each page is; the next checkpoint looks into them.
  { from: 1, migrate: (state) => ({ ...state, format: 2 }) },
  // Its payments have timers that are rows: the first start brings them into the payments' rows.
  { from: 2, migrate: (state) => ({ ...state, format: 3 }) },
]
