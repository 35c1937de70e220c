// A request of the audit as text: its bytes, and a curl command that sends it again.
import { ellipsize } from '../domain/characters.ts'
import type { HeaderList } from '../domain/delivery.ts'
import type { Message } from './check.ts'
import type { HandlerResponse } from './ports.ts'

export interface SentRequest {
  readonly url: string
  readonly headers: HeaderList
  readonly body: Uint8Array
  /** The visit of a buyer: a GET request, shown without headers. */
  readonly isVisit: boolean
  /** The response as text: `200 in 4 ms`. */
  readonly response: string
}

/** Longer bodies are truncated in the text, and have no command. */
const MAX_SHOWN = 8192

/** @param target the URL of the handler */
export function sentRequest(target: string, { headers, body, visit }: Message, response: HandlerResponse): SentRequest {
  const { status, error, ms } = response
  return {
    url: visit ?? target,
    headers,
    body,
    isVisit: visit !== undefined,
    response: error ?? `${status} in ${ms} ms`,
  }
}

/** Returns the request line, the headers and the body. */
export function requestText({ url, headers, body, isVisit }: SentRequest): string {
  const { host, pathname, search } = new URL(url)
  const lines = [`${isVisit ? 'GET' : 'POST'} ${pathname}${search} HTTP/1.1`, `Host: ${host}`]
  if (isVisit) return lines.join('\n')
  for (const [name, value] of headers) lines.push(`${name}: ${value}`)
  lines.push(`Content-Length: ${body.length}`, '', shownBody(body))
  return lines.join('\n')
}

function shownBody(body: Uint8Array): string {
  return ellipsize(Buffer.from(body).toString(), MAX_SHOWN)
}

/**
 * Returns a command for a POSIX shell, or `undefined` if the body is too long. A body that is not text is in base64.
 */
export function curlCommand({ url, headers, body, isVisit }: SentRequest): string | undefined {
  if (body.length > MAX_SHOWN) return undefined
  if (isVisit) return `curl -i ${quote(url)}`
  const flags = headers.map(([name, value]) => `  -H ${quote(`${name}: ${value}`)}`)
  const text = asText(body)
  const base64 = Buffer.from(body).toString('base64')
  const [source, data] = text === undefined ? [`echo ${base64} | base64 -d | `, '@-'] : ['', quote(text)]
  return [`${source}curl -i ${quote(url)}`, ...flags, `  --data-binary ${data}`].join(' \\\n')
}

/** Returns `undefined` if the bytes are not UTF-8, or if a shell or curl would read the text differently. */
function asText(body: Uint8Array): string | undefined {
  const text = Buffer.from(body).toString()
  const isSafe = !text.includes('\0') && !text.startsWith('@') && Buffer.from(text).equals(Buffer.from(body))
  return isSafe ? text : undefined
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
