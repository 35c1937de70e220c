// What a probe gave, as fields by JSON path. Times of the merchant's own are masked: they differ and mean nothing.

/** `$` for a value that is no document. Nothing at all has no fields. */
export type Fields = ReadonlyMap<string, Leaf>
export type Leaf = string | number | boolean | null

/** Stands for a time. */
export const TIME = '{time}'

/** An id of the run, and the words that stand for it. */
export type Names = readonly (readonly [id: string, name: string])[]

/** The fields of a value. Lists count whatever their order. */
export function fieldsOf(text: string, names: Names = []): Fields {
  const plain = text.trim()
  const fields = new Map<string, Leaf>()
  if (plain !== '') collect(canonical(parsed(plain), '', names), '$', fields)
  return fields
}

export function isOwnId(path: string): boolean {
  return /(^|[._-])(id|uuid)$|[a-z](Id|UUID|Uuid)$/.test(keyOf(path))
}

export function isInList(path: string): boolean {
  return path.includes('[')
}

/** The last key of a path, without list places. */
export function keyOf(path: string): string {
  return path.replace(/\[\d+\]/g, '').replace(/^.*\./, '')
}

type Canonical = Leaf | Canonical[] | { [key: string]: Canonical }

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function canonical(value: unknown, key: string, names: Names): Canonical {
  if (typeof value === 'string') return named(timeless(value), names)
  if (typeof value === 'number') return isTime(key, value) ? TIME : (names.find(isNumber(value))?.[1] ?? value)
  if (Array.isArray(value)) return value.map((item) => canonical(item, key, names)).sort(byText)
  if (typeof value !== 'object' || value === null) return value as Leaf
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, canonical(item, name, names)]))
}

function byText(a: Canonical, b: Canonical): number {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)]
  return left < right ? -1 : Number(left > right)
}

function collect(value: Canonical, path: string, fields: Map<string, Leaf>): void {
  if (typeof value !== 'object' || value === null) fields.set(path, value)
  else if (Array.isArray(value)) for (const [at, item] of value.entries()) collect(item, `${path}[${at}]`, fields)
  else for (const [key, item] of Object.entries(value)) collect(item, `${path}.${key}`, fields)
}

const TIMES = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?/g
const TIME_KEY = /(^|[._-])(at|on|ts|date|time|timestamp|created|updated|modified)$|[a-z](At|On|Date|Time|Timestamp)$/i

function timeless(text: string): string {
  return text.replace(TIMES, TIME)
}

/** Seconds or milliseconds since the epoch, of this century, under a key that speaks of a time. */
function isTime(key: string, value: number): boolean {
  return TIME_KEY.test(key) && ((value > 9e8 && value < 5e9) || (value > 9e11 && value < 5e12))
}

/** An id within a longer text counts only where it cannot be there by chance. */
function named(text: string, names: Names): string {
  let out = text
  for (const [id, name] of names) {
    if (out === id) return name
    if (id.length >= 8) out = out.replaceAll(id, name)
  }
  return out
}

function isNumber(value: number) {
  return ([id]: Names[number]) => id.length >= 4 && id === String(value)
}
