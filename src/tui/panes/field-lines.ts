// Builds the headings and the fields of a detail.

import { sanitizeLine } from '../../terminal/sanitize.ts'
import { displayWidth, pad } from '../../terminal/text-width.ts'
import type { FieldRow } from '../../view-model/detail/blocks.ts'
import type { StyledLines } from '../theme/styled-line.ts'

/** @param note text next to the heading, such as a date */
export function headingLines(text: string, note = ''): StyledLines {
  return [[], [[text, 'bold'], note === '' ? '' : [`  ${note}`, 'dim']]]
}

/** Limits the column of labels, because keys of metadata can have any length. */
const MAX_LABEL_WIDTH = 24

/** Shows one field per line. Values without visible characters are omitted. */
export function fieldLines(rows: readonly FieldRow[]): StyledLines {
  const shown = rows.filter(({ value }) => sanitizeLine(value) !== '')
  const labels = shown.map(({ label }) => sanitizeLine(label))
  const labelWidth = Math.min(MAX_LABEL_WIDTH, Math.max(0, ...labels.map(displayWidth)))
  return shown.map(({ value, tone }, index) => [
    [pad(labels[index] ?? '', labelWidth), 'dim'],
    '  ',
    [sanitizeLine(value), tone],
  ])
}
