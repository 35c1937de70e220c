// Replaces single values in a JSON text. All other bytes stay as they are.

/** A key, a string or a number in a JSON text. */
export interface JsonToken {
  readonly kind: 'key' | 'string' | 'number'
  /** The keys above the value, or above the key. List positions are left out. */
  readonly path: readonly string[]
  /** Like `path`, but the value of a pair has the name of the pair: `password` in `{"name":"password","value":"…"}`. */
  readonly pathWithPairNames: readonly string[]
  /** The decoded text, or the number as it is written. */
  readonly value: string
}

/** A new string, or a number as it is written. */
export type JsonEdit = string | { readonly number: string }

/** The start of a string, a number, or a byte of structure. Literals and white space are skipped. */
const TOKEN = /"|-?\d[\d.eE+-]*|[{}[\],:]/g

/**
 * Calls `edit` for each key, string and number. The token becomes the returned value, unless it is `undefined`.
 * @param text valid JSON
 */
export function editJson(text: string, edit: (token: JsonToken) => JsonEdit | undefined): string {
  const names = MAY_HAVE_PAIRS.test(text) ? pairNames(text) : new Map<number, string>()
  let out = ''
  let copied = 0
  for (const { token, index, kind, value, parents } of tokensOf(text)) {
    const path = parents.flatMap(({ key }) => key ?? [])
    const pathWithPairNames =
      names.size === 0 ? path : parents.flatMap((parent) => pairName(parent, names) ?? parent.key ?? [])
    const edited = edit({ kind, path, pathWithPairNames, value })
    if (edited === undefined) continue
    out += text.slice(copied, index) + (typeof edited === 'string' ? JSON.stringify(edited) : edited.number)
    copied = index + token.length
  }
  return copied === 0 ? text : out + text.slice(copied)
}

/** An object or a list around a token. */
interface Container {
  /** The position of its first character. */
  readonly start: number
  readonly isList: boolean
  /** The number of commas before the token in this container. */
  position: number
  /** The key of the token. `undefined` for a list. */
  key: string | undefined
}

interface PlacedToken extends Pick<JsonToken, 'kind' | 'value'> {
  readonly token: string
  readonly index: number
  /** Valid until the next token. For a key, without the object that contains it. */
  readonly parents: readonly Container[]
}

function* tokensOf(text: string): Generator<PlacedToken> {
  const open: Container[] = []
  let expectsKey = false
  const tokens = new RegExp(TOKEN)
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    const { 0: start, index } = found
    const isString = start === '"'
    if (isString) tokens.lastIndex = endOfString(text, index)
    const token = isString ? text.slice(index, tokens.lastIndex) : start
    const parent = open.at(-1)
    if (STRUCTURE.includes(token)) {
      if (token === '{' || token === '[') {
        const isList = token === '['
        open.push({ start: index, isList, position: 0, key: isList ? undefined : '' })
      } else if (token === '}' || token === ']') open.pop()
      else if (token === ',' && parent !== undefined) parent.position++
      expectsKey = (token === '{' || token === ',') && open.at(-1)?.isList === false
      continue
    }
    const value = isString ? decode(token) : token
    const kind = isString ? (expectsKey ? 'key' : 'string') : 'number'
    if (expectsKey && parent !== undefined) parent.key = value
    yield { token, index, kind, value, parents: expectsKey ? open.slice(0, -1) : open }
    expectsKey = false
  }
}

/** The keys of a name-value pair in an object: `{"name":"password","value":"…"}`. */
const NAME_KEY = /^(?:name|key|field|label|param|parameter|header|attribute|property|option|variable|k|n)$/i
const VALUE_KEY = /^(?:\w{1,20}_?)?(?:value|val|v|content|data|text|values)$/i
const MAY_HAVE_PAIRS = new RegExp(String.raw`"(?:${NAME_KEY.source.slice(1, -1)})"\s*:|\[\s*\[\s*"`, 'i')

/** Returns the names of pairs by the position of their container. A pair in a list is a list: name, value. */
function pairNames(text: string): Map<number, string> {
  const names = new Map<number, string>()
  for (const { kind, value, parents } of tokensOf(text)) {
    const parent = parents.at(-1)
    if (kind !== 'string' || parent === undefined) continue
    const isName = parent.isList
      ? parent.position === 0 && parents.at(-2)?.isList === true
      : NAME_KEY.test(parent.key ?? '')
    if (isName && !names.has(parent.start)) names.set(parent.start, value)
  }
  return names
}

/** Returns the name of the pair if the token is in its value. */
function pairName({ start, isList, position, key }: Container, names: ReadonlyMap<number, string>): string | undefined {
  return (isList ? position > 0 : VALUE_KEY.test(key ?? '')) ? names.get(start) : undefined
}

const STRUCTURE = ['{', '}', '[', ']', ',', ':']

/** Returns the index after the closing quote. A regular expression would overflow the stack at many escapes. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) return at + 1
    if (char === BACKSLASH) at++
  }
  return text.length
}

const QUOTE = 34
const BACKSLASH = 92

function decode(token: string): string {
  return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1)
}
