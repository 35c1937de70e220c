// Rows are gathered in pages, slices, queues and caches. Each of these is bounded in rows and in bytes, because a row may have
// megabytes.

export interface BatchSize {
  readonly rows: number
  /** The approximate size of the rows. A batch may exceed a limit by one row. */
  readonly bytes: number
}

/** Returns whether the batch has reached one of the limits. */
export function isFull({ rows, bytes }: BatchSize, limit: BatchSize): boolean {
  return rows >= limit.rows || bytes >= limit.bytes
}

/** Returns the approximate size of a row as JSON, in characters. It takes a tenth of the time of `JSON.stringify`. */
export function rowSize(row: object): number {
  let size = 0
  for (const name in row) {
    const value = (row as { readonly [name: string]: unknown })[name]
    size += FIELD_SIZE
    if (typeof value === 'string') size += value.length
    else if (typeof value === 'object' && value !== null) size += rowSize(value)
  }
  return size
}

/** The size of a name with its punctuation, and of a short value. */
const FIELD_SIZE = 16
