// Renders a screen line of an exact width from styled spans.

import { displayWidth, truncate } from '../../terminal/text-width.ts'
import type { StyleName, Theme } from './theme.ts'

/** @param node the id of the JSON value that the span folds and unfolds */
export type Span = string | readonly [text: string, style: StyleName, node?: string]

export type StyledLines = readonly (readonly Span[])[]

/** Truncates the spans to `width`. Their text must already be sanitized. */
export function renderSpans(spans: readonly Span[], width: number, theme: Theme): string {
  let rest = width
  let rendered = ''
  for (const span of spans) {
    const [text, style] = typeof span === 'string' ? ([span, 'plain'] as const) : span
    const truncated = truncate(text, rest)
    rest -= displayWidth(truncated)
    rendered += truncated === '' ? '' : theme[style](truncated)
  }
  return rendered
}

/** Like {@link renderSpans}, and pads the line to `width`. */
export function renderLine(spans: readonly Span[], width: number, theme: Theme): string {
  return renderSpans(spans, width, theme) + ' '.repeat(Math.max(0, width - spansWidth(spans)))
}

/** Renders `left` and right-aligned `right`. Omits `right` if there is no space for it. */
export function renderLineWithRight(
  left: readonly Span[],
  right: readonly Span[],
  width: number,
  theme: Theme,
): string {
  const rightWidth = spansWidth(right)
  if (spansWidth(left) + rightWidth + 1 > width) return renderLine(left, width, theme)
  return renderLine(left, width - rightWidth, theme) + renderLine(right, rightWidth, theme)
}

export function spansWidth(spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + displayWidth(typeof span === 'string' ? span : span[0]), 0)
}

/** Returns the id of the JSON value that begins in the line. */
export function nodeOf(spans: readonly Span[]): string | undefined {
  for (const span of spans) if (typeof span !== 'string' && span[2] !== undefined) return span[2]
  return undefined
}

/** Inverts the span of a JSON value. */
export function markNode(spans: readonly Span[], node: string | undefined): readonly Span[] {
  if (node === undefined) return spans
  return spans.map((span): Span => (typeof span !== 'string' && span[2] === node ? [span[0], 'selected'] : span))
}

export function lineText(spans: readonly Span[]): string {
  return spans.map((span) => (typeof span === 'string' ? span : span[0])).join('')
}

/**
 * Inverts each occurrence of a text.
 * @param wanted in lower case
 */
export function highlight(spans: readonly Span[], wanted: string): readonly Span[] {
  if (wanted === '') return spans
  return spans.flatMap((span): readonly Span[] => {
    const [text, style] = typeof span === 'string' ? ([span, 'plain'] as const) : span
    const lower = text.toLowerCase()
    // Some characters have a different length in lower case, so positions in the two strings differ.
    if (lower.length !== text.length || !lower.includes(wanted)) return [span]
    const pieces: Span[] = []
    let from = 0
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
      pieces.push([text.slice(from, at), style], [text.slice(at, at + wanted.length), 'selected'])
      from = at + wanted.length
    }
    return [...pieces, [text.slice(from), style]]
  })
}
