// Everybody knows the key of a new sandbox, also a web page whose own name was made to lead to this machine (DNS rebinding).
// Where such a page asks, Host holds its name.
import { refuse } from '../../domain/errors.ts'
import { isLoopback } from '../../domain/loopback.ts'
import type { ApiKey } from '../../domain/shop.ts'
import { isWellKnownKey } from '../../domain/start-shop.ts'
import { type Exchange, header } from '../app-env.ts'
import { hostname, withBrackets } from '../host-header.ts'
import type { ControlAccess } from '../services.ts'

/**
 * Programs may call the server by any name that leads to it. A browser tells by these headers that it is one; pages can
 * keep it from sending some of them, but not all.
 */
const OF_BROWSERS = ['origin', 'referer', 'sec-fetch-site', 'sec-fetch-mode']

/** @throws Refusal forbidden for a browser that calls a server of this machine by a name that is not this machine's */
export function requireNoRebinding(c: Exchange, key: ApiKey, access: ControlAccess): void {
  if (!access.loopback || c.env?.incoming === undefined || !isWellKnownKey(key) || !isOfBrowser(c)) return
  const host = header(c, 'host') ?? ''
  if (isOwn(host, access.host)) return
  const shown = JSON.stringify(host.slice(0, 100))
  throw refuse(
    'forbidden',
    `The Host header is ${shown}, and this comes from a browser: with the development key web pages may call this server as localhost or 127.0.0.1 only.`,
  )
}

function isOwn(host: string, configured: string): boolean {
  const name = hostname(host)
  return name !== undefined && (isLoopback(name) || name === hostname(withBrackets(configured)))
}

function isOfBrowser(c: Exchange): boolean {
  if (OF_BROWSERS.some((name) => header(c, name) !== undefined)) return true
  return header(c, 'user-agent')?.startsWith('Mozilla/') === true
}
