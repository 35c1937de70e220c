// Finds values by their names in any text, also if it is cut off or not valid: JSON, forms, XML, parts of forms, logs.
import { createTextPairs } from './text-pairs.ts'

/** Returns how a value of this name is replaced, or `undefined` to keep it. */
export type NamedEdit = (name: string) => ((value: string) => string) | undefined

interface Span {
  readonly start: number
  readonly end: number
  /** The text that replaces the span. */
  readonly text: string
}

const QUOTED = String.raw`\\*["'](?<quoted>(?:[^"'\\\r\n]|\\u[\da-f]{4}){1,80})\\*["']\s*(?::|=>?)\s*`
const PART = String.raw`;[ \t]*name="?(?<part>[^";\r\n]{1,80})"?[^\r\n]{0,500}(?:\r?\n[^\r\n]{1,500}){0,9}\r?\n\r?\n`
const ELEMENT = String.raw`<(?:[\w.-]{1,40}:)?(?<element>[\p{L}_][\p{L}\d_.-]{0,79})(?=[\s>])`
const PLAIN = String.raw`(?<![\p{L}\d_-])(?<plain>[\p{L}_][\p{L}\d_.%[\]-]{0,79})[ \t]*(?<sign>[:=])[ \t]*`
const NAMES = `${QUOTED}|${PART}|${ELEMENT}|${PLAIN}`

/**
 * Replaces the values that have a name. All other characters stay as they are.
 * @param isBody whether a line such as `password: abc` is a field. In a message it is often a sentence about the field.
 */
export function editNamedValues(text: string, edit: NamedEdit, isBody: boolean): string {
  const names = new RegExp(NAMES, 'giu')
  const pairs = createTextPairs(text)
  let out = ''
  let copied = 0
  for (let found = names.exec(text); found !== null; found = names.exec(text)) {
    const { quoted, part, element, plain } = found.groups as Record<string, string | undefined>
    const at = names.lastIndex
    const name = plainName(quoted ?? part ?? element ?? plain ?? '')
    const label = part === undefined && element === undefined ? pairs.labelOf(name, found.index, at) : undefined
    const replace = label === undefined ? edit(name) : edit(plainName(label.name))
    if (replace === undefined) continue
    const span =
      label?.isContent === true
        ? contentAt(text, label.end, replace, (tag) => tag)
        : quoted !== undefined
          ? (stringAt(text, at, replace) ?? listAt(text, at, replace) ?? literalAt(text, at, replace))
          : part !== undefined
            ? partAt(text, at, replace)
            : element !== undefined
              ? contentAt(text, at, replace, (attributes) => editNamedValues(attributes, edit, isBody))
              : (stringAt(text, at, replace) ?? plainAt(text, found, replace, { isBody, isPair: label !== undefined }))
    if (span === undefined) continue
    out += text.slice(copied, span.start) + span.text
    copied = span.end
    names.lastIndex = span.end
  }
  return copied === 0 ? text : out + text.slice(copied)
}

type Replace = (value: string) => string

/** `data[user][password]` is `password`. */
function plainName(name: string): string {
  const decoded = percentDecoded(unescaped(name))
  return /\[([^[\]]+)\]$/.exec(decoded)?.[1] ?? decoded
}

/** A string in quotes, which may be escaped or cut off. */
function stringAt(text: string, at: number, replace: Replace): Span | undefined {
  const [opening, slashes = '', quote = ''] = matchAt(/(\\*)(["'])/y, text, at) ?? []
  if (opening === undefined) return undefined
  const start = at + opening.length
  const end =
    slashes === ''
      ? start +
        (matchAt(quote === '"' ? /[^"\\]*(?:\\[\s\S][^"\\]*)*/y : /[^'\\]*(?:\\[\s\S][^'\\]*)*/y, text, start)?.[0]
          .length ?? 0)
      : endOf(new RegExp(String.raw`(?<!\\)\\{${slashes.length}}${quote}`, 'g'), text, start)
  const raw = text.slice(start, end)
  const value = unescaped(raw)
  const after = replace(value)
  return { start, end, text: after === value ? raw : JSON.stringify(after).slice(1, -1) }
}

/** A list of strings and numbers. */
function listAt(text: string, at: number, replace: Replace): Span | undefined {
  const list = matchAt(/\[[^[\]{}]*/y, text, at)?.[0]
  if (list === undefined) return undefined
  const edited = list.replace(/"([^"\\]*(?:\\[\s\S][^"\\]*)*)"?|[^\s",[]+/g, (item, string: string | undefined) =>
    JSON.stringify(replace(unescaped(string ?? item))),
  )
  return { start: at, end: at + list.length, text: edited }
}

/** A number. Literals and the beginnings of objects are kept. */
function literalAt(text: string, at: number, replace: Replace): Span | undefined {
  const raw = matchAt(/(?!(?:true|false|null)\b)[^\s,{}[\]]+/y, text, at)?.[0]
  if (raw === undefined) return undefined
  const after = replace(raw)
  return { start: at, end: at + raw.length, text: after === raw ? raw : JSON.stringify(after) }
}

/** The value of a part of a form, up to the next boundary. */
function partAt(text: string, start: number, replace: Replace): Span {
  const end = endOf(/\r?\n--/g, text, start)
  return { start, end, text: replace(text.slice(start, end)) }
}

/** The text of an XML element. */
function contentAt(text: string, at: number, replace: Replace, inTag: Replace): Span | undefined {
  const tag = matchAt(/[^<>]*>\s*(?:<!\[CDATA\[)?/y, text, at)?.[0]
  if (tag === undefined || /\/>\s*$/.test(tag)) return undefined
  const start = at + tag.length
  const end = tag.endsWith('[CDATA[') ? endOf(/\]\]>/g, text, start) : endOf(/</g, text, start)
  return { start: at, end, text: inTag(tag) + replace(text.slice(start, end)) }
}

/** A value without quotes: the rest of a line, or up to the next space. */
function plainAt(
  text: string,
  found: RegExpExecArray,
  replace: Replace,
  { isBody, isPair }: { readonly isBody: boolean; readonly isPair: boolean },
): Span | undefined {
  const at = found.index + found[0].length
  const before = text.slice(Math.max(0, found.index - 1), found.index)
  const isField = found.groups?.['sign'] === '='
  const isLine = /^[\r\n]?$/.test(before) && (isField || isBody)
  const raw = matchAt(isLine ? /[^&\r\n]*/y : /[^\s&"'<>\\]*/y, text, at)?.[0] ?? ''
  // After a colon there may be a sentence about the field.
  if (!isField && !isLine && !isPair && !/\d|.{16}/.test(raw)) return undefined
  const value = percentDecoded(raw)
  const after = replace(value)
  const isQuery = /[?&;#]/.test(before) || raw.includes('%')
  return { start: at, end: at + raw.length, text: after === value ? raw : isQuery ? encodeURIComponent(after) : after }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Returns the position of the first match, or the end of the text. */
function endOf(pattern: RegExp, text: string, at: number): number {
  return matchAt(pattern, text, at)?.index ?? text.length
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}

export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
