import { BACKSLASH } from '../json-characters.ts'

/** Returns a well-distributed 32-bit hash. For ASCII text it equals `bytesHash` of the bytes. */
export function textHash(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = step(hash, text.charCodeAt(i))
  return mix(hash)
}

/**
 * Returns the hash of the bytes from `start` up to the first byte with the value `end`. Returns `undefined` if a byte
 * is a backslash or not ASCII, because the characters of the text then differ from the bytes.
 */
export function bytesHash(bytes: Uint8Array, start: number, end: number): number | undefined {
  let hash = 0
  for (let i = start; bytes[i] !== end; i++) {
    const byte = bytes[i] ?? BACKSLASH
    if (byte > LAST_ASCII || byte === BACKSLASH) return undefined
    hash = step(hash, byte)
  }
  return mix(hash)
}

const LAST_ASCII = 127

function step(hash: number, code: number): number {
  return (Math.imul(hash, 0x9e3779b1) + code) | 0
}

/** The finalizer of MurmurHash3. It spreads ids that differ in one digit. */
function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
