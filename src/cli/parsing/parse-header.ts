// Parses headers from the command line. A header that cannot be sent is rejected before the command starts.
import { quoteText } from '../../domain/characters.ts'
import { isHeaderValue } from '../../domain/header-text.ts'
import { usageError } from '../failure.ts'

type Header = readonly [name: string, value: string]

/** Headers that describe the length of the body. Only the HTTP client knows it. */
const FRAMING = ['content-length', 'transfer-encoding']
/** Headers that the HTTP client manages for each connection. */
const CONNECTION_HEADERS = [
  ...FRAMING,
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]

/** With another value of these headers, the receiver would reject or misread the body of a webhook. */
const WEBHOOK_HEADERS = ['x-psp-signature', 'x-psp-event-id', 'x-psp-timestamp', 'content-encoding']

/** Maximum bytes of one value. Many servers reject longer values. */
const MAX_VALUE = 8192

/** Maximum bytes of all added headers. Many servers accept at most 16 KiB, including the headers of psp. */
const MAX_HEADERS = 12_288

/** Parses `Name: value` for a request to the API. */
export function headerLine(text: string): Header {
  return header(text, FRAMING)
}

/** Parses a header to add to a webhook. */
export function forwardHeader(text: string): Header {
  const parsed = header(text, CONNECTION_HEADERS)
  const [name] = parsed
  if (!WEBHOOK_HEADERS.includes(name.toLowerCase())) return parsed
  throw usageError(
    `${name} cannot be set: psp sets it to match the signature and the body of each webhook.`,
    "Omit it. Any other header can be added, such as --header 'X-Trace: 1'.",
  )
}

/** @throws CliError if `Host` is given twice, or if the headers together are too long */
export function requireSendable(headers: readonly Header[]): void {
  if (headers.filter(([name]) => name.toLowerCase() === 'host').length > 1) {
    throw usageError('Host is given twice.', "Give it once, such as --header 'Host: localhost'.")
  }
  // A line is `name: value` and its line end.
  const bytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)
  if (bytes <= MAX_HEADERS) return
  throw usageError(
    `The headers are ${bytes} bytes long together; at most ${MAX_HEADERS} are sent.`,
    'Omit some of them.',
  )
}

function header(text: string, managed: readonly string[]): Header {
  const [, name, rest] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*(.*)$/s.exec(text) ?? []
  if (name === undefined || rest === undefined) {
    throw usageError(`${quoteText(text)} is not a header.`, "Write it as 'Name: value', such as --header 'X-Trace: 1'.")
  }
  const value = rest.trim()
  if (!isHeaderValue(value)) {
    throw usageError(
      `The value of ${name} has characters that cannot be sent in a header.`,
      `Use Latin-1 characters on one line, such as --header '${name}: 1'.`,
    )
  }
  if (value.length > MAX_VALUE) {
    throw usageError(
      `The value of ${name} is ${value.length} bytes long; at most ${MAX_VALUE} are sent.`,
      `Shorten it, such as --header '${name}: 1'.`,
    )
  }
  if (managed.includes(name.toLowerCase())) {
    throw usageError(
      `${name} cannot be set: psp manages the connection and the length of the body.`,
      "Omit it. Any other header can be added, such as --header 'X-Trace: 1'.",
    )
  }
  return [name, value]
}

/** Parses the syntax of curl: `K: V` sends a header, `K;` an empty one, and `K:` (null) omits a default header. */
export function requestHeader(text: string): readonly [name: string, value: string | null] {
  const empty = /^[^:;]+(?=;$)/.exec(text)?.[0]
  if (empty !== undefined) return headerLine(`${empty}:`)
  const [name, value] = headerLine(text)
  return [name, value === '' ? null : value]
}
