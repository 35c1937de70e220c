// Checks that an id belongs to the shop of a handle, because the control API accepts ids of every shop.
import { pathSegment } from '../client/call-arguments.ts'
import { ApiError } from '../client/errors.ts'

/**
 * @param list returns the rows of the shop
 * @throws ApiError `not_found` if no row of the shop has the id
 * @throws TypeError unless `id` is a non-empty string
 */
export async function requireOwn(
  name: 'rules' | 'faults' | 'endpoints',
  list: () => Promise<readonly { readonly id: string }[]>,
  id: string,
): Promise<void> {
  pathSegment(id)
  if ((await list()).some((row) => row.id === id)) return
  throw new ApiError(
    404,
    'not_found',
    `${name}: this shop has no ${name.slice(0, -1)} ${id.slice(0, 64)}.`,
    undefined,
    `${name}.list() returns those of the shop. client.control.${name}.remove removes those of every shop.`,
  )
}
