// Pieces every detail is made of: headings, fields, bytes.

import { sanitizeText } from '../../terminal/sanitize.ts'
import { displayWidth, hardWrap, pad } from '../../terminal/text-width.ts'
import { type Lines, type Part, stranger } from '../looks/line.ts'
import type { LookName } from '../looks/looks.ts'

/** @param beside what it holds for, such as a date */
export function heading(text: string, beside = ''): Lines {
  return [[], [[text, 'bold'], beside === '' ? '' : [`  ${beside}`, 'dim']]]
}

/** Keys of metadata may be of any length. */
const WIDEST_TITLE = 24

export type FieldRow = readonly [title: string, value: string | number | null | undefined, look?: LookName]

/** A field per line; those with nothing to say are left out. */
export function fields(rows: readonly FieldRow[]): Lines {
  const shown = rows.filter(([, value]) => stranger(value) !== '')
  const wide = Math.min(WIDEST_TITLE, Math.max(0, ...shown.map(([title]) => displayWidth(title))))
  return shown.map(([title, value, look = 'plain']) => [[pad(title, wide), 'dim'], '  ', [stranger(value), look]])
}

/** Bytes shown of one body; `psp webhooks deliveries get` and `psp logs` show all of them. */
const SHOWN = 16 * 1024

/** A body: JSON is indented, and says that it travelled on one line; else as it was, cut where the line is full. */
export function bodyLines(
  body: { body?: string | null; body_b64?: string } | null | undefined,
  indent: string,
  width: number,
): Lines {
  const text = body?.body ?? (body?.body_b64 === undefined ? '' : `base64 ${body.body_b64}`)
  if (text === '') return [[[`${indent}(no body)`, 'dim']]]
  const readable = indented(text)
  const shown = hardWrap(sanitizeText(readable.slice(0, SHOWN)).replaceAll('\t', '  '), width - indent.length)
  const note: Lines =
    readable === text || text.includes('\n') ? [] : [[[`${indent}(indented here: the bytes are one line)`, 'dim']]]
  const lines = [...note, ...shown.map((piece): readonly Part[] => [`${indent}${piece}`])]
  return readable.length <= SHOWN ? lines : [...lines, [[`${indent}… ${text.length} characters in all`, 'dim']]]
}

/** JSON text, indented; text that is none, as it is. */
export function jsonLines(text: string, width: number): Lines {
  return hardWrap(sanitizeText(indented(text)), width).map((piece) => [piece])
}

function indented(text: string): string {
  try {
    return /^\s*[[{]/.test(text) ? JSON.stringify(JSON.parse(text), null, 2) : text
  } catch {
    return text
  }
}
