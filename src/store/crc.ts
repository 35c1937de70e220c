import * as zlib from 'node:zlib'

/** CRC-32 of bytes, going on from `before`. */
export const crc32: (bytes: Uint8Array, before?: number) => number =
  'crc32' in zlib && typeof zlib.crc32 === 'function' ? zlib.crc32 : tableCrc32

// Node 22.0 and 22.1 are allowed and have no zlib.crc32.
let table: Uint32Array | undefined

export function tableCrc32(bytes: Uint8Array, before = 0): number {
  table ??= makeTable()
  let crc = ~before
  for (const byte of bytes) crc = (table[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return ~crc >>> 0
}

function makeTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
    return c
  })
}
