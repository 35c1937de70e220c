// Access to the control API. Rejects other origins, foreign host names, and other machines without the token.

import { createHash, timingSafeEqual } from 'node:crypto'
import { bearerToken } from '../../domain/api-key.ts'
import { quoteText } from '../../domain/characters.ts'
import { RefusalError, refuse } from '../../domain/errors.ts'
import { parsedUrl } from '../../domain/http-url.ts'
import { type AppContext, header } from '../app-env.ts'
import { peerAddress } from '../guards/ip-allow-list.ts'
import { hostname, withBrackets } from '../host-header.ts'
import { checkEncoding, isJsonType } from '../json-body.ts'
import { hasBody } from '../read-body.ts'
import type { GuardedAccess } from '../services.ts'

/** The permissions of a caller: everything, or only reading with the view token. */
export type ControlRole = 'full' | 'view'

/**
 * @throws RefusalError not_found (the API is off), forbidden, unauthorized, rate_limited, unsupported_media_type,
 * bad_request
 */
export function requireControl(c: AppContext, access: GuardedAccess): ControlRole {
  requireDirectPath(c)
  requireReachable(c, access)
  requireOwnPage(c, hostOf(c))
  const role = requireRole(c, access)
  requireJson(c)
  return role
}

/** @throws RefusalError forbidden if the caller may only read, and the route changes something or returns secrets */
export function requirePermission(
  role: ControlRole,
  { method }: { readonly method: string },
  isOwnerOnly: boolean,
): void {
  if (role === 'full' || (method === 'GET' && !isOwnerOnly)) return
  throw refuse('forbidden', 'The view token only allows reading. Use the control token for this request.')
}

/**
 * Returns whether the caller is anonymous: it needs a token and sent none, or the server has no token and the caller
 * may be on another machine.
 */
export function isAnonymous(c: AppContext, access: GuardedAccess): boolean {
  if (!needsToken(c, access)) return mayBeRemote(c, access)
  return (header(c, 'authorization') ?? '') === ''
}

/**
 * Rejects web pages of other origins and, on loopback, a foreign name in `Host`.
 * @throws RefusalError forbidden
 */
export function requireOwnNames(c: AppContext, access: GuardedAccess): void {
  requireDirectPath(c)
  if (access.loopback) requireHost(hostOf(c), access)
  requireOwnPage(c, hostOf(c))
}

