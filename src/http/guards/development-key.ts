// The development key is public, so a server that other machines can reach does not accept it. On a loopback server a web
// page may use it only under a loopback name. With DNS rebinding a page can resolve its name to this server, and then `Host`
// contains the name of the page.

import { isWellKnownKey } from '../../domain/default-shop.ts'
import { refuse } from '../../domain/errors.ts'
import { isLoopback } from '../../domain/loopback.ts'
import type { ApiKey } from '../../domain/shop.ts'
import { type Exchange, header } from '../app-env.ts'
import { hostname, withBrackets } from '../host-header.ts'
import type { ControlAccess } from '../services.ts'

/**
 * Headers that identify a browser. A page can suppress some of them, but not all. Other programs may call the server by any
 * name that resolves to it.
 */
const BROWSER_HEADERS = ['origin', 'referer', 'sec-fetch-site', 'sec-fetch-mode']

/** @throws RefusalError unauthorized or forbidden if the caller may not use the development key here */
export function checkDevelopmentKey(c: Exchange, key: ApiKey, access: ControlAccess): void {
  // Without a socket the caller is in this process.
  if (c.env?.incoming === undefined || !isWellKnownKey(key)) return
  if (!access.loopback) {
    throw refuse(
      'unauthorized',
      'The development key is public, so a server that other machines can reach does not accept it. Create a private key with `psp keys create`.',
    )
  }
  if (isFromBrowser(c)) requireOwnName(header(c, 'host') ?? '', access)
}

function requireOwnName(host: string, access: ControlAccess): void {
  if (isOwnName(host, access.host)) return
  const shown = JSON.stringify(host.slice(0, 100))
  throw refuse(
    'forbidden',
    `The Host header is ${shown}, and the request comes from a browser. With the development key, web pages may call this server only as localhost or 127.0.0.1.`,
  )
}

function isOwnName(host: string, configured: string): boolean {
  const name = hostname(host)
  return name !== undefined && (isLoopback(name) || name === hostname(withBrackets(configured)))
}

function isFromBrowser(c: Exchange): boolean {
  if (BROWSER_HEADERS.some((name) => header(c, name) !== undefined)) return true
  return header(c, 'user-agent')?.startsWith('Mozilla/') === true
}
