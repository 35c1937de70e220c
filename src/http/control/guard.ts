// Who may drive the sandbox: no web page, no name that resolves to it, nobody from outside without the token.
import { timingSafeEqual } from 'node:crypto'
import { bearerToken } from '../../domain/api-key.ts'
import { refuse } from '../../domain/errors.ts'
import { type AppContext, header } from '../app-env.ts'
import type { ControlAccess } from '../services.ts'

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1', '[::1]']

/** @throws Refusal not_found (off), unauthorized, forbidden, unsupported_media_type */
export function requireControl(c: AppContext, access: ControlAccess): void {
  if (!access.loopback && access.token === undefined) {
    throw refuse('not_found', 'The control API is off on this host. Start the server with --control-token to have it.')
  }
  if (access.token !== undefined) requireToken(c, access.token)
  requireHost(c, access)
  requireOwnPage(c)
  requireJson(c)
}

function requireToken(c: AppContext, token: string): void {
  const given = Buffer.from(bearerToken(header(c, 'authorization')) ?? '')
  const wanted = Buffer.from(token)
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return
  throw refuse(
    'unauthorized',
    'Send the control token: Authorization: Bearer … (--control-token or PSP_CONTROL_TOKEN).',
  )
}

/** A foreign name in Host means that some web page resolved its own name to this address. */
function requireHost(c: AppContext, access: ControlAccess): void {
  const name = hostName(header(c, 'host') ?? new URL(c.req.url).host)
  if (name !== undefined && (LOOPBACK_NAMES.includes(name) || name === access.host.toLowerCase())) return
  // With a token the caller has shown that it knows the server; names it is reached by are not ours to list.
  if (!access.loopback && access.token !== undefined) return
  throw refuse('forbidden', 'The Host header must be a loopback name, such as localhost or 127.0.0.1.')
}

function requireOwnPage(c: AppContext): void {
  const origin = header(c, 'origin')
  const host = header(c, 'host') ?? new URL(c.req.url).host
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
    throw refuse('forbidden', 'Web pages of other origins may not use the control API.')
  }
  const site = header(c, 'sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw refuse('forbidden', 'Requests from other sites may not use the control API.')
  }
}

function requireJson(c: AppContext): void {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return
  const type = header(c, 'content-type')
  const empty = header(c, 'content-length') === '0' || (type === undefined && !hasBody(c))
  if (empty || (type !== undefined && /^application\/json\s*(;.*)?$/i.test(type))) return
  throw refuse('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.')
}

function hasBody(c: AppContext): boolean {
  const incoming = c.env?.incoming
  if (incoming === undefined) return c.req.raw.body !== null
  return incoming.headers['content-length'] !== undefined || incoming.headers['transfer-encoding'] !== undefined
}

function hostName(host: string): string | undefined {
  if (!URL.canParse(`http://${host}`)) return undefined
  return new URL(`http://${host}`).hostname.toLowerCase()
}
