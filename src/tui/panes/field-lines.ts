// Pieces every detail is made of: headings, fields, bytes.

import { sanitizeText } from '../../terminal/sanitize.ts'
import { displayWidth, hardWrap, pad } from '../../terminal/text-width.ts'
import { type Span, type StyledLines, sanitizeValue } from '../theme/styled-line.ts'
import type { StyleName } from '../theme/theme.ts'

/** @param beside what it holds for, such as a date */
export function headingLines(text: string, beside = ''): StyledLines {
  return [[], [[text, 'bold'], beside === '' ? '' : [`  ${beside}`, 'dim']]]
}

/** Keys of metadata may be of any length. */
const MAX_TITLE_WIDTH = 24

export type FieldRow = readonly [title: string, value: string | number | null | undefined, style?: StyleName]

/** A field per line; those with nothing to say are left out. */
export function fieldLines(rows: readonly FieldRow[]): StyledLines {
  const shown = rows.filter(([, value]) => sanitizeValue(value) !== '')
  const wide = Math.min(MAX_TITLE_WIDTH, Math.max(0, ...shown.map(([title]) => displayWidth(title))))
  return shown.map(([title, value, style = 'plain']) => [
    [pad(title, wide), 'dim'],
    '  ',
    [sanitizeValue(value), style],
  ])
}

/** Bytes shown of one body; `psp webhooks deliveries get` and `psp logs` show all of them. */
const MAX_BODY_LENGTH = 16 * 1024

/** A body: JSON is indented, and says that it travelled on one line; else as it was, cut where the line is full. */
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
    : [...lines, [[`${indent}… ${text.length} characters in all`, 'dim']]]
}

/** JSON text, indented; text that is none, as it is. */
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
