// Reads string fields from the JSON of a row, without parsing the row if possible.
import { BACKSLASH, QUOTE } from '../json-characters.ts'
import { bytesHash, textHash } from '../memory/murmur-hash.ts'

/**
 * Returns the value of a string field. A match of `"field":"` is always a field name, because quotes inside JSON
 * strings are escaped. The caller ensures that no nested field of that name comes first.
 */
export function fieldText(bytes: Buffer, start: number, end: number, field: string): string | undefined {
  const from = valueStart(bytes, start, end, field)
  if (from < 0) return parseField(bytes, start, end, field)
  const to = bytes.indexOf(QUOTE, from)
  if (bytes.subarray(from, to).includes(BACKSLASH)) return parseField(bytes, start, end, field)
  return bytes.toString('utf8', from, to)
}

/** Returns the hash of the value that {@link fieldText} returns. */
export function fieldHash(bytes: Buffer, start: number, end: number, field: string): number | undefined {
  const from = valueStart(bytes, start, end, field)
  const hash = from < 0 ? undefined : bytesHash(bytes, from, QUOTE)
  if (hash !== undefined) return hash
  const text = fieldText(bytes, start, end, field)
  return text === undefined ? undefined : textHash(text)
}

/** @returns -1 if the row must be parsed */
function valueStart(bytes: Buffer, start: number, end: number, field: string): number {
  const prefix = fieldPrefix(field)
  const first = start + 1
  if (bytes[first + 1] === prefix[1] && bytes.compare(prefix, 0, prefix.length, first, first + prefix.length) === 0) {
    return first + prefix.length
  }
  // psp writes the id first. A user may have moved it.
  if (field === 'id') return -1
  const at = bytes.indexOf(prefix, start)
  return at < 0 || at >= end ? -1 : at + prefix.length
}

function parseField(bytes: Buffer, start: number, end: number, field: string): string | undefined {
  const value = JSON.parse(bytes.toString('utf8', start, end))[field]
  return typeof value === 'string' ? value : undefined
}

function fieldPrefix(field: string): Buffer {
  const known = fieldPrefixes.get(field)
  if (known !== undefined) return known
  const prefix = Buffer.from(`"${field}":"`)
  fieldPrefixes.set(field, prefix)
  return prefix
}

const fieldPrefixes = new Map<string, Buffer>()
