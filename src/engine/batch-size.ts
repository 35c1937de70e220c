// Limits for pages, slices, queues and caches of rows, in rows and in bytes. A row may have megabytes.

export interface BatchSize {
  readonly rows: number
  /** The approximate size of the rows. A batch may exceed a limit by one row. */
  readonly bytes: number
}

export function isFull({ rows, bytes }: BatchSize, limit: BatchSize): boolean {
  return rows >= limit.rows || bytes >= limit.bytes
}

/** Returns the approximate size of a row as JSON, in characters. This is ten times as fast as `JSON.stringify`. */
export function rowSize(row: object): number {
  // A loop over the names of the fields would take twice as long.
  const values: readonly unknown[] = Array.isArray(row) ? row : Object.values(row)
  let size = values.length * FIELD_SIZE
  for (const value of values) {
    if (typeof value === 'string') size += value.length
    else if (typeof value === 'object' && value !== null) size += rowSize(value)
  }
  return size
}

/** The assumed size of a field with its name and a short value. The length of a string is added. */
const FIELD_SIZE = 16
