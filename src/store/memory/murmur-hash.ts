/** A hash of 32 bits, the same for a text and for its bytes where they are ASCII. Of each bit of it half of the texts have it. */
export function textHash(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = step(hash, text.charCodeAt(i))
  return mix(hash)
}

/**
 * Of the bytes from `start` to before the first `end`.
 * @returns `undefined` where some are not ASCII, or are escaped: only the text they stand for has a hash
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
const BACKSLASH = 92

function step(hash: number, code: number): number {
  return (Math.imul(hash, 0x9e3779b1) + code) | 0
}

/** The end of MurmurHash3: ids that differ in one digit land far from each other. */
function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
