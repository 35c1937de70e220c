// Finds pairs such as `name="password" value="…"` in a text that is not valid JSON.
import { isLabelField, isValueField } from './json-pairs.ts'

export interface PairLabel {
  /** The name of the value. */
  readonly name: string
  /** Whether the value is the content of the XML element around the position. */
  readonly isContent: boolean
  /** The end of the name in the text. */
  readonly end: number
}

export interface TextPairs {
  /**
   * Returns the name that another field gives to the value. Fields are visited in the order of the text.
   * @param at the position of the value
   */
  labelOf(field: string, start: number, at: number): PairLabel | undefined
}

/** A value in quotes, which may be escaped, or a word. */
const VALUE = /(?:\\*["'](?<quoted>[^"'\\\r\n<>]{1,80})\\*["']|(?<word>[\p{L}\d_.-]{1,80}))/uy

/** The text between the two fields of a pair. */
const BETWEEN = /^[^{}<>]{0,120}$/

/** The name after a value: `, "name": `. */
const NAME_AFTER =
  /[\s,;]{1,40}(?:\\*["']?type\\*["']?\s*[:=]\s*\\*["'][^"'\\]{0,40}\\*["'][\s,;]{1,40})?\\*["']?(?<field>[A-Za-z_]{1,12})\\*["']?\s*[:=]\s*/y

/** The end of a start tag that has content. */
const TAG_END = /[^<>]{0,500}(?<!\/)>(?=[^<])/y

export function createTextPairs(text: string): TextPairs {
  let last: { readonly name: string; readonly end: number } | undefined
  return {
    labelOf(field, start, at) {
      if (isLabelField(field)) {
        const found = valueAt(text, at)
        if (found === undefined) return undefined
        last = found
        const isContent = text.charAt(start - 1).trim() === '' && matchAt(TAG_END, text, found.end) !== null
        return isContent && isInTag(text, start) ? { ...found, isContent } : undefined
      }
      if (!isValueField(field)) return undefined
      const before = last !== undefined && BETWEEN.test(text.slice(last.end, start)) ? last : undefined
      last = undefined
      const found = before ?? nameAfter(text, at)
      return found === undefined ? undefined : { ...found, isContent: false }
    },
  }
}

function nameAfter(text: string, at: number) {
  const value = valueAt(text, at)
  const next = value === undefined ? null : matchAt(NAME_AFTER, text, value.end)
  if (next === null || !isLabelField(next.groups?.['field'] ?? '')) return undefined
  return valueAt(text, next.index + next[0].length)
}

function valueAt(text: string, at: number) {
  const found = matchAt(VALUE, text, at)
  if (found === null) return undefined
  return { name: found.groups?.['quoted'] ?? found.groups?.['word'] ?? '', end: at + found[0].length }
}

/** Whether the position is between `<` and `>`. */
function isInTag(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 200), at)
  return before.lastIndexOf('<') > before.lastIndexOf('>')
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
