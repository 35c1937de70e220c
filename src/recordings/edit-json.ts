// Replaces single values in a JSON text. All other bytes stay as they are.

/** A key, a string or a number in a JSON text. */
export interface JsonToken {
  readonly kind: 'key' | 'string' | 'number'
  /** The keys above the value, or above the key. List positions are left out. */
  readonly path: readonly string[]
  /** The decoded text, or the number as it is written. */
  readonly value: string
}

/** A new string, or a number as it is written. */
export type JsonEdit = string | { readonly number: string }

/** Strings, numbers, and the bytes of structure. Literals and white space are skipped. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\],:]/g

/**
 * Calls `edit` for each key, string and number. The token becomes the returned value, unless it is `undefined`.
 * @param text valid JSON
 */
export function editJson(text: string, edit: (token: JsonToken) => JsonEdit | undefined): string {
  /** The key of each object around the position. `undefined` for a list. */
  const keys: (string | undefined)[] = []
  let expectsKey = false
  let out = ''
  let copied = 0
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token.length === 1 && STRUCTURE.includes(token)) {
      if (token === '{') keys.push('')
      else if (token === '[') keys.push(undefined)
      else if (token === '}' || token === ']') keys.pop()
      expectsKey = (token === '{' || token === ',') && keys.at(-1) !== undefined
      continue
    }
    const isString = token.startsWith('"')
    const value = isString ? decode(token) : token
    const kind = isString ? (expectsKey ? 'key' : 'string') : 'number'
    const path = (expectsKey ? keys.slice(0, -1) : keys).filter((key) => key !== undefined)
    if (expectsKey) keys[keys.length - 1] = value
    expectsKey = false
    const edited = edit({ kind, path, value })
    if (edited === undefined) continue
    out += text.slice(copied, index) + (typeof edited === 'string' ? JSON.stringify(edited) : edited.number)
    copied = index + token.length
  }
  return copied === 0 ? text : out + text.slice(copied)
}

const STRUCTURE = '{}[],:'

function decode(token: string): string {
  return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1)
}
