// Replaces single values in a JSON text. All other bytes stay as they are.
import { createObjectNotes, isPairText } from './json-pairs.ts'

/** A key, a string or a number in a JSON text. */
export interface JsonToken {
  readonly kind: 'key' | 'string' | 'number'
  /** The keys above the value, or above the key. List positions are left out. */
  readonly path: readonly string[]
  /** The decoded text, or the number as it is written. */
  readonly value: string
  /** The name of a pair, for its value: `password` in `{"name":"password","value":"…"}`. */
  readonly label?: string | undefined
  /** Whether the object of the value also contains a phone, an email or the like. */
  readonly hasContact?: boolean | undefined
}

/** Strings, numbers, and the bytes of structure. Literals and white space are skipped. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\],:]/g

/**
 * Calls `edit` for each key, string and number. The token becomes the returned string, unless it is `undefined`.
 * @param text valid JSON
 */
export function editJson(text: string, edit: (token: JsonToken) => string | undefined): string {
  // The name of a pair may follow its value, so the objects are read first.
  const notes = createObjectNotes()
  if (isPairText(text)) walkJson(text, ({ kind, value, key, object }) => notes.add(object, kind, key, value))
  let out = ''
  let copied = 0
  walkJson(text, (token) => {
    const { kind, path, value, key, object, listLabel, index, length } = token
    const label = listLabel ?? notes.labelOf(object, key)
    const edited = edit({ kind, path, value, label, hasContact: notes.hasContact(object) })
    if (edited === undefined) return
    out += text.slice(copied, index) + JSON.stringify(edited)
    copied = index + length
  })
  return copied === 0 ? text : out + text.slice(copied)
}

interface PlacedToken extends JsonToken {
  /** The key of the value, or `undefined` for a key. */
  readonly key: string | undefined
  /** The number of the nearest object around the token, from 1. */
  readonly object: number
  /** The name that a list contains before the value. */
  readonly listLabel: string | undefined
  readonly index: number
  readonly length: number
}

/** An object or a list around the position. */
interface Frame {
  readonly isList: boolean
  readonly object: number
  /** The keys above the current value or key. */
  readonly above: readonly string[]
  /** The keys above the values of the frame. */
  path: readonly string[]
  /** The current key of an object. */
  key: string | undefined
  /** Whether the list is in a list, so that its items may be a name and a value. */
  readonly isPair: boolean
  /** Whether the list contains names and values of headers by turns. */
  readonly isHeaders: boolean
  at: number
  label: string | undefined
}

function outermost(): Frame {
  const none = { key: undefined, isPair: false, isHeaders: false, at: 0, label: undefined }
  return { isList: false, object: 0, above: [], path: [], ...none }
}

function walkJson(text: string, visit: (token: PlacedToken) => void): void {
  const frames: Frame[] = []
  let objects = 0
  let frame = outermost()
  let expectsKey = false
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const code = token.length === 1 ? token.charCodeAt(0) : 0
    if (code === OPEN_OBJECT || code === OPEN_LIST) {
      frames.push(frame)
      frame = openFrame(frame, code === OPEN_LIST, code === OPEN_LIST ? frame.object : ++objects)
      expectsKey = code === OPEN_OBJECT
      continue
    }
    if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      frame = frames.pop() ?? outermost()
      expectsKey = false
      continue
    }
    if (code === COMMA) {
      expectsKey = !frame.isList
      frame.at++
      continue
    }
    if (code === COLON) continue
    const isString = token.charCodeAt(0) === QUOTE
    const value = isString ? decode(token) : token
    const kind = isString ? (expectsKey ? 'key' : 'string') : 'number'
    if (expectsKey) {
      frame.key = value
      frame.path = [...frame.above, value]
    }
    const listLabel = frame.isList && kind !== 'key' ? listLabelOf(frame, isString ? value : undefined) : undefined
    visit({
      kind,
      path: expectsKey ? frame.above : frame.path,
      value,
      key: expectsKey ? undefined : frame.key,
      object: frame.object,
      listLabel,
      index,
      length: token.length,
    })
    expectsKey = false
  }
}

function openFrame(outer: Frame, isList: boolean, object: number): Frame {
  return {
    isList,
    object,
    above: outer.path,
    path: outer.path,
    key: isList ? outer.key : undefined,
    isPair: isList && outer.isList,
    isHeaders: isList && /headers$/i.test(outer.key ?? ''),
    at: 0,
    label: undefined,
  }
}

/** Returns the name before the value in a list. */
function listLabelOf(frame: Frame, value: string | undefined): string | undefined {
  if (!frame.isPair && !frame.isHeaders) return undefined
  const isName = frame.isPair ? frame.at === 0 : frame.at % 2 === 0
  if (!isName) return frame.label
  frame.label = value
  return undefined
}

const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST, COMMA, COLON, QUOTE] = [...'{}[],:"'].map((character) =>
  character.charCodeAt(0),
)

function decode(token: string): string {
  return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1)
}
