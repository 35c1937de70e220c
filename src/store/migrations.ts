/** From one format of state.json to the next. Rows are migrated when their page is read. */
export interface Migration {
  readonly from: number
  migrate(state: Record<string, unknown>): Record<string, unknown>
}

/** One for each older format, in order. There is none yet: format 1 is the first. */
export const MIGRATIONS: readonly Migration[] = []
