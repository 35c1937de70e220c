// Builds the parts of a detail: headings, fields and bodies.

import { sanitizeText } from '../../terminal/sanitize.ts'
import { displayWidth, hardWrap, pad } from '../../terminal/text-width.ts'
import type { BodyContent, FieldRow } from '../../view-model/detail/blocks.ts'
import { type Span, type StyledLines, sanitizeValue } from '../theme/styled-line.ts'

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
export function bodyLines(body: BodyContent, indent: string, width: number): StyledLines {
  const text = body.isBase64 ? `base64 ${body.text}` : body.text
  if (text === '') return [[[`${indent}(no body)`, 'dim']]]
  const readable = indentJson(text)
  const shown = hardWrap(sanitizeText(readable.slice(0, MAX_BODY_LENGTH)).replaceAll('\t', '  '), width - indent.length)
  const note: StyledLines =
    readable === text || text.includes('\n') ? [] : [[[`${indent}(indented here: the bytes are one line)`, 'dim']]]
  const lines = [...note, ...shown.map((piece): readonly Span[] => [`${indent}${piece}`])]
  return readable.length <= MAX_BODY_LENGTH
    ? lines
    : [...lines, [[`${indent}(${text.length} characters in total)`, 'dim']]]
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
