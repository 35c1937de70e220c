import type { HeaderList, RecordedBody } from '../domain/delivery.ts'
import { DecodingError, decodeBody, type EncodedBody, encodingsOf } from './content-encoding.ts'

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
   * Returns the body as stored: decoded if its headers name an encoding, or `undefined` if nothing was received.
   * Returns a promise only if there is something to decode.
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
      if (encodings.length === 0) return recordBody(received, isCut, headers)
      return recordDecoded({ bytes: received, isWhole: isWhole && !isCut }, encodings, isCut, headers)
    },
  }
}

/**
 * Returns the decoded body, or the received bytes with a note.
 * @param isCut whether psp received more bytes than it stored
 */
async function recordDecoded(
  received: EncodedBody,
  encodings: readonly string[],
  isCut: boolean,
  headers: HeaderList,
): Promise<RecordedBody> {
  try {
    const decoded = await decodeBody(received, encodings, MAX_STORED_BYTES)
    return recordBody(decoded.bytes, isCut || (received.isWhole && !decoded.isWhole), headers)
  } catch (error) {
    if (!(error instanceof DecodingError)) throw error
    return { ...recordBody(received.bytes, isCut, headers), note: `The body is shown as received: ${error.message}.` }
  }
}

/**
 * Returns text if the bytes are UTF-8, or else base64.
 * @param isTruncated whether the end is missing. The text then ends before a character that was cut.
 * @param headers the `Content-Type` among them may name a charset other than UTF-8. In such a charset each byte may be
 * a whole character, so none is omitted.
 */
export function recordBody(bytes: Uint8Array, isTruncated = false, headers: HeaderList = []): RecordedBody {
  const text = decodeUtf8(bytes, isTruncated && !hasOtherCharset(headers))
  const body = text === undefined ? { b64: Buffer.from(bytes).toString('base64') } : { text }
  return isTruncated ? { ...body, truncated: true } : body
}

/** @param mayEndInCharacter whether an incomplete last character is omitted, instead of making the bytes invalid */
function decodeUtf8(bytes: Uint8Array, mayEndInCharacter: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: mayEndInCharacter })
  } catch {
    return undefined
  }
}

function hasOtherCharset(headers: HeaderList): boolean {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1] ?? 'utf-8'
  return !/^(utf-?8|us-ascii)$/i.test(charset)
}

interface Response {
  readonly headers: { get(name: string): string | null }
  readonly body: AsyncIterable<Uint8Array> | null
}

/**
 * Reads the whole body of a response as decoded text.
 * @param limit bytes, before and after decoding
 * @throws DecodingError if the body is larger, or cannot be decoded
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
