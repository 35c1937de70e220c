// Makes executables of Linux (64-bit ELF) smaller. Their section headers are removed, because only linkers and
// debuggers read them. The program headers say which parts of the file are loaded.

const SIZE_OF_HEADER = 56
const LOADED = 1
const TABLE = 6

/** Returns the file without symbols and debug information, which are after the loaded parts. */
export function stripElf(bytes) {
  bytes.writeBigUInt64LE(0n, 40)
  bytes.writeUInt16LE(0, 60)
  bytes.writeUInt16LE(0, 62)
  return bytes.subarray(0, Math.max(...readHeaders(bytes).map(({ type, end }) => (type === LOADED ? end : 0))))
}

/** Returns the address in memory of a byte of the file. */
export function addressOf(bytes, offset) {
  const part = readHeaders(bytes).find((each) => each.type === LOADED && each.offset <= offset && offset < each.end)
  return part.address + offset - part.offset
}

/**
 * Returns the file without the whole pages between two addresses, whose content must be unused. The loaded part around
 * them becomes two. This needs an unused entry in the table of program headers, which postject leaves.
 */
export function cutElf(bytes, from, to) {
  const headers = readHeaders(bytes)
  const around = headers.find(
    (each) => each.type === LOADED && each.address <= from && to <= each.address + each.end - each.offset,
  )
  const table = headers.find(({ type }) => type === TABLE)
  if (around === undefined || table === undefined) throw new Error('The unused bytes are not in one loaded part.')
  if (table.end - table.offset < SIZE_OF_HEADER * (headers.length + 1)) {
    throw new Error('The table of program headers is full.')
  }
  // The distance between the address and the offset of a loaded part must stay a multiple of its alignment.
  const page = Math.max(...headers.map(({ type, alignment }) => (type === LOADED ? alignment : 1)))
  const start = around.offset + Math.ceil(from / page) * page - around.address
  const end = around.offset + Math.floor(to / page) * page - around.address
  const before = { ...around, end: start, extra: 0 }
  const address = around.address + end - around.offset
  const after = { ...around, offset: end, address }
  const split = headers.flatMap((each) => (each === around ? [before, after] : [each]))
  const cut = end - start
  const moved = split.map((each) =>
    each.offset >= end ? { ...each, offset: each.offset - cut, end: each.end - cut } : each,
  )
  // Loaded parts must be sorted by address, which they are because the new one is after its first half.
  const at = Number(bytes.readBigUInt64LE(32))
  for (const [index, each] of moved.entries()) writeHeader(bytes, at + index * SIZE_OF_HEADER, each)
  bytes.writeUInt16LE(moved.length, 56)
  const result = Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])
  if (at >= end) result.writeBigUInt64LE(BigInt(at - cut), 32)
  return result
}

function readHeaders(bytes) {
  const at = Number(bytes.readBigUInt64LE(32))
  return Array.from({ length: bytes.readUInt16LE(56) }, (_, index) => {
    const raw = Buffer.from(bytes.subarray(at + index * SIZE_OF_HEADER, at + (index + 1) * SIZE_OF_HEADER))
    const field = (position) => Number(raw.readBigUInt64LE(position))
    const offset = field(8)
    return {
      raw,
      type: raw.readUInt32LE(0),
      offset,
      address: field(16),
      end: offset + field(32),
      extra: field(40) - field(32),
      alignment: field(48),
    }
  })
}

/** Writes the fields that differ from those of the original header. `extra` is memory beyond the bytes of the file. */
function writeHeader(bytes, at, { raw, offset, address, end, extra }) {
  const header = Buffer.from(raw)
  const fields = [offset, address, address, end - offset, end - offset + extra]
  for (const [index, value] of fields.entries()) header.writeBigUInt64LE(BigInt(value), 8 + 8 * index)
  header.copy(bytes, at)
}
