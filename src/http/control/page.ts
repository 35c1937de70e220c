// Lists, newest first, in pages. A cursor names the last row that was seen, so rows that come meanwhile shift nothing.
import * as z from 'zod'
import { refuse } from '../../domain/errors.ts'

const LIMIT = 'an integer from 1 to 1000'

/** Query fields every list takes. */
export const PAGE_QUERY = {
  limit: z
    .string({ error: LIMIT })
    .regex(/^[1-9]\d{0,3}$/, LIMIT)
    .transform(Number)
    .refine((limit) => limit <= 1000, LIMIT)
    .optional(),
  cursor: z.string().optional(),
}

export interface PageQuery {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** @param rows newest first */
export function page<R extends { readonly id: string | number }, V>(
  rows: Iterable<R>,
  query: PageQuery,
  wanted: (row: R) => boolean,
  show: (row: R) => V,
): { items: V[]; next_cursor: string | null } {
  const limit = query.limit ?? 100
  const after = query.cursor === undefined ? undefined : decode(query.cursor)
  let skipping = after !== undefined
  const items: V[] = []
  let last: R | undefined
  for (const row of rows) {
    if (skipping) {
      skipping = String(row.id) !== after
      continue
    }
    if (!wanted(row)) continue
    if (items.length === limit) return { items, next_cursor: last === undefined ? null : encode(String(last.id)) }
    items.push(show(row))
    last = row
  }
  if (skipping) throw refuse('bad_request', 'cursor: the row it names is gone. Start again without a cursor.')
  return { items, next_cursor: null }
}

/** True where each filter that was given equals the row's field. */
export function equal(row: object, filters: { readonly [field: string]: string | undefined }): boolean {
  return Object.entries(filters).every(
    ([field, wanted]) => wanted === undefined || String((row as Record<string, unknown>)[field]) === wanted,
  )
}

function encode(id: string): string {
  return Buffer.from(id).toString('base64url')
}

function decode(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (id === '' || encode(id) !== cursor) throw refuse('bad_request', 'cursor: use a next_cursor of an earlier answer.')
  return id
}
