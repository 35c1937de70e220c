// Who may drive the sandbox: no web page, no name that resolves to it, nobody from outside without the token.

import { createHash, timingSafeEqual } from 'node:crypto'
import { bearerToken } from '../../domain/api-key.ts'
import { RefusalError, refuse } from '../../domain/errors.ts'
import { parsedUrl } from '../../domain/parsed-url.ts'
import { type AppContext, header } from '../app-env.ts'
import { peerAddress } from '../guards/address.ts'
import { hostname, withBrackets } from '../host-header.ts'
import { checkEncoding } from '../json-body.ts'
import type { GuardedAccess } from '../services.ts'

/** @throws RefusalError not_found (off), forbidden, unauthorized, unsupported_media_type */
export function requireControl(c: AppContext, access: GuardedAccess): void {
  requireNear(c, access)
  requireOwnPage(c, hostOf(c))
  if (access.token !== undefined) requireToken(c, access, access.token)
  requireJson(c)
}

/** Returns whether the control API is off for this caller, or the caller sent no token although one is needed. */
export function isAnonymous(c: AppContext, access: GuardedAccess): boolean {
  if (access.token === undefined) return isOutside(c, access)
  return (header(c, 'authorization') ?? '') === ''
}

/** Refuses web pages of other origins, and on loopback a foreign name in `Host`. @throws RefusalError forbidden */
export function requireOwnNames(c: AppContext, access: GuardedAccess): void {
  if (access.loopback) requireHost(hostOf(c), access)
  requireOwnPage(c, hostOf(c))
}

/**
 * Whether a page that tells what the control API tells may be shown. A person may follow a link to it from anywhere: the
 * page it stands on cannot read, nor frame, what opens.
 */
export function mayOpen(c: AppContext, access: GuardedAccess): boolean {
  try {
    requireNear(c, access)
    if (header(c, 'sec-fetch-dest') !== 'document') requireOwnPage(c, hostOf(c))
    if (access.token !== undefined) requireToken(c, access, access.token)
    return true
  } catch (error) {
    if (error instanceof RefusalError) return false
    throw error
  }
}

/** The server is on this machine and called by its name, or a token keeps strangers out. */
function requireNear(c: AppContext, access: GuardedAccess): void {
  if (isOutside(c, access) && access.token === undefined) {
    throw refuse('not_found', 'The control API is off on this host. Start the server with --control-token to have it.')
  }
  // Beyond loopback a server has names it cannot know; there the token keeps strangers out.
  if (access.loopback || access.token === undefined) requireHost(hostOf(c), access)
}

/** Without a socket the caller lives in this very process. */
function isOutside(c: AppContext, access: GuardedAccess): boolean {
  return !access.loopback && c.env?.incoming !== undefined
}

function hostOf(c: AppContext): string {
  return header(c, 'host') ?? (c.env?.incoming === undefined ? new URL(c.req.url).host : '')
}

/** A foreign name in Host means that some web page resolved its own name to this address. */
function requireHost(host: string, access: GuardedAccess): void {
  const name = hostname(host)
  if (name !== undefined && (isOwnName(name) || name === hostname(withBrackets(access.host)))) return
  const shown = JSON.stringify(host.slice(0, 100))
  throw refuse('forbidden', `The Host header is ${shown}; call the control API as localhost or 127.0.0.1.`)
}

/** Browsers tell where a request comes from; another port is another origin. */
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

/** Digests have equal length, so the time of the comparison reveals nothing, not even the length of the token. */
function requireToken(c: AppContext, access: GuardedAccess, token: string): void {
  const given = header(c, 'authorization') ?? ''
  // A caller without a socket lives in this process.
  const address = given === '' || c.env?.incoming === undefined ? undefined : (peerAddress(c) ?? 'an unknown address')
  if (address !== undefined) access.wrongTokens.check(address)
  const sent = bearerToken(given)
  if (sent !== undefined && timingSafeEqual(digest(sent), digest(token))) return
  if (address !== undefined) access.wrongTokens.count(address)
  const how = 'Authorization: Bearer … (--control-token or PSP_CONTROL_TOKEN)'
  throw refuse('unauthorized', `The control API of this server needs its token: ${how}.`)
}

/** A page can send text/plain to any address without asking; JSON it cannot. */
function requireJson(c: AppContext): void {
  if (c.req.method === 'GET' || c.req.method === 'HEAD' || header(c, 'content-length') === '0') return
  const encoding = header(c, 'content-encoding')
  if (encoding !== undefined) checkEncoding(encoding, 'unsupported_media_type')
  const type = header(c, 'content-type')
  if (type === undefined ? !hasBody(c) : JSON_TYPE.test(type.trim())) return
  throw refuse('unsupported_media_type', 'Send the body as JSON in UTF-8, with Content-Type: application/json.')
}

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i

function hasBody(c: AppContext): boolean {
  const incoming = c.env?.incoming
  if (incoming === undefined) return c.req.raw.body !== null
  return incoming.headers['content-length'] !== undefined || incoming.headers['transfer-encoding'] !== undefined
}

function sameOrigin(origin: string, host: string): boolean {
  const page = parsedUrl(origin)
  if (page === undefined) return false
  const { protocol, host: own } = page
  // Behind TLS of a proxy the page's scheme is not this server's.
  if (protocol !== 'http:' && protocol !== 'https:') return false
  return hostname(host) !== undefined && new URL(`${protocol}//${host}`).host === own
}

/** Narrower than the domain's `isLoopback`: a name under `localhost` may be anybody's page. */
function isOwnName(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
