// Removes the languages that psp does not use from the ICU data in Node. They are a quarter of the file. For these
// languages, Intl then uses the English formats, as it does for languages that ICU does not know.

/** The data begins with the length of its header, two magic bytes and, after 8 more bytes, the format `CmnD`. */
const MAGIC = Buffer.from([0xda, 0x27])
const FORMAT = 'CmnD'
const FORMAT_OFFSET = 12

/** The hosted page uses English and Russian formats. `root` and bundles that are not languages do not match. */
const LANGUAGE = /^[a-z]{2,3}(_\w+)*\.res$/
const KEPT_LANGUAGE = /^(en|ru)(_\w+)?\.res$/

/**
 * Parts that Intl does not use: transliteration, spelled numbers, names of characters, line breaks, old character sets.
 */
const UNUSED = /^(translit|rbnf)\/|^brkitr\/line|^unames\.icu$|^confusables\.cfu$|\.(cnv|dict|spp)$/

const ALIGNMENT = 16

/**
 * Rewrites the data in place.
 * @returns the start and end of the bytes that are unused afterwards
 */
export function slimIcu(bytes) {
  const start = findData(bytes)
  const contents = start + bytes.readUInt16LE(start)
  const items = readItems(bytes, contents)
  const kept = items.filter(({ name }) => isUsed(name.slice(name.indexOf('/') + 1)))
  const data = Buffer.concat([bytes.subarray(start, contents), writeItems(kept)])
  const end = contents + (items.at(-1)?.offset ?? 0)
  data.copy(bytes, start)
  bytes.fill(0, start + data.length, end)
  return { start: start + data.length, end }
}

function isUsed(path) {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return !UNUSED.test(path) && (!LANGUAGE.test(name) || KEPT_LANGUAGE.test(name))
}

function findData(bytes) {
  for (let at = bytes.indexOf(FORMAT); at >= 0; at = bytes.indexOf(FORMAT, at + 1)) {
    const start = at - FORMAT_OFFSET
    if (bytes.subarray(start + 2, start + 4).equals(MAGIC)) return start
  }
  throw new Error('This Node contains no ICU data.')
}

/** The table of contents: a count, then the offsets of the name and the data of each item, sorted by name. */
function readItems(bytes, contents) {
  const count = bytes.readUInt32LE(contents)
  const entry = (index) => contents + 4 + 8 * index
  return Array.from({ length: count }, (_, index) => {
    const name = contents + bytes.readUInt32LE(entry(index))
    const offset = bytes.readUInt32LE(entry(index) + 4)
    // The size of the last item is unknown, and it is not used.
    const next = index + 1 < count ? bytes.readUInt32LE(entry(index + 1) + 4) : offset
    return {
      name: bytes.toString('latin1', name, bytes.indexOf(0, name)),
      offset,
      data: bytes.subarray(contents + offset, contents + next),
    }
  })
}

function writeItems(items) {
  const names = items.map(({ name }) => Buffer.from(`${name}\0`, 'latin1'))
  const table = Buffer.alloc(4 + 8 * items.length)
  table.writeUInt32LE(items.length, 0)
  let nameOffset = table.length
  let offset = align(names.reduce((sum, name) => sum + name.length, nameOffset))
  const parts = [table, ...names, Buffer.alloc(offset - names.reduce((sum, name) => sum + name.length, nameOffset))]
  for (const [index, { data }] of items.entries()) {
    table.writeUInt32LE(nameOffset, 4 + 8 * index)
    table.writeUInt32LE(offset, 8 + 8 * index)
    nameOffset += names[index].length
    const padded = Buffer.alloc(align(data.length))
    data.copy(padded)
    parts.push(padded)
    offset += padded.length
  }
  return Buffer.concat(parts)
}

function align(offset) {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT
}
