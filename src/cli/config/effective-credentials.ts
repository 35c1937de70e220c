// Finds the URL and the credentials that an application needs for the sandbox of this command.
import { existsSync } from 'node:fs'
import start from '../../../fixtures/start-shop.json' with { type: 'json' }
import type { Client } from '../../client/client.ts'
import { paginate } from '../../client/paginate.ts'
import { parseKey } from '../../domain/api-key.ts'
import { dataFolder } from '../input/files.ts'
import { findDirectoryServer } from '../local/find-directory-server.ts'
import type { Session } from '../session.ts'
import { addressOf, findPspAt } from '../target/other-server.ts'
import { defaultShop } from '../target/resolve-objects.ts'
import type { ConfigKey } from './config-keys.ts'

/** The configuration keys that an application needs too, in the same variables, such as `PSP_URL`. */
export const APPLICATION_KEYS = ['url', 'api_key', 'signing_secret', 'webhook_secret'] as const satisfies ConfigKey[]
export type ApplicationKey = (typeof APPLICATION_KEYS)[number]

export interface EffectiveValue {
  readonly value: string
  /** The source: `--api-key`, `PSP_API_KEY` or `server of .psp`. */
  readonly origin: string
}

/** A value is absent if it is unknown. For example, only the hash of an API key is stored. */
export type EffectiveCredentials = { readonly [K in ApplicationKey]?: EffectiveValue }

/**
 * Returns the configured values. Missing values come from the server, if psp can reach it. Without a server they come
 * from the data directory. Without a data directory they are the development credentials of a new one.
 */
export async function effectiveCredentials(session: Session): Promise<EffectiveCredentials> {
  const { values, config } = session
  const found: { [K in ApplicationKey]?: EffectiveValue } = { ...(await sandboxCredentials(session)) }
  for (const name of APPLICATION_KEYS) {
    const value = values[name]
    if (value !== undefined) found[name] = { value, origin: config.origins[name] }
  }
  return found
}

async function sandboxCredentials(session: Session): Promise<EffectiveCredentials> {
  const { values } = session
  const server = values.url === undefined ? findDirectoryServer(session) : undefined
  const url = values.url ?? server?.url
  if (url !== undefined) {
    const origin = server === undefined ? `server at ${url}` : `server of ${server.parentData ?? values.data}`
    const found = server === undefined ? {} : { url: { value: server.url, origin } }
    const isRunning = (await findPspAt(session, url)) !== undefined
    return isRunning ? { ...found, ...(await shopCredentials((await session.target('none')).client, origin)) } : found
  }
  const futureUrl =
    Number(values.port) === 0
      ? {}
      : { url: { value: addressOf(values.host, values.port), origin: FUTURE_SERVER_ORIGIN } }
  if (!existsSync(dataFolder(session))) return { ...futureUrl, ...developmentCredentials(`new ${values.data}`) }
  // `psp doctor` reports a data directory that cannot be opened.
  const opened = await session.target('folder').catch(() => undefined)
  return opened === undefined ? futureUrl : { ...futureUrl, ...(await shopCredentials(opened.client, values.data)) }
}

/** The origin of the URL if no server is running. */
export const FUTURE_SERVER_ORIGIN = 'psp serve, when it runs'

function developmentCredentials(origin: string): EffectiveCredentials {
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

/** Returns the credentials of the default shop. */
async function shopCredentials(client: Client, origin: string): Promise<EffectiveCredentials> {
  try {
    const id = await defaultShop(client)
    const { tables } = (await client.control.store.export(['shops'])) as Shops
    const shop = tables.shops?.find((one) => one.id === id)
    if (shop === undefined) return {}
    const { hint } = parseKey(start.api_key) ?? {}
    const keys = await paginate((page) => client.control.keys.list(id, page))
    const hasStartKey = keys.some((key) => key.hint === hint && key.revoked_at === null)
    return {
      ...(hasStartKey ? { api_key: { value: start.api_key, origin } } : {}),
      signing_secret: { value: shop.signing_secret, origin },
      webhook_secret: { value: shop.webhook_secret, origin },
    }
  } catch {
    // The real service, or a server that requires a token, does not return credentials.
    return {}
  }
}
