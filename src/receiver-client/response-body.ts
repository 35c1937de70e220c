import { isUtf8 } from 'node:buffer'
import type { HeaderList, RecordedBody } from '../domain/delivery.ts'
import { DecodingError, decodeBody, encodingsOf } from './content-encoding.ts'

/** Maximum number of bytes of a body that are stored. */
export const MAX_STORED_BYTES = 64 * 1024
/** Maximum number of bytes that are read. The rest of a longer body is not read. */
const READ_BYTES = 1024 * 1024

/** Stores the beginning of a body, and drops the other bytes. */
export interface ResponseBody {
  /** Returns false if enough was read, so the exchange can end. */
  add(chunk: Uint8Array): boolean
  /** Returns the number of received bytes. */
  bytes(): number
  /**
   * Returns the body as stored: decoded if its headers name an encoding, or `undefined` if nothing was received. Returns a
   * promise only if there is something to decode.
   * @param isWhole false if the end of the body is missing
   */
  recorded(headers: HeaderList, isWhole: boolean): RecordedBody | undefined | Promise<RecordedBody>
}

export function createResponseBody(): ResponseBody {
  const kept: Uint8Array[] = []
  let keptBytes = 0
  let bytes = 0
  return {
    add(chunk) {
      const part = chunk.subarray(0, MAX_STORED_BYTES - keptBytes)
      if (part.length > 0) kept.push(part)
      keptBytes += part.length
      bytes += chunk.length
      return bytes < READ_BYTES
    },
    bytes: () => bytes,
    recorded(headers, isWhole) {
      if (bytes === 0) return undefined
      const received = Buffer.concat(kept)
      const isCut = bytes > keptBytes
      const encodings = encodingsOf(headers)
      if (encodings.length === 0) return recordBody(received, isCut)
      return recordDecoded(received, encodings, isCut, isWhole)
    },
  }
}

/** Returns the decoded body, or the received bytes with a note. */
async function recordDecoded(
  received: Buffer,
  encodings: readonly string[],
  isCut: boolean,
  isWhole: boolean,
): Promise<RecordedBody> {
  try {
    const decoded = await decodeBody({ bytes: received, isWhole: isWhole && !isCut }, encodings, MAX_STORED_BYTES)
    return recordBody(decoded.bytes, isCut || (isWhole && !decoded.isWhole))
  } catch (error) {
    if (!(error instanceof DecodingError)) throw error
    return { ...recordBody(received, isCut), note: `The body is shown as received: ${error.message}.` }
  }
}

/** Returns text if the bytes are UTF-8, or else base64. */
export function recordBody(bytes: Uint8Array, truncated = false): RecordedBody {
  const whole = truncated ? withoutCutCharacter(bytes) : bytes
  const body = isUtf8(whole) ? { text: Buffer.from(whole).toString() } : { b64: Buffer.from(bytes).toString('base64') }
  return truncated ? { ...body, truncated } : body
}

/** Removes an incomplete last character, which would make text look like binary data. */
function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) break
    if (byte >= 0xc0) return back < lengthFrom(byte) ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}

/** Returns the length of the UTF-8 character that begins with this byte. */
function lengthFrom(first: number): number {
  if (first >= 0xf0) return 4
  return first >= 0xe0 ? 3 : 2
}

interface Response {
  readonly headers: { get(name: string): string | null }
  readonly body: AsyncIterable<Uint8Array> | null
}

/**
 * Reads the whole body of a response as decoded text.
 * @param limit bytes, before and after decoding
 * @throws DecodingError also if the body is larger
 */
export async function readText({ headers, body }: Response, limit: number): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.length
    if (length > limit) throw tooLarge(limit)
    parts.push(part)
  }
  const bytes = Buffer.concat(parts)
  const encodings = encodingsOf([['Content-Encoding', headers.get('content-encoding') ?? '']])
  if (encodings.length === 0 || bytes.length === 0) return bytes.toString()
  const decoded = await decodeBody({ bytes, isWhole: true }, encodings, limit)
  if (!decoded.isWhole) throw tooLarge(limit)
  return decoded.bytes.toString()
}

function tooLarge(limit: number): DecodingError {
  return new DecodingError(`it is larger than ${limit / 1024 / 1024} MiB`)
}
