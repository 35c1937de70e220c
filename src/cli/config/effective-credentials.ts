// What an application has to be told to work with the sandbox of this folder: what is configured, else what the sandbox has.
import { existsSync } from 'node:fs'
import start from '../../../fixtures/start-shop.json' with { type: 'json' }
import type { Client } from '../../client/client.ts'
import { paginate } from '../../client/paginate.ts'
import { parseKey } from '../../domain/api-key.ts'
import { dataFolder } from '../input/named-path.ts'
import { heldFolder } from '../local/held-folder.ts'
import type { Session } from '../session.ts'
import { addressOf, pspAt } from '../target/other-server.ts'
import type { ConfigKey } from './config-keys.ts'
import { defaultShop } from './default-shop.ts'

/** What is called so in the environment too: `PSP_URL`. */
export const APPLICATION_KEYS = ['url', 'api_key', 'signing_secret', 'webhook_secret'] as const satisfies ConfigKey[]
export type ApplicationKey = (typeof APPLICATION_KEYS)[number]

export interface InForce {
  readonly value: string
  /** In words, as for a configured value. */
  readonly origin: string
}

/** Absent where nothing is known: of a key only its hash is kept. */
export type AllInForce = { readonly [K in ApplicationKey]?: InForce }

/**
 * What is in force; nothing of a sandbox that cannot be asked. Without a server the data folder is opened, if it is there.
 */
export async function inForce(session: Session): Promise<AllInForce> {
  const { values, config } = session
  const found: { [K in ApplicationKey]?: InForce } = { ...(await ofSandbox(session)) }
  for (const name of APPLICATION_KEYS) {
    const value = values[name]
    if (value !== undefined) found[name] = { value, origin: config.origins[name] }
  }
  return found
}

async function ofSandbox(session: Session): Promise<AllInForce> {
  const { values } = session
  const held = values.url === undefined ? heldFolder(session) : undefined
  const url = values.url ?? held?.url
  if (url !== undefined) {
    const origin = held === undefined ? `server at ${url}` : `server of ${held.above ?? values.data}`
    const its = held === undefined ? {} : { url: { value: held.url, origin } }
    const isThere = (await pspAt(session, /^[a-z]+:\/\//i.test(url) ? url : `http://${url}`)) !== undefined
    return isThere ? { ...its, ...(await ofShop((await session.target('none')).client, origin)) } : its
  }
  const next =
    Number(values.port) === 0 ? {} : { url: { value: addressOf(values.host, values.port), origin: ONCE_SERVED } }
  if (!existsSync(dataFolder(session))) return { ...next, ...wellKnown(`new ${values.data}`) }
  // A folder that cannot be opened has `psp doctor` to tell of it.
  const opened = await session.target('folder').catch(() => undefined)
  return opened === undefined ? next : { ...next, ...(await ofShop(opened.client, values.data)) }
}

/** Whose the url is where no server runs. */
export const ONCE_SERVED = 'psp serve, once it runs'

function wellKnown(origin: string): AllInForce {
  const { api_key, signing_secret, webhook_secret } = start
  return {
    api_key: { value: api_key, origin },
    signing_secret: { value: signing_secret, origin },
    webhook_secret: { value: webhook_secret, origin },
  }
}

interface Shops {
  readonly tables: {
    readonly shops?: readonly {
      readonly id: string
      readonly signing_secret: string
      readonly webhook_secret: string
    }[]
  }
}

/** Of the shop that commands mean where none is named. */
async function ofShop(client: Client, origin: string): Promise<AllInForce> {
  try {
    const id = await defaultShop(client)
    const { tables } = (await client.control.store.export(['shops'])) as Shops
    const shop = tables.shops?.find((one) => one.id === id)
    if (shop === undefined) return {}
    const { hint } = parseKey(start.api_key) ?? {}
    const keys = await paginate((page) => client.control.keys.list(id, page))
    const isOpen = keys.some((key) => key.hint === hint && key.revoked_at === null)
    return {
      ...(isOpen ? { api_key: { value: start.api_key, origin } } : {}),
      signing_secret: { value: shop.signing_secret, origin },
      webhook_secret: { value: shop.webhook_secret, origin },
    }
  } catch {
    // A real service, or one that wants a token: it tells none of this.
    return {}
  }
}
