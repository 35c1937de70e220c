// Fields of a row's JSON text, read without parsing the row where it can be helped.
import { bytesHash, textHash } from '../memory/murmur-hash.ts'

/**
 * The value of a text field. Inside of a JSON text the marks around a name are escaped, so what is found is a name; that
 * no nested one comes before it is the caller's business.
 */
export function fieldText(bytes: Buffer, start: number, end: number, field: string): string | undefined {
  const from = valueStart(bytes, start, end, field)
  if (from < 0) return parseField(bytes, start, end, field)
  const to = bytes.indexOf(QUOTE, from)
  if (bytes.subarray(from, to).includes(BACKSLASH)) return parseField(bytes, start, end, field)
  return bytes.toString('utf8', from, to)
}

/** The hash of that value. */
export function fieldHash(bytes: Buffer, start: number, end: number, field: string): number | undefined {
  const from = valueStart(bytes, start, end, field)
  const hash = from < 0 ? undefined : bytesHash(bytes, from, QUOTE)
  if (hash !== undefined) return hash
  const text = fieldText(bytes, start, end, field)
  return text === undefined ? undefined : textHash(text)
}

/** @returns -1 where the field is not seen at once */
function valueStart(bytes: Buffer, start: number, end: number, field: string): number {
  const mark = fieldPrefix(field)
  const first = start + 1
  if (bytes[first + 1] === mark[1] && bytes.compare(mark, 0, mark.length, first, first + mark.length) === 0) {
    return first + mark.length
  }
  // Each row begins with its id, where people did not see to it.
  if (field === 'id') return -1
  const at = bytes.indexOf(mark, start)
  return at < 0 || at >= end ? -1 : at + mark.length
}

function parseField(bytes: Buffer, start: number, end: number, field: string): string | undefined {
  const value = JSON.parse(bytes.toString('utf8', start, end))[field]
  return typeof value === 'string' ? value : undefined
}

function fieldPrefix(field: string): Buffer {
  const known = fieldPrefixes.get(field)
  if (known !== undefined) return known
  const mark = Buffer.from(`"${field}":"`)
  fieldPrefixes.set(field, mark)
  return mark
}

const fieldPrefixes = new Map<string, Buffer>()
const QUOTE = 34
const BACKSLASH = 92
