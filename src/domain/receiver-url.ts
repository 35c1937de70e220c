import { parsedUrl } from './parsed-url.ts'

// Where webhooks go, in every way people write it.

const DEFAULT_PORT = 3000

export type ReceiverUrl = { readonly url: string } | { readonly fault: string; readonly hint: string }

/**
 * `localhost:3000/hooks`, `3000`, `3000/x`, `:3000/x`, `/x` (port 3000), `example.com/x` and full urls to one whole url;
 * or what is wrong, with what to write instead. Without a scheme it is http; without a host, localhost.
 */
export function receiverUrl(text: string): ReceiverUrl {
  const trimmed = text.trim()
  const shown = JSON.stringify(text)
  if (isDiskPath(trimmed)) return faulty(`${shown} is a path on a disk and no address.`)
  const url = parse(completed(trimmed))
  if (trimmed === '' || url === undefined || url.hostname === '') return faulty(`${shown} is no address to forward to.`)
  if (/^[a-z][a-z0-9-]*$/i.test(trimmed) && url.hostname !== 'localhost') {
    return faulty(`${shown} is a word and no address.`, `If a host is called so: http://${trimmed}. ${EXAMPLES}`)
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return faulty(`${shown}: webhooks are forwarded over http or https, not ${url.protocol.slice(0, -1)}.`)
  }
  if (url.username !== '' || url.password !== '') {
    return faulty('The address holds a user name or password, which would show in every line.', 'Leave them out.')
  }
  if (url.port === '0') return faulty(`${shown}: nothing can listen on port 0.`)
  url.hash = ''
  return { url: url.pathname === '/' && url.search === '' && !trimmed.endsWith('/') ? url.origin : url.href }
}

/**
 * The whole url of an address in `endpoints` of a call.
 * @throws TypeError that says what to write
 */
export function wholeAddress(text: string): string {
  if (typeof text !== 'string') throw new TypeError(`endpoints: expected a url as text, got ${typeof text}.`)
  const read = receiverUrl(text)
  if ('url' in read) return read.url
  throw new TypeError(`endpoints: ${read.fault} ${read.hint}`)
}

const EXAMPLES = 'Write localhost:3000/hooks, 3000, :3000/hooks, /hooks or a whole url.'

function faulty(fault: string, hint: string = EXAMPLES): ReceiverUrl {
  return { fault, hint }
}

/** `C:\hooks`, `c:/hooks`, `\\host\share`, `.\hooks`, `./hooks`: places on a disk, though each could be read as a url. */
export function isDiskPath(text: string): boolean {
  return /^[a-z]:[\\/]/i.test(text) || text.startsWith('\\\\') || /^\.{1,2}[\\/]/.test(text)
}

function completed(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text
  if (text.startsWith('//')) return `http:${text}`
  if (text.startsWith('/')) return `http://localhost:${DEFAULT_PORT}${text}`
  if (text.startsWith('?')) return `http://localhost:${DEFAULT_PORT}/${text}`
  if (/^:\d/.test(text)) return `http://localhost${text}`
  if (/^\d+(?=$|[/?#])/.test(text)) return `http://localhost:${text}`
  return `http://${text}`
}

function parse(text: string): URL | undefined {
  return /\s/.test(text) ? undefined : parsedUrl(text)
}
