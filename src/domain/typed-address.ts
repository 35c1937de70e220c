// Normalizes every address that a person types: in a flag, a variable, a file or an option of a library.

import { quoteText } from './characters.ts'
import { hasUserInfo, parsedUrl } from './http-url.ts'
import { isLoopback } from './loopback.ts'

/**
 * `server`: the base URL of a psp server or of the real service. Keys are sent there, so the scheme and the host may be
 * missing only if the address is on this machine. `receiver`: a webhook handler, which gets no key.
 */
export type AddressUse = 'server' | 'receiver'

export type TypedAddress = { readonly url: string } | { readonly issue: string; readonly hint: string }

interface UseRules {
  /** Completes a port without a host. */
  readonly host: string
  /** Completes a path without a host. Absent: a path alone is rejected. */
  readonly port?: number
  readonly example: string
  /** The fix for an address with a user name or password. */
  readonly userInfoHint: string
}

const USES: Readonly<Record<AddressUse, UseRules>> = {
  server: {
    host: '127.0.0.1',
    example: 'Write http://127.0.0.1:7770, localhost:7770 or 7770.',
    userInfoHint: 'Remove them. The API key is sent in a header.',
  },
  receiver: {
    host: 'localhost',
    port: 3000,
    example: 'Write localhost:3000/hooks, 3000, :3000/hooks, /hooks or a complete URL.',
    userInfoHint: 'Remove them. Put a token in the path or the query instead.',
  },
}

/**
 * Returns the complete URL of an address, or the problem and what to write instead. The base URL of a server has no
 * trailing slash and no API path.
 */
export function normalizeAddress(text: string, use: AddressUse): TypedAddress {
  const rules = USES[use]
  const given = unquoted(text)
  const shown = quoteText(given)
  const invalid = (issue: string, hint = rules.example): TypedAddress => ({ issue, hint })
  if (given === '') return invalid(`${JSON.stringify(text)} is empty.`)
  if (isDiskPath(given)) return invalid(`${shown} is a file path, not an address.`)
  const whole = completed(given, rules)
  if (hasUserInfo(whole)) {
    return invalid(
      'The address contains a user name or password, which would be shown in many places.',
      rules.userInfoHint,
    )
  }
  if (UNSAFE_CHARACTERS.test(given)) return invalid(`${shown} contains a space, a quote or a backslash.`)
  const url = parsedUrl(whole)
  const host = hostOf(whole)
  if (url === undefined || host === '')
    return invalid(`${shown} is not an address.`, unparsedHint(given) ?? rules.example)
  const issue = schemeIssue(url, host) ?? hostIssue(url, host) ?? (use === 'server' ? serverIssue(url) : undefined)
  if (issue !== undefined) return invalid(`${shown}: ${issue}`)
  const missing = hasScheme(given) ? undefined : missingSchemeIssue(url, given, use)
  if (missing !== undefined) return invalid(`${shown} ${missing.issue}`, missing.hint)
  return { url: use === 'server' ? baseOf(url) : targetOf(url, given) }
}

/** Returns why the scheme of an address may not be missing. */
function missingSchemeIssue(url: URL, given: string, use: AddressUse): { issue: string; hint: string } | undefined {
  if (use === 'receiver' && isWord(given)) {
    return {
      issue: 'is a word, not an address.',
      hint: `If it is the name of a host, write http://${given}. ${USES.receiver.example}`,
    }
  }
  if (use === 'receiver' || isThisMachine(url.hostname)) return undefined
  return {
    issue: 'does not begin with http:// or https://. One of them is required, because an API key is sent to that host.',
    hint: `Write http://${url.host} or https://${url.host}. Only addresses of this machine can omit the scheme.`,
  }
}

/**
 * Same as {@link normalizeAddress}, for an option of a library.
 *
 * @param name of the option
 * @throws TypeError with the problem and what to write instead
 */
export function requireAddress(text: unknown, use: AddressUse, name: string): string {
  if (typeof text !== 'string') {
    throw new TypeError(`${name}: expected a URL as a string, got ${text === null ? 'null' : typeof text}.`)
  }
  const read = normalizeAddress(text, use)
  if ('url' in read) return read.url
  throw new TypeError(`${name}: ${read.issue} ${read.hint}`)
}

