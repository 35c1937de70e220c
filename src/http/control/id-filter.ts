// Filters lists by the beginning of an id, as people type it.
import * as z from 'zod'
import { fieldsEqual } from './page.ts'

/** Creates the query field. @param form matches a prefix of an id and a whole id */
export function idPrefix(form: RegExp) {
  return z
    .string()
    .regex(form, 'the beginning of an id, or the whole of it')
    .optional()
    .meta({ description: 'Rows whose id begins with this text.' })
}

/** Matches rows whose id begins with `id` and whose fields equal the other filters. */
export function matchesFilters({ id = '', ...filters }: { readonly [field: string]: string | undefined }) {
  return (row: { readonly id: string }) => row.id.startsWith(id) && fieldsEqual(row, filters)
}
