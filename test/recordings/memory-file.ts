import type { CallFile } from '../../src/recordings/compare/stored-calls.ts'

/** A file in memory that counts how often it is read. */
export function memoryFile(): CallFile & { readonly reads: number } {
  let bytes = Buffer.alloc(0)
  let reads = 0
  return {
    append(added) {
      const at = bytes.length
      bytes = Buffer.concat([bytes, added])
      return at
    },
    read(at, length) {
      reads++
      return bytes.subarray(at, at + length)
    },
    get reads() {
      return reads
    },
  }
}
