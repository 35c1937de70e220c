// Reads a HAR file entry by entry, because browsers and proxies write files that are too large for memory.
import { gen, none } from 'stream-chain/core'
import { pick } from 'stream-json/core/filters/pick.js'
import { parser } from 'stream-json/core/parser.js'
import { streamArray } from 'stream-json/core/streamers/stream-array.js'
import { countOf } from '../domain/count-text.ts'
import { type HarEntry, harEntry } from './har.ts'
import { RecordingError } from './recording-error.ts'

export interface NumberedEntry {
  /** Starts at 1. */
  readonly number: number
  readonly entry: HarEntry
}

/** The size of the slices that the parser gets. A message about invalid JSON names the slice. */
const SLICE = 16 * 1024

/**
 * Yields the entries of `log.entries`.
 * @param name the name of the file, for messages
 * @param onInvalid called for an entry that is not an HTTP exchange. It may throw the error. If it returns, the entry
 * is skipped.
 * @throws RecordingError if the file is not a complete HAR file
 */
export async function* readHar(
  pieces: AsyncIterable<Uint8Array>,
  name: string,
  onInvalid: (error: RecordingError) => void = rethrow,
): AsyncGenerator<NumberedEntry> {
  let hasEntries = false
  const found = (token: parser.Token) => {
    hasEntries = true
    return token
  }
  // The parser decodes bytes, but its type accepts only text.
  const step = gen(
    parser({ streamValues: false }),
    pick({ filter: 'log.entries' }),
    found,
    streamArray(),
  ) as unknown as (input: Uint8Array | typeof none) => AsyncIterable<{ readonly value: unknown }>
  const place = { entries: 0, bytes: 0, slice: 0, isBlank: true }
  for await (const slice of slicesOf(pieces)) {
    place.slice = slice.length
    place.isBlank &&= slice.every((byte) => WHITE_SPACE.has(byte))
    yield* entriesOf(step(slice), place, name, onInvalid)
    place.bytes += slice.length
  }
  place.slice = 0
  yield* entriesOf(step(none), place, name, onInvalid)
  if (!hasEntries) throw new RecordingError(`${name} is not a HAR file: it has no log.entries.`, EXPORT_AGAIN)
}

function rethrow(error: RecordingError): never {
  throw error
}

interface Place {
  /** Entries that were read. */
  entries: number
  /** Bytes before the current slice. */
  bytes: number
  /** Bytes of the current slice; 0 at the end of the file. */
  slice: number
  /** Only white space was read so far. */
  isBlank: boolean
}

/** The bytes of white space in JSON. */
const WHITE_SPACE: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'))

const EXPORT_AGAIN = 'Export the HAR file again.'

async function* entriesOf(
  items: AsyncIterable<{ readonly value: unknown }>,
  place: Place,
  name: string,
  onInvalid: (error: RecordingError) => void,
): AsyncGenerator<NumberedEntry> {
  const iterator = items[Symbol.asyncIterator]()
  for (;;) {
    const next = await iterator.next().catch((error: unknown) => {
      throw syntaxError(error, place, name)
    })
    if (next.done === true) return
    const number = ++place.entries
    const entry = parseEntry(next.value.value, number, name)
    if (entry instanceof RecordingError) onInvalid(entry)
    else yield { number, entry }
  }
}

/** @param error the error of the parser, which does not know the position */
function syntaxError(error: unknown, { entries, bytes, slice, isBlank }: Place, name: string): RecordingError {
  const message = error instanceof Error ? error.message.replace(/^Parser cannot parse input: /, '') : String(error)
  if (/should be an array/.test(message)) {
    return new RecordingError(`${name} is not a HAR file: log.entries is not a list.`, EXPORT_AGAIN)
  }
  if (error instanceof RangeError && /nesting depth|call stack/.test(message)) {
    return new RecordingError(
      `${name} has values ${entries === 0 ? 'before the first entry' : `after entry ${entries}`} that are nested too deeply.`,
      EXPORT_AGAIN,
    )
  }
  if (error instanceof RangeError) {
    return new RecordingError(
      `${name}: entry ${entries + 1} has a body that is too long to read.`,
      'Remove the entry from the file.',
    )
  }
  if (isBlank) return new RecordingError(`${name} is empty.`, EXPORT_AGAIN)
  if (slice === 0) {
    return new RecordingError(
      `${name} is incomplete: it ends ${entries === 0 ? 'before the first entry is complete' : `after ${countOf(entries, 'complete entry', 'complete entries')}`}, at byte ${bytes}.`,
      EXPORT_AGAIN,
    )
  }
  if (message === 'unexpected characters') {
    return new RecordingError(
      `${name} continues after the end of its JSON document.`,
      'If it contains several HAR files, separate them.',
    )
  }
  return new RecordingError(
    `${name} is not valid JSON ${entries === 0 ? 'before the first entry' : `after entry ${entries}`}, between bytes ${bytes + 1} and ${bytes + slice}: ${message}.`,
    EXPORT_AGAIN,
  )
}

async function* slicesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += SLICE) yield piece.subarray(at, at + SLICE)
  }
}

function parseEntry(value: unknown, number: number, name: string): HarEntry | RecordingError {
  const result = harEntry.safeParse(value)
  if (result.success) return result.data
  const path = result.error.issues[0]?.path ?? []
  const found = path.reduce((inner: unknown, key) => (inner as Record<PropertyKey, unknown> | null)?.[key], value)
  const why = found === undefined ? 'is missing' : 'has the wrong type'
  return new RecordingError(
    `${name}: entry ${number} is not an HTTP exchange${path.length === 0 ? '' : `: ${path.join('.')} ${why}`}.`,
    EXPORT_AGAIN,
  )
}
