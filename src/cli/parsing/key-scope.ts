// Limits lists from the control API, which include all shops, to the shop and mode of the given API key.
import type { Client } from '../../client/client.ts'
import { rowsOf } from '../../client/paginate.ts'
import { parseKey } from '../../domain/api-key.ts'
import { CliError } from '../failure.ts'
import type { Session } from '../session.ts'

export interface KeyScope {
  readonly shop_id?: string
  readonly mode?: 'test' | 'live'
}

/** Returns the shop and mode of the configured API key; `{}` if there is none, or if a shop is given. */
export async function keyScope(client: Client, { values }: Session, shop: string | undefined): Promise<KeyScope> {
  if (values.api_key === undefined || shop !== undefined) return {}
  const given = parseKey(values.api_key)
  for await (const { id } of rowsOf(client.control.shops.list))
    if (given !== undefined && (await hasKey(client, id, given.hint))) return { shop_id: id, mode: given.mode }
  throw new CliError(
    'forbidden',
    'No shop of this sandbox has the API key that was given.',
    'To see all shops, omit --api-key and PSP_API_KEY; `psp keys list` shows the keys.',
    'unauthorized',
  )
}

async function hasKey(client: Client, shopId: string, hint: string): Promise<boolean> {
  for await (const key of rowsOf((page) => client.control.keys.list(shopId, page)))
    if (key.hint === hint && key.revoked_at === null) return true
  return false
}
