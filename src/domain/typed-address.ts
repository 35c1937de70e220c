// Normalises every address that a person types: in a flag, a variable, a file or an option of a library.
import { isLoopback } from './loopback.ts'
import { parsedUrl } from './parsed-url.ts'
import { hasUserInfo } from './user-info.ts'

/**
 * `server`: the base URL of a psp server or of the real service. Keys are sent there, so the scheme and the host may be
 * missing only if the address is on this machine. `receiver`: a webhook handler, which gets no key.
 */
export type AddressUse = 'server' | 'receiver'

export type TypedAddress = { readonly url: string } | { readonly fault: string; readonly hint: string }

interface UseRules {
  /** Completes a port without a host. */
  readonly host: string
  /** Completes a path without a host. Absent: a path alone is refused. */
  readonly port?: number
  readonly example: string
  readonly userInfo: string
}

const USES: Readonly<Record<AddressUse, UseRules>> = {
  server: {
    host: '127.0.0.1',
    example: 'Write http://127.0.0.1:7770, localhost:7770 or 7770.',
    userInfo: 'Leave them out: a key is sent in a header.',
  },
  receiver: {
    host: 'localhost',
    port: 3000,
    example: 'Write localhost:3000/hooks, 3000, :3000/hooks, /hooks or a whole url.',
    userInfo: 'Leave them out; a token in the path or the query is sent.',
  },
}

/**
 * Returns the complete URL of an address, or what is wrong and what to write instead. The base URL of a server has no
 * slash at its end and no path of the API.
 */
export function normalizeAddress(text: string, use: AddressUse): TypedAddress {
  const rules = USES[use]
  const given = unquoted(text)
  const shown = JSON.stringify(given.length > 80 ? `${given.slice(0, 79)}…` : given)
  const faulty = (fault: string, hint = rules.example): TypedAddress => ({ fault, hint })
  if (given === '') return faulty(`${JSON.stringify(text)} is empty.`)
  if (isDiskPath(given)) return faulty(`${shown} is a file path and no address.`)
  const whole = completed(given, rules)
  if (hasUserInfo(whole)) {
    return faulty('The address contains a user name or password, which would be shown in many places.', rules.userInfo)
  }
  if (UNSENDABLE.test(given)) return faulty(`${shown} contains a blank, a quote or a backslash.`)
  const url = parsedUrl(whole)
  const host = hostOf(whole)
  if (url === undefined || host === '')
    return faulty(`${shown} is not an address.`, unparsedHint(given) ?? rules.example)
  const fault = schemeFault(url, host) ?? hostFault(url, host) ?? (use === 'server' ? serverFault(url) : undefined)
  if (fault !== undefined) return faulty(`${shown}: ${fault}`)
  if (!hasScheme(given)) {
    if (use === 'receiver' && isWord(given)) {
      return faulty(`${shown} is a word and no address.`, `If a host is called so: http://${given}. ${rules.example}`)
    }
    if (use === 'server' && !isThisMachine(url.hostname)) {
      return faulty(
        `${shown} does not begin with http:// or https://, and a key is sent to that host.`,
        `Write http://${url.host} or https://${url.host}; only addresses of this machine may leave it out.`,
      )
    }
  }
  return { url: use === 'server' ? baseOf(url) : targetOf(url, given) }
}

/**
 * As {@link normalizeAddress}, for an option of a library.
 *
 * @param name of the option
 * @throws TypeError that says what to write
 */
export function requireAddress(text: unknown, use: AddressUse, name: string): string {
  if (typeof text !== 'string') {
    throw new TypeError(`${name}: expected a url as text, got ${text === null ? 'null' : typeof text}.`)
  }
  const read = normalizeAddress(text, use)
  if ('url' in read) return read.url
  throw new TypeError(`${name}: ${read.fault} ${read.hint}`)
}

/** The text without blanks, line ends and one pair of quotes around it, which files and shells leave there. */
export function unquoted(text: string): string {
  const trimmed = text.trim()
  return (/^(["'`])(.*)\1$/s.exec(trimmed)?.[2] ?? /^<(.*)>$/s.exec(trimmed)?.[1] ?? trimmed).trim()
}

/** `C:\hooks`, `c:/hooks`, `\\host\share`, `.\hooks`, `./hooks`: places on a disk, though each could be read as a url. */
export function isDiskPath(text: string): boolean {
  return /^[a-z]:[\\/]/i.test(text) || text.startsWith('\\\\') || /^\.{1,2}[\\/]/.test(text)
}

/** URL parsers drop or replace these characters, so that another address would be used than the one that is shown. */
const UNSENDABLE = /[\s\p{Cc}\p{Cf}"<>`\\]|^'|'$/u

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

/** As it was typed, without port. */
function hostOf(whole: string): string {
  const [, host = ''] = /^[^:]*:\/\/(\[[^\]]*\]|[^/?#:]*)/.exec(whole) ?? []
  return host.toLowerCase()
}

function unparsedHint(given: string): string | undefined {
  const [, address] = /^(?:https?:\/\/)?([0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*)/i.exec(given) ?? []
  if (address !== undefined) return 'Put an IPv6 address in brackets: http://[::1]:7770.'
  const [, port] = /:?(\d+)(?:[/?#]|$)/.exec(given) ?? []
  return Number(port) > 65_535 ? `Ports end at 65535, and this is ${port}.` : undefined
}

function schemeFault({ protocol }: URL, host: string): string | undefined {
  if (protocol !== 'http:' && protocol !== 'https:')
    return `only http and https are known, not ${protocol.slice(0, -1)}.`
  // `http:/localhost`, `http://http://localhost`: a host of this name would get what is meant for another.
  return host === 'http' || host === 'https' ? 'the scheme is followed by exactly two slashes, once.' : undefined
}

function hostFault({ hostname, port }: URL, host: string): string | undefined {
  if (port === '0') return 'nothing can listen on port 0.'
  // `http://7770` is 0.0.30.90 to every URL parser, `127.1` is 127.0.0.1.
  if (!/^\d+(\.\d+){3}$/.test(hostname) || host === hostname) return undefined
  return `the host ${host} would be ${hostname}, which is probably not meant.`
}

function serverFault({ search, hash }: URL): string | undefined {
  if (search === '' && hash === '') return undefined
  return `a base url has no ${search === '' ? 'fragment' : 'query'}; paths are added at its end.`
}

const isWord = (text: string) => /^[a-z][a-z0-9-]*$/i.test(text) && text.toLowerCase() !== 'localhost'

const isThisMachine = (hostname: string) => isLoopback(hostname) || LISTENED_ON.has(hostname)

/** Servers name these if they listen on every address. To connect, clients need one address. */
const LISTENED_ON: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
])

/** Paths of psp: whoever copies one of its URLs has them at the end of the base. */
const API_PATH =
  /(?:(?:\/api)?\/v1(?:\/(?:public|payments|payouts|refunds|banks)(?:\/.*)?)?\/*|\/_psp(?:\/.*)?|\/pay\/[^/].*)$/

function baseOf(url: URL): string {
  url.hostname = LISTENED_ON.get(url.hostname) ?? url.hostname
  return `${url.origin}${url.pathname.replace(API_PATH, '').replace(/\/+$/, '')}`
}

function targetOf(url: URL, given: string): string {
  url.hostname = LISTENED_ON.get(url.hostname) ?? url.hostname
  url.hash = ''
  return url.pathname === '/' && url.search === '' && !given.endsWith('/') ? url.origin : url.href
}
