// Where webhooks are forwarded to, in every way people write it.
import { usage } from './failure.ts'
import { isPath, shellHint } from './named-path.ts'
import { quote } from './parse.ts'

const DEFAULT_FORWARD_PORT = 3000

/**
 * `localhost:3000/hooks`, `3000`, `3000/x`, `:3000/x`, `/x` (port 3000), `example.com/x` and full urls to one whole url.
 * Without a scheme it is http; without a host, localhost.
 */
export function forwardUrl(text: string): string {
  const trimmed = text.trim()
  if (isPath(trimmed)) throw usage(`${quote(text)} is a path on a disk and no address.`, shellHint(trimmed) ?? EXAMPLES)
  const url = parse(completed(trimmed))
  if (trimmed === '' || url === undefined || url.hostname === '') {
    throw usage(`${quote(text)} is no address to forward to.`, EXAMPLES)
  }
  if (/^[a-z][a-z0-9-]*$/i.test(trimmed) && url.hostname !== 'localhost') {
    throw usage(`${quote(text)} is a word and no address.`, `If a host is called so: http://${trimmed}. ${EXAMPLES}`)
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw usage(
      `${quote(text)}: webhooks are forwarded over http or https, not ${url.protocol.slice(0, -1)}.`,
      EXAMPLES,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw usage(
      'The address holds a user name or password, which would show in every line.',
      "Send it as a header: --header 'Authorization: Basic …'.",
    )
  }
  if (url.port === '0') throw usage(`${quote(text)}: nothing can listen on port 0.`, EXAMPLES)
  url.hash = ''
  return url.pathname === '/' && url.search === '' && !trimmed.endsWith('/') ? url.origin : url.href
}

const EXAMPLES = 'Write localhost:3000/hooks, 3000, :3000/hooks, /hooks or a whole url.'

function completed(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text
  if (text.startsWith('//')) return `http:${text}`
  if (text.startsWith('/')) return `http://localhost:${DEFAULT_FORWARD_PORT}${text}`
  if (text.startsWith('?')) return `http://localhost:${DEFAULT_FORWARD_PORT}/${text}`
  if (/^:\d/.test(text)) return `http://localhost${text}`
  if (/^\d+(?=$|[/?#])/.test(text)) return `http://localhost:${text}`
  return `http://${text}`
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) && !/\s/.test(text) ? new URL(text) : undefined
}