/** The request target of a control route: a path or, for a proxy, a URL. */
const CONTROL_TARGET = /^(?:https?:\/\/[^/?#]*)?\/_psp(?:[/?#]|$)/i

/**
 * Rejects a target such as `/v1/public/../../_psp/reset` or `/%5fpsp/reset`, which a proxy that allows only `/v1/`, or
 * rejects `/_psp/`, would pass on.
 * @throws RefusalError bad_request
 */
function requireDirectPath(c: AppContext): void {
  const target = c.env?.incoming?.url
  if (target === undefined || CONTROL_TARGET.test(target) || !c.req.path.startsWith('/_psp')) return
  throw refuse(
    'bad_request',
    'The path of a control route must begin with /_psp/, literally: without . or .. segments and without percent-encoding.',
  )
}

/** `full`: the page may contain data. `sign_in`: the caller sent no valid token. `none`: no token helps the caller. */
export type PageAccess = 'full' | 'sign_in' | 'none'

/**
 * Returns whether the caller may open a page with data of the control API. A person may follow a link to the page from
 * any site, because the linking site can neither read nor frame the opened page.
 */
export function pageAccess(c: AppContext, access: GuardedAccess): PageAccess {
  let found: PageAccess = 'none'
  try {
    requireReachable(c, access)
    if (header(c, 'sec-fetch-dest') !== 'document') requireOwnPage(c, hostOf(c))
    found = 'sign_in'
    requireRole(c, access)
    return 'full'
  } catch (error) {
    if (error instanceof RefusalError) return found
    throw error
  }
}

/**
 * Rejects callers that may be on another machine if the server was started without a token. If the server is on
 * loopback or has no token, also rejects a `Host` that is neither a loopback name nor the server's host.
 * @throws RefusalError not_found, forbidden
 */
function requireReachable(c: AppContext, access: GuardedAccess): void {
  const hasToken = access.token !== undefined || access.viewToken !== undefined
  if (mayBeRemote(c, access) && !hasToken) {
    throw refuse('not_found', 'The control API is off on this host. To use it, start the server with --control-token.')
  }
  // Other machines may reach the server by names that it does not know, so only the token protects it.
  if (access.loopback || !hasToken) requireHost(hostOf(c), access)
}

/** Returns whether the caller must send a token. If there is only a view token, callers on this machine need none. */
function needsToken(c: AppContext, access: GuardedAccess): boolean {
  return access.token !== undefined || (access.viewToken !== undefined && mayBeRemote(c, access))
}

/** Returns whether the request may come from another machine. Without a socket the caller is in this process. */
function mayBeRemote(c: AppContext, access: GuardedAccess): boolean {
  return !access.loopback && c.env?.incoming !== undefined
}

function hostOf(c: AppContext): string {
  return header(c, 'host') ?? (c.env?.incoming === undefined ? new URL(c.req.url).host : '')
}

/** Rejects a foreign name in Host, because the name of a web page may resolve to this address (DNS rebinding). */
function requireHost(host: string, access: GuardedAccess): void {
  const name = hostname(host)
  if (name !== undefined && (isOwnName(name) || name === hostname(withBrackets(access.host)))) return
  const shown = quoteText(host)
  throw refuse('forbidden', `The Host header is ${shown}; call the control API as localhost or 127.0.0.1.`)
}

/** Rejects pages of other origins, which browsers report in headers. Another port is another origin. */
function requireOwnPage(c: AppContext, host: string): void {
  const origin = header(c, 'origin')
  if (origin !== undefined && !sameOrigin(origin, host)) {
    throw refuse('forbidden', 'Web pages of other origins may not use the control API.')
  }
  const site = header(c, 'sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw refuse('forbidden', 'Requests from other sites may not use the control API.')
  }
}

/**
 * Returns what the token of the caller permits.
 * @throws RefusalError unauthorized, rate_limited
 */
function requireRole(c: AppContext, access: GuardedAccess): ControlRole {
  const { token, viewToken } = access
  if (token === undefined && viewToken === undefined) return 'full'
  const given = header(c, 'authorization') ?? ''
  if (given === '' && !needsToken(c, access)) return 'full'
  // A caller without a socket is in this process.
  const address = given === '' || c.env?.incoming === undefined ? undefined : (peerAddress(c) ?? 'an unknown address')
  if (address !== undefined) access.tokenGuesses.check(address)
  const sent = bearerToken(given)
  if (sent !== undefined && token !== undefined && isSameText(sent, token)) return 'full'
  if (sent !== undefined && viewToken !== undefined && isSameText(sent, viewToken)) return 'view'
  if (address !== undefined) access.tokenGuesses.count(address)
  const how = 'Authorization: Bearer … (--control-token or PSP_CONTROL_TOKEN)'
  throw refuse('unauthorized', `The control API of this server needs its token: ${how}.`)
}

/** Requires JSON, because a web page can send text/plain to any address without a preflight, but not JSON. */
function requireJson(c: AppContext): void {
  if (c.req.method === 'GET' || c.req.method === 'HEAD' || header(c, 'content-length') === '0') return
  const encoding = header(c, 'content-encoding')
  if (encoding !== undefined) checkEncoding(encoding, 'unsupported_media_type')
  const type = header(c, 'content-type')
  if (type === undefined ? !hasBodyOf(c) : isJsonType(type)) return
  throw refuse('unsupported_media_type', 'Send the body as JSON in UTF-8, with Content-Type: application/json.')
}

function hasBodyOf(c: AppContext): boolean {
  const { incoming, body } = c.env ?? {}
  return incoming === undefined ? body !== undefined || c.req.raw.body !== null : hasBody(incoming)
}

function sameOrigin(origin: string, host: string): boolean {
  const page = parsedUrl(origin)
  if (page === undefined) return false
  const { protocol, host: own } = page
  // Behind a TLS proxy the scheme of the page differs from that of this server.
  if (protocol !== 'http:' && protocol !== 'https:') return false
  return hostname(host) !== undefined && new URL(`${protocol}//${host}`).host === own
}

/** Accepts fewer names than `isLoopback`, because a web page may have a name such as `shop.localhost`. */
function isOwnName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name)
}

/** Digests have equal length, so the time of the comparison reveals nothing, not even the length of the token. */
function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
