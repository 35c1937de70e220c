// Builds the parts of a detail: headings, fields and bodies.

import { sanitizeText } from '../../terminal/sanitize.ts'
import { displayWidth, hardWrap, pad } from '../../terminal/text-width.ts'
import { type Span, type StyledLines, sanitizeValue } from '../theme/styled-line.ts'
import type { StyleName } from '../theme/theme.ts'

/** @param note text next to the heading, such as a date */
export function headingLines(text: string, note = ''): StyledLines {
  return [[], [[text, 'bold'], note === '' ? '' : [`  ${note}`, 'dim']]]
}

/** Limits the column of titles, because keys of metadata can have any length. */
const MAX_TITLE_WIDTH = 24

export type FieldRow = readonly [title: string, value: string | number | null | undefined, style?: StyleName]

/** Shows one field per line. Empty fields are omitted. */
export function fieldLines(rows: readonly FieldRow[]): StyledLines {
  const shown = rows.filter(([, value]) => sanitizeValue(value) !== '')
  const titleWidth = Math.min(MAX_TITLE_WIDTH, Math.max(0, ...shown.map(([title]) => displayWidth(title))))
  return shown.map(([title, value, style = 'plain']) => [
    [pad(title, titleWidth), 'dim'],
    '  ',
    [sanitizeValue(value), style],
  ])
}

/** The maximum number of characters shown. `psp webhooks deliveries get` and `psp logs` show the whole body. */
const MAX_BODY_LENGTH = 16 * 1024

/** Shows a body. JSON is indented, with a note if it was sent on one line. Other text is wrapped at `width`. */
export function bodyLines(
  body: { body?: string | null; body_b64?: string } | null | undefined,
  indent: string,
  width: number,
): StyledLines {
  const text = body?.body ?? (body?.body_b64 === undefined ? '' : `base64 ${body.body_b64}`)
  if (text === '') return [[[`${indent}(no body)`, 'dim']]]
  const readable = indentJson(text)
  const shown = hardWrap(sanitizeText(readable.slice(0, MAX_BODY_LENGTH)).replaceAll('\t', '  '), width - indent.length)
  const note: StyledLines =
    readable === text || text.includes('\n') ? [] : [[[`${indent}(indented here: the bytes are one line)`, 'dim']]]
  const lines = [...note, ...shown.map((piece): readonly Span[] => [`${indent}${piece}`])]
  return readable.length <= MAX_BODY_LENGTH
    ? lines
    : [...lines, [[`${indent}… ${text.length} characters in total`, 'dim']]]
}

/** Shows indented JSON, or the text unchanged if it is not JSON. */
export function jsonLines(text: string, width: number): StyledLines {
  return hardWrap(sanitizeText(indentJson(text)), width).map((piece) => [piece])
}

function indentJson(text: string): string {
  try {
    return /^\s*[[{]/.test(text) ? JSON.stringify(JSON.parse(text), null, 2) : text
  } catch {
    return text
  }
}
