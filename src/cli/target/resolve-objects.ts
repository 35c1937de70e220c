// Finds the objects that a command is about: an id from its prefix, the default shop, the shop of the API key.
import start from '../../../fixtures/start-shop.json' with { type: 'json' }
import type { Client } from '../../client/client.ts'
import { ApiError } from '../../client/errors.ts'
import { paginate, rowsOf } from '../../client/paginate.ts'
import { parseKey } from '../../domain/api-key.ts'
import { CliError, usageError } from '../failure.ts'
import type { Session } from '../session.ts'

interface Listed {
  list(query: { id: string; limit: number }): Promise<{ readonly items: readonly { readonly id: string }[] }>
}

/** A shorter prefix would match ids by chance. */
const ID_PREFIX = /^(?:[0-9a-f][0-9a-f-]{3,34}|evt_[0-9a-z]{3,23}|dlv_[0-9a-z]{3,19}|imp_[0-9a-z]{3,23})$/

/**
 * Returns the id that begins with the text: on a narrow terminal, ids are shortened to `23de10d7`, `23de10d7-…` or
 * `evt_9f3ab2`. If no id matches, the text is returned, and the server reports the error.
 * @throws CliError if several ids match
 */
export async function resolveId(list: Listed['list'], text: string): Promise<string> {
  const prefix = text.toLowerCase().replace(/(?:…|\.\.\.)$/, '')
  if (!ID_PREFIX.test(prefix)) return text
  const { items } = await list({ id: prefix, limit: MAX_IDS })
  if (items.length > 1) {
    const ids = items.map(({ id }) => id).join(', ')
    throw usageError(
      `Several ids begin with ${prefix}.`,
      `Give more characters of the id: ${ids}${items.length < MAX_IDS ? '' : ', …'}`,
    )
  }
  return items[0]?.id ?? text
}

/** Maximum number of ids in the error. */
const MAX_IDS = 4

/** Like `resolveId`, but searches `ids` and sends no request. */
export function resolveIdAmong(ids: Iterable<string>, text: string): Promise<string> {
  return resolveId(async ({ id: prefix, limit }) => {
    const found = [...new Set(ids)].filter((id) => id.startsWith(prefix))
    return { items: found.slice(0, limit).map((id) => ({ id })) }
  }, text)
}

interface IdFilters {
  /** Id of a payment or a payout, or its beginning. */
  readonly object_id?: string | undefined
  /** Id of an event, or its beginning. */
  readonly event_id?: string | undefined
}

/** Resolves id prefixes in the filters of a list, as `resolveId` does for arguments. */
export async function resolveFilters<Filters extends IdFilters>(client: Client, filters: Filters): Promise<Filters> {
  const { lists, events } = client.control
  const { object_id, event_id } = filters
  const objects: Listed['list'] = async (query) => {
    const pages = await Promise.all([lists.payments(query), lists.payouts(query)])
    return { items: pages.flatMap(({ items }) => items.map(({ id }) => ({ id }))).slice(0, query.limit) }
  }
  return {
    ...filters,
    ...(object_id === undefined ? {} : { object_id: await resolveId(objects, object_id) }),
    ...(event_id === undefined ? {} : { event_id: await resolveId(events.list, event_id) }),
  }
}

/**
 * Returns the order id. If there are imported events only with its pseudonym, because an import has masked it, returns
 * the pseudonym. The notes omit the given id, because it would connect the pseudonym with a person.
 */
export async function importedOrderId<Order extends string | undefined>(
  order: Order,
  { control: { importedEvents } }: Client,
  session: Session,
): Promise<Order | string> {
  const hasEvents = async (order_id: string) => (await importedEvents.list({ order_id, limit: 1 })).items.length > 0
  if (order === undefined || (await hasEvents(order))) return order
  const { pseudonymKeyFile, storedPseudonymKey } = await import('../local/pseudonym-key.ts')
  const { out } = session
  const key = storedPseudonymKey(session)
  const masked = key === undefined ? order : await maskedOrderId(order, key)
  if (masked !== order && (await hasEvents(masked))) {
    out.aside(out.notePaint.dim(`The import has masked the number of this order: ${masked}.`))
    return masked
  }
  if (masked === order && key !== undefined) return order
  if ((await importedEvents.list({ limit: 1 })).items.length === 0) return order
  const file = pseudonymKeyFile(session)
  const why =
    key === undefined
      ? `psp cannot find it without the key of the pseudonyms: ${file} does not exist.`
      : `that import used another key than ${file}.`
  out.aside(out.notePaint.dim(`If an import has masked the number of this order, ${why} ${NAME_DIRECTORY}`))
  return order
}

const NAME_DIRECTORY = 'Name the data directory of the import with --data.'

/** Returns the order id as an import masks it. */
async function maskedOrderId(order: string, key: Buffer): Promise<string> {
  const { createMasking } = await import('../../recordings/masking.ts')
  return JSON.parse(createMasking({ key }).json(JSON.stringify({ data: { order_id: order } }))).data.order_id
}

/**
 * Returns the shop with which every data directory begins (`start-shop.json`). If an import or a restore removed it,
 * returns the oldest shop.
 */
export async function defaultShop(client: Client): Promise<string> {
  try {
    return (await client.control.shops.get(start.shop_id)).id
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
  return (await paginate(client.control.shops.list)).at(-1)?.id ?? start.shop_id
}

/** A filter of lists of the control API. */
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