/** Removes surrounding white space and one pair of quotes, which files and shells may leave. */
export function unquoted(text: string): string {
  const trimmed = text.trim()
  return (/^(["'`])(.*)\1$/s.exec(trimmed)?.[2] ?? /^<(.*)>$/s.exec(trimmed)?.[1] ?? trimmed).trim()
}

/** Whether the text is a file path, although it can be parsed as a URL: `C:\hooks`, `\\host\share`, `./hooks`. */
export function isDiskPath(text: string): boolean {
  return /^[a-z]:[\\/]/i.test(text) || text.startsWith('\\\\') || /^\.{1,2}[\\/]/.test(text)
}

/** URL parsers remove or replace these characters, so psp would use a different address from the one that it shows. */
const UNSAFE_CHARACTERS = /[\s\p{Cc}\p{Cf}"<>`\\]|^'|'$/u

const hasScheme = (text: string) => /^[a-z][a-z0-9+.-]*:\/\//i.test(text)

function completed(given: string, { host, port }: UseRules): string {
  if (hasScheme(given)) return given
  if (/^\/\/[^/]/.test(given)) return `http:${given}`
  if (port !== undefined && given.startsWith('/')) return `http://${host}:${port}${given}`
  if (port !== undefined && given.startsWith('?')) return `http://${host}:${port}/${given}`
  if (/^:\d/.test(given)) return `http://${host}${given}`
  if (/^\d+(?=$|[/?#])/.test(given)) return `http://${host}:${given}`
  return `http://${given === '::1' ? '[::1]' : given}`
}

/** Returns the host as it was typed, without the port. */
function hostOf(whole: string): string {
  const [, host = ''] = /^[^:]*:\/\/(\[[^\]]*\]|[^/?#:]*)/.exec(whole) ?? []
  return host.toLowerCase()
}

function unparsedHint(given: string): string | undefined {
  const [, address] = /^(?:https?:\/\/)?([0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*)/i.exec(given) ?? []
  if (address !== undefined) return 'Put an IPv6 address in brackets: http://[::1]:7770.'
  const [, port] = /:?(\d+)(?:[/?#]|$)/.exec(given) ?? []
  return Number(port) > 65_535 ? `The port ${port} is above 65535.` : undefined
}

function schemeIssue({ protocol }: URL, host: string): string | undefined {
  if (protocol !== 'http:' && protocol !== 'https:')
    return `the scheme must be http or https, not ${protocol.slice(0, -1)}.`
  // In `http:/localhost` and `http://http://localhost` the host would be `http`.
  return host === 'http' || host === 'https' ? 'write the scheme once, with two slashes.' : undefined
}

function hostIssue({ hostname, port }: URL, host: string): string | undefined {
  if (port === '0') return 'nothing can listen on port 0.'
  // `http://7770` is 0.0.30.90 to every URL parser, `127.1` is 127.0.0.1.
  if (!/^\d+(\.\d+){3}$/.test(hostname) || host === hostname) return undefined
  return `the host ${host} would become ${hostname}.`
}

function serverIssue({ search, hash }: URL): string | undefined {
  if (search === '' && hash === '') return undefined
  return `a base URL cannot have a ${search === '' ? 'fragment' : 'query'}, because paths are appended to it.`
}

const isWord = (text: string) => /^[a-z][a-z0-9-]*$/i.test(text) && text.toLowerCase() !== 'localhost'

const isThisMachine = (hostname: string) => isLoopback(hostname) || WILDCARD_HOSTS.has(hostname)

/** Hosts that servers print if they listen on every address, with the address to connect to. */
const WILDCARD_HOSTS: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
])

/** Paths of psp. They follow the base URL if a user copies the URL of a request or page. */
const API_PATH =
  /(?:(?:\/api)?\/v1(?:\/(?:public|payments|payouts|refunds|banks)(?:\/.*)?)?\/*|\/_psp(?:\/.*)?|\/pay\/[^/].*)$/

function baseOf(url: URL): string {
  url.hostname = WILDCARD_HOSTS.get(url.hostname) ?? url.hostname
  return `${url.origin}${url.pathname.replace(API_PATH, '').replace(/\/+$/, '')}`
}

function targetOf(url: URL, given: string): string {
  url.hostname = WILDCARD_HOSTS.get(url.hostname) ?? url.hostname
  url.hash = ''
  return url.pathname === '/' && url.search === '' && !given.endsWith('/') ? url.origin : url.href
}
