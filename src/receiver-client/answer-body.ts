import { isUtf8 } from 'node:buffer'
import type { RecordedBody } from '../domain/delivery.ts'

/** Bytes of an answer that are kept. */
export const KEPT_BYTES = 64 * 1024
/** Bytes that are read at all; a longer answer is cut off. */
const READ_BYTES = 1024 * 1024

/** Keeps the beginning of an answer and lets the rest go. */
export interface AnswerBody {
  /** False: enough was read, the exchange can be ended. */
  add(chunk: Uint8Array): boolean
  /** How many came. */
  bytes(): number
  /** `undefined` while nothing came. */
  recorded(): RecordedBody | undefined
}

export function createAnswerBody(): AnswerBody {
  const kept: Uint8Array[] = []
  let keptBytes = 0
  let bytes = 0
  return {
    add(chunk) {
      const part = chunk.subarray(0, KEPT_BYTES - keptBytes)
      if (part.length > 0) kept.push(part)
      keptBytes += part.length
      bytes += chunk.length
      return bytes < READ_BYTES
    },
    bytes: () => bytes,
    recorded: () => (bytes === 0 ? undefined : recordBody(Buffer.concat(kept), bytes > keptBytes)),
  }
}

/** Text where the bytes are UTF-8, base64 where they are not. */
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
