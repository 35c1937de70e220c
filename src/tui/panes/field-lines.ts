// Builds the parts of a detail: headings, fields and bodies.

import { sanitizeText } from '../../terminal/sanitize.ts'
import { displayWidth, hardWrap, pad } from '../../terminal/text-width.ts'
import type { BodyContent, FieldRow } from '../../view-model/detail/blocks.ts'
import { type Span, type StyledLines, sanitizeValue } from '../theme/styled-line.ts'
import type { StyleName } from '../theme/theme.ts'

/** @param note text next to the heading, such as a date */
export function headingLines(text: string, note = ''): StyledLines {
  return [[], [[text, 'bold'], note === '' ? '' : [`  ${note}`, 'dim']]]
}

/** Limits the column of labels, because keys of metadata can have any length. */
const MAX_LABEL_WIDTH = 24

/** Shows one field per line. Values without visible characters are omitted. */
export function fieldLines(rows: readonly FieldRow[]): StyledLines {
  const shown = rows.filter(({ value }) => sanitizeValue(value) !== '')
  const labels = shown.map(({ label }) => sanitizeValue(label))
  const labelWidth = Math.min(MAX_LABEL_WIDTH, Math.max(0, ...labels.map(displayWidth)))
  return shown.map(({ value, tone }, index) => [
    [pad(labels[index] ?? '', labelWidth), 'dim'],
    '  ',
    [sanitizeValue(value), tone],
  ])
}

/** The maximum number of characters shown. `psp webhooks deliveries get` and `psp logs` show the whole body. */
const MAX_BODY_LENGTH = 16 * 1024

/** Shows a body. JSON is indented, with a note if it was sent on one line. Other text is wrapped at `width`. */
export function bodyLines(body: BodyContent, indent: string, width: number, folds: boolean): StyledLines {
  const text = body.isBase64 ? `base64 ${body.text}` : body.text
  if (text === '') return [[[`${indent}(no body)`, 'dim']]]
  const readable = indentJson(text, folds)
  const shown = wrapJson(readable.slice(0, MAX_BODY_LENGTH), width - indent.length, readable !== text)
  const note: StyledLines =
    readable === text || text.includes('\n') ? [] : [[[`${indent}(indented here: the bytes are one line)`, 'dim']]]
  const lines = [...note, ...shown.map((spans): readonly Span[] => [indent, ...spans])]
  return readable.length <= MAX_BODY_LENGTH
    ? lines
    : [...lines, [[`${indent}(${text.length} characters in total)`, 'dim']]]
}

/** Shows indented JSON, or the text unchanged if it is not JSON. */
export function jsonLines(text: string, width: number, folds: boolean): StyledLines {
  return wrapJson(indentJson(text, folds), width, true)
}

/** @param folds shows each value of the outermost object in one line */
function indentJson(text: string, folds: boolean): string {
  try {
    if (!/^\s*[[{]/.test(text)) return text
    const value: unknown = JSON.parse(text)
    if (!folds || typeof value !== 'object' || value === null || Array.isArray(value))
      return JSON.stringify(value, null, 2)
    const entries = Object.entries(value).map(([key, each]) => `  ${JSON.stringify(key)}: ${foldValue(each)}`)
    return `{\n${entries.join(',\n')}\n}`
  } catch {
    return text
  }
}

function foldValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[ … ${value.length} ]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const keys = Object.keys(value)
  return keys.length === 0 ? '{}' : `{ ${keys.join(', ')} }`
}

/** Colours each line of JSON, and wraps it without losing a character. */
function wrapJson(text: string, width: number, isJson: boolean): readonly (readonly Span[])[] {
  return sanitizeText(text)
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap((line) => {
      const pieces = hardWrap(line, width)
      if (!isJson) return pieces.map((piece): readonly Span[] => [piece])
      if (pieces.length === 1) return [jsonSpans(line)]
      // A long value continues in its own style.
      const style = jsonSpans(line).findLast((span) => typeof span !== 'string')?.[1] ?? 'plain'
      const [head = '', ...more] = pieces
      return [jsonSpans(head), ...more.map((piece): readonly Span[] => [[piece, style as StyleName]])]
    })
}

// Indentation and key, then a text, a number or a word.
const JSON_LINE = /^(\s*)("(?:[^"\\]|\\.)*"(?=:))?(:\s?)?("(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*|true|false|null)?(.*)$/s

function jsonSpans(line: string): readonly Span[] {
  const [, space = '', key = '', colon = '', value = '', rest = ''] = JSON_LINE.exec(line) ?? []
  const style: StyleName = value.startsWith('"') ? 'success' : /^(?:true|false|null)$/.test(value) ? 'dim' : 'warning'
  return [space, [key, 'accent'], colon, [value, style], rest]
}
