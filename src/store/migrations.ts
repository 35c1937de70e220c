/** From one format of the folder to the next, as far as state.json tells of it. */
export interface Migration {
  readonly from: number
  migrate(state: Record<string, unknown>): Record<string, unknown>
}

/** One for each older format, in order. There is none yet: format 1 is the first. */
export const MIGRATIONS: readonly Migration[] = []
