// Lists of what has an id by the beginning of it, as people type it.
import * as z from 'zod'
import { fieldsEqual } from './page.ts'

/** The query field. @param form of such a beginning, or of the whole */
export function idPrefix(form: RegExp) {
  return z
    .string()
    .regex(form, 'the beginning of an id, or the whole of it')
    .optional()
    .meta({ description: 'Whose id begins so.' })
}

/** The rows whose id begins so, and whose fields equal the other filters. */
export function matchesFilters({ id = '', ...filters }: { readonly [field: string]: string | undefined }) {
  return (row: { readonly id: string }) => row.id.startsWith(id) && fieldsEqual(row, filters)
}
