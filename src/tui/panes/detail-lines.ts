// The detail of a row as styled lines.

import { formatApproxDuration } from '../../domain/time-text.ts'
import { sanitizeLine } from '../../terminal/sanitize.ts'
import { displayWidth, pad } from '../../terminal/text-width.ts'
import type {
  Block,
  DetailView,
  FieldRow,
  Missing,
  StepBlock,
  StyledText,
  TimelineBlock,
} from '../../view-model/detail/blocks.ts'
import { chooseTimeFormat, formatDate, spansDays, type TimeFormat } from '../../view-model/time-format.ts'
import type { Span, StyledLines } from '../theme/styled-line.ts'
import { type Symbols, statusText } from '../theme/theme.ts'
import { attemptsLines, eventLines, wrapSpans } from './attempt-lines.ts'
import { bodyLines, type LineContext, messageLines } from './json-lines.ts'

export function detailLines(view: DetailView, context: LineContext): StyledLines {
  const note = sanitizeLine(view.note)
  return [
    ...(view.problem === undefined ? [] : [[[sanitizeLine(view.problem), 'failure'] as const], []]),
    [[sanitizeLine(view.title), 'bold'], note === '' ? '' : `  ${note}`],
    ...(view.summary.length === 0 ? [] : [textSpans(view.summary, context.symbols)]),
    ...view.blocks.flatMap((block) => blockLines(block, context)),
  ]
}

function blockLines(block: Block, context: LineContext): StyledLines {
  switch (block.kind) {
    case 'fields':
      return [...headingLines(block.title), ...fieldLines(block.rows)]
    case 'lines':
      return [
        ...headingLines(block.title),
        ...block.lines.flatMap((texts) => wrapSpans(textSpans(texts, context.symbols), context.width)),
      ]
    case 'timeline':
      return timelineLines(block, context.symbols)
    case 'webhooks':
      return [...headingLines(block.title), ...eventLines(block, context)]
    case 'attempts': {
      const instants = block.attempts.map(({ at }) => at)
      return [
        ...headingLines(block.title, spansDays(instants) ? '' : formatDate(instants[0] ?? '')),
        ...(block.missing === undefined
          ? attemptsLines(block.attempts, chooseTimeFormat(instants), '', context)
          : [missingLine(block.missing)]),
      ]
    }
    case 'body':
      return [
        ...headingLines(block.title),
        ...(typeof block.body === 'string'
          ? [missingLine(block.body)]
          : bodyLines(block.body, '', context, block.title)),
      ]
    case 'json':
      return [[], ...messageLines(block.text, context)]
  }
}

/** @param note text next to the heading, such as a date */
function headingLines(text: string, note = ''): StyledLines {
  return [[], [[text, 'bold'], note === '' ? '' : [`  ${note}`, 'dim']]]
}

/** Limits the column of labels, because keys of metadata can have any length. */
const MAX_LABEL_WIDTH = 24

/** Shows one field per line. Values without visible characters are omitted. */
function fieldLines(rows: readonly FieldRow[]): StyledLines {
  const shown = rows.filter(({ value }) => sanitizeLine(value) !== '')
  const labels = shown.map(({ label }) => sanitizeLine(label))
  const labelWidth = Math.min(MAX_LABEL_WIDTH, Math.max(0, ...labels.map(displayWidth)))
  return shown.map(({ value, tone }, index) => [
    [pad(labels[index] ?? '', labelWidth), 'dim'],
    '  ',
    [sanitizeLine(value), tone],
  ])
}

function textSpans(texts: readonly StyledText[], symbols: Symbols): readonly Span[] {
  return texts.map(({ text, tone, isStatus }, index): Span => {
    const shown = isStatus === true ? statusText(text, symbols) : sanitizeLine(text)
    return [`${index === 0 ? '' : '  '}${shown}`, tone]
  })
}

function missingLine(missing: Missing): readonly Span[] {
  return [[missing === 'loading' ? 'loading' : 'no longer available', 'dim']]
}

function timelineLines({ title, steps, missing }: TimelineBlock, symbols: Symbols): StyledLines {
  const instants = steps.map(({ at }) => at)
  const formatTime = chooseTimeFormat(instants)
  const lines = steps.map((step) => stepLine(step, symbols, formatTime))
  const heading = headingLines(title, spansDays(instants) ? '' : formatDate(instants[0] ?? ''))
  if (missing === undefined) return [...heading, ...lines]
  const note = missing === 'loading' ? 'loading steps between these' : 'steps between these are no longer available'
  return [...heading, ...lines.slice(0, 1), [[`          ${note}`, 'dim']], ...lines.slice(1)]
}

function stepLine(
  { at, label, status, tone, details, gap }: StepBlock,
  symbols: Symbols,
  formatTime: TimeFormat,
): readonly Span[] {
  return [
    [`${formatTime(at)}  `, 'dim'],
    [statusText(status, symbols).replace(status, label), tone],
    details === '' ? '' : [`  ${sanitizeLine(details)}`, 'dim'],
    [gap > 0 ? `  +${formatGap(gap)}` : '', 'dim'],
  ]
}

function formatGap(ms: number): string {
  // Approximate durations are rounded to seconds up to here, but the times of the steps have milliseconds.
  return ms < 120_000 ? `${(ms / 1000).toFixed(ms % 1000 === 0 ? 0 : 3)} s` : formatApproxDuration(ms)
}
