import { isUtf8 } from 'node:buffer'
import type { HeaderList, RecordedBody } from '../domain/delivery.ts'
import { DecodingError, decodeBody, encodingsOf } from './content-encoding.ts'

/** Bytes of a body that are kept. */
export const MAX_STORED_BYTES = 64 * 1024
/** Bytes that are read at all; a longer body is cut off. */
const READ_BYTES = 1024 * 1024

/** Keeps the beginning of a body and drops the rest. */
export interface ResponseBody {
  /** False: enough was read, the exchange can be ended. */
  add(chunk: Uint8Array): boolean
  /** How many arrived. */
  bytes(): number
  /**
   * Returns the body as it is kept: decoded, if its headers name an encoding; `undefined` if nothing arrived. It is a promise
   * only if there is something to decode.
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

/** The decoded body, or the received bytes with a note. */
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

/** Text if the bytes are UTF-8, else base64. */
export function recordBody(bytes: Uint8Array, truncated = false): RecordedBody {
  const whole = truncated ? withoutCutCharacter(bytes) : bytes
  const body = isUtf8(whole) ? { text: Buffer.from(whole).toString() } : { b64: Buffer.from(bytes).toString('base64') }
  return truncated ? { ...body, truncated } : body
}
/** A cut in the middle of a character would make text look like bytes. */
function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) break
    if (byte >= 0xc0) return back < lengthFrom(byte) ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}

/** Bytes of the UTF-8 character that begins with this one. */
function lengthFrom(first: number): number {
  if (first >= 0xf0) return 4
  return first >= 0xe0 ? 3 : 2
}
