// Detects the format of a recording from its beginning, and reads its messages.
import { CURL_COMMAND, curlMessages } from './curl-messages.ts'
import { harMessages } from './har-messages.ts'
import { lineMessages } from './line-messages.ts'
import type { RecordedMessage, RecordingFormat } from './recorded-message.ts'
import { RecordingError } from './recording-error.ts'

export interface Recording {
  readonly format: RecordingFormat
  readonly messages: AsyncIterable<RecordedMessage>
}

export interface OpenOptions {
  /** The name of the file, for messages. */
  readonly name: string
  /** Detected by default. */
  readonly format?: RecordingFormat | undefined
  /** Called for a line or an entry that cannot be read. It may throw the error, or return to skip the line or entry. */
  onInvalid(error: RecordingError): void
}

/** Bytes that are read before the format is decided. */
const HEAD = 4096

/** @throws RecordingError if the format is unknown */
export async function openRecording(
  pieces: AsyncIterable<Uint8Array>,
  { name, format: given, onInvalid }: OpenOptions,
): Promise<Recording> {
  const { head, all } = await peek(pieces)
  const format = given ?? detect(head, name)
  if (format === 'har') return { format, messages: harMessages(all, name, onInvalid) }
  if (format === 'curl') return { format, messages: curlOf(all, name) }
  return {
    format,
    messages: isWholeDocument(head) ? documentOf(all, name, onInvalid) : lineMessages(all, name, onInvalid),
  }
}

function detect(head: string, name: string): RecordingFormat {
  const start = head.trimStart()
  if (/^\{\s*"log"\s*:\s*\{/.test(start)) return 'har'
  if (CURL_COMMAND.test(start)) return 'curl'
  if (start.startsWith('{'))
    return /"(request_body|http_x_psp_\w+|request_uri|time_iso8601|msec)"\s*:/.test(start) ? 'nginx' : 'ndjson'
  if (start === '') throw new RecordingError(`${name} is empty.`, FORMATS)
  throw new RecordingError(`${name} has no known format: it begins with ${JSON.stringify(start.slice(0, 1))}.`, FORMATS)
}

const FORMATS =
  'Known formats are a HAR file, a JSON document per line (`psp listen --json`, `psp logs --json`, nginx), a curl command, and the body of an event.'

/** Returns whether the file is one document on several lines, such as a formatted body. */
function isWholeDocument(head: string): boolean {
  return /^\s*\{\s*\r?\n/.test(head)
}

const MAX_DOCUMENT = 64 * 1024 * 1024

async function* curlOf(pieces: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<RecordedMessage> {
  yield* curlMessages((await wholeOf(pieces, name)).toString('utf8'), name)
}

/** Reads the whole file as one body, and keeps its bytes. */
async function* documentOf(
  pieces: AsyncIterable<Uint8Array>,
  name: string,
  onInvalid: OpenOptions['onInvalid'],
): AsyncGenerator<RecordedMessage> {
  const body = await wholeOf(pieces, name)
  try {
    JSON.parse(body.toString('utf8'))
    yield { place: 'line 1', body, headers: [], about: 'a JSON document' }
  } catch {
    onInvalid(new RecordingError(`${name} is not one JSON document.`, FORMATS))
  }
}

async function wholeOf(pieces: AsyncIterable<Uint8Array>, name: string): Promise<Buffer> {
  const read: Uint8Array[] = []
  let size = 0
  for await (const piece of pieces) {
    read.push(piece)
    size += piece.length
    if (size > MAX_DOCUMENT) throw new RecordingError(`${name} is longer than 64 MiB.`, FORMATS)
  }
  return Buffer.concat(read)
}

/** Reads the beginning of the file. `all` yields the whole file, including the beginning. */
async function peek(pieces: AsyncIterable<Uint8Array>): Promise<{ head: string; all: AsyncIterable<Uint8Array> }> {
  const iterator = pieces[Symbol.asyncIterator]()
  const read: Uint8Array[] = []
  let size = 0
  while (size < HEAD) {
    const next = await iterator.next()
    if (next.done === true) break
    read.push(next.value)
    size += next.value.length
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      yield* read
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return { head: new TextDecoder().decode(Buffer.concat(read).subarray(0, HEAD)), all: all() }
}
