// Pages of lists, the newest first. A cursor names the last row of a page, so new rows do not shift the next page.
import * as z from 'zod'
import type { Tables } from '../../engine/tables.ts'
import { queryCount } from './fields.ts'
import type { ControlCall, ControlResponse } from './route.ts'

const CURSOR = /^[0-9]{1,16}\.[A-Za-z0-9_-]{1,400}$/
const CURSOR_FORMAT = 'the next_cursor of an earlier page, unchanged'

export const PAGE_QUERY = {
  limit: queryCount(1000).optional().meta({
    description:
      'The maximum number of items. Default: 100. A page has fewer items if more would exceed 8 MiB in total.',
  }),
  cursor: z
    .string()
    .regex(CURSOR, CURSOR_FORMAT)
    .optional()
    .meta({ description: 'The `next_cursor` of the previous page.' }),
}

export interface PageQuery {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

type ListedTable =
  | 'payments'
  | 'refunds'
  | 'payouts'
  | 'events'
  | 'imported_events'
  | 'deliveries'
  | 'shops'
  | 'endpoints'
  | 'rules'
  | 'faults'

/** The scan yields to the event loop after this many ms, checked for each row, because a row may be megabytes long. */
const MAX_TURN_MS = 8

/** The size limit of the items of a page in bytes. A single item may be larger. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024

/**
 * Returns a page of a table. A long scan for rare rows yields to the event loop.
 * @param candidates the rows that may be wanted, the newest first; default: all rows of the table
 */
export async function tablePage<T extends ListedTable, V>(
  { services: { systemClock }, world }: Pick<ControlCall, 'services' | 'world'>,
  table: T,
  query: PageQuery,
  wanted: (row: Tables[T]) => boolean,
  show: (row: Tables[T]) => V,
  candidates?: readonly Tables[T][],
): Promise<ControlResponse> {
  const after = cursorOf(query)
  const isCursor = ({ id }: { readonly id: string }) => id === after?.id
  const isKnown = candidates?.some(isCursor) ?? (after !== undefined && world.get(table, after.id) !== undefined)
  // The row of the cursor was the last of the previous page, so the scan begins at the next older row.
  const isAtCursor = after !== undefined && isKnown && candidates === undefined
  const pager = createPager<Tables[T]>(query, isAtCursor ? undefined : after, isKnown, createdAt)
  const rows = candidates ?? (isAtCursor ? world.rowsBefore(table, after.id) : world.rows(table, 'newest'))
  let turnStart = systemClock.monotonic()
  let hasYielded = false
  const isTurnOver = () => systemClock.monotonic() - turnStart > MAX_TURN_MS
  async function nextTurn(): Promise<void> {
    await new Promise<void>((resolve) => systemClock.nextTurn(resolve))
    turnStart = systemClock.monotonic()
    hasYielded = true
  }
  for (const row of rows) {
    if (isTurnOver()) await nextTurn()
    if (pager.skips(row) || !wanted(row)) continue
    if (!pager.add(row, () => JSON.stringify(show(row)))) break
  }
  // Read the rows again, because they may have changed or been deleted since they were found.
  for (const item of hasYielded ? pager.items : []) {
    if (isTurnOver()) await nextTurn()
    const present = world.get(table, item.id)
    item.text = present === undefined ? undefined : JSON.stringify(show(present))
  }
  return pager.response()
}

/**
 * Returns a page of a list in memory, the newest first.
 * @param place returns the sort position of a row, which must not increase from row to row
 */
export function listPage<R extends { readonly id: string | number }, V>(
  rows: readonly R[],
  query: PageQuery,
  show: (row: R) => V,
  place: (row: R) => number,
): ControlResponse {
  const after = cursorOf(query)
  const isKnown = rows.some((row) => String(row.id) === after?.id)
  const pager = createPager<R>(query, after, isKnown, place)
  for (const row of rows) if (!pager.skips(row) && !pager.add(row, () => JSON.stringify(show(row)))) break
  return pager.response()
}

export const createdAt = (row: { readonly created_at: number }) => row.created_at

/** An item of a page. Rows are not kept, because many large rows would fill the memory. */
interface Item {
  readonly id: string
  readonly place: number
  /** The item as JSON. Absent if the row was deleted in the meantime. */
  text: string | undefined
}

/**
 * @param after the rows up to this one are skipped
 * @param isKnown false if the row was deleted. The page then begins at its sort position. Rows at this position may be
 * repeated, but none is omitted.
 */
function createPager<R extends { readonly id: string | number }>(
  { limit = 100 }: PageQuery,
  after: Cursor | undefined,
  isKnown: boolean,
  place: (row: R) => number,
) {
  let skipping = after !== undefined
  const items: Item[] = []
  let bytes = 0
  let hasMore = false
  return {
    items: items as Iterable<Item>,
    skips(row: R): boolean {
      if (!skipping || after === undefined) return false
      if (isKnown) {
        skipping = String(row.id) !== after.id
        return true
      }
      skipping = place(row) > after.place
      return skipping
    },
    /**
     * Adds a row. Returns false if the row does not fit in the page, so that the scan can end.
     * @param render returns the row as JSON
     */
    add(row: R, render: () => string): boolean {
      hasMore = items.length === limit
      if (hasMore) return false
      const text = render()
      const size = Buffer.byteLength(text)
      hasMore = items.length > 0 && bytes + size > MAX_PAGE_BYTES
      if (hasMore) return false
      items.push({ id: String(row.id), place: place(row), text })
      bytes += size
      return true
    },
    response(): ControlResponse {
      const last = hasMore ? items.at(-1) : undefined
      const next_cursor = last === undefined ? 'null' : JSON.stringify(encode(last.place, last.id))
      const texts = items.flatMap(({ text }) => text ?? [])
      return { status: 200, text: `{"items":[${texts.join(',')}],"next_cursor":${next_cursor}}` }
    },
  }
}

/** Returns whether the fields of a row equal the filters. An undefined filter matches. */
export function fieldsEqual(filters: { readonly [field: string]: string | undefined }): (row: object) => boolean {
  // A scan checks each row, so it must not list the filters each time.
  const wanted = Object.entries(filters).filter(([, value]) => value !== undefined)
  return (row) => wanted.every(([field, value]) => String((row as Record<string, unknown>)[field]) === value)
}

/** The last row of a page. */
interface Cursor {
  readonly place: number
  readonly id: string
}

function cursorOf({ cursor }: PageQuery): Cursor | undefined {
  return cursor === undefined ? undefined : decode(cursor)
}

function encode(place: number, id: string): string {
  return `${place}.${Buffer.from(id).toString('base64url')}`
}

function decode(cursor: string): Cursor {
  const [place, id = ''] = cursor.split('.')
  return { place: Number(place), id: Buffer.from(id, 'base64url').toString() }
}

/**
 * Creates a query field for the beginning of an id.
 * @param pattern matches each beginning of an id, and a whole id
 */
export function idPrefix(pattern: RegExp) {
  return z
    .string()
    .regex(pattern, 'the beginning of an id, or a whole id')
    .optional()
    .meta({ description: 'Rows whose id begins with this text.' })
}

/** Matches rows whose id begins with `id` and whose fields equal the other filters. */
export function matchesFilters({ id = '', ...filters }: { readonly [field: string]: string | undefined }) {
  const isWanted = fieldsEqual(filters)
  return (row: { readonly id: string }) => row.id.startsWith(id) && isWanted(row)
}
