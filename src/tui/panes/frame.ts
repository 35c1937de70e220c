// A frame around lines, with words in its upper and lower edge.
import { displayWidth, truncate } from '../../terminal/text-width.ts'
import { type Span, spansWidth } from '../theme/styled-line.ts'
import type { StyleName, Theme } from '../theme/theme.ts'

export interface Edge {
  readonly left: readonly Span[]
  readonly right: readonly Span[]
}

/** The lines must be `width - 4` wide. */
export function renderFrame(
  lines: readonly string[],
  top: Edge,
  bottom: Edge,
  width: number,
  style: StyleName,
  theme: Theme,
): readonly string[] {
  const { corners, vertical } = theme.symbols
  const side = theme[style](vertical)
  return [
    renderEdge(corners[0], corners[1], top, width, style, theme),
    ...lines.map((text) => `${side} ${text} ${side}`),
    renderEdge(corners[2], corners[3], bottom, width, style, theme),
  ]
}

function renderEdge(
  begin: string,
  end: string,
  { left, right }: Edge,
  width: number,
  style: StyleName,
  theme: Theme,
): string {
  const { horizontal } = theme.symbols
  const paint = theme[style]
  const room = width - 4
  const wideLeft = Math.min(spansWidth(left), room)
  const shownRight = spansWidth(right) + wideLeft + 1 <= room ? right : []
  const between = horizontal.repeat(Math.max(0, room - wideLeft - spansWidth(shownRight)))
  return `${paint(begin + horizontal)}${renderSpans(left, room, theme)}${paint(between)}${renderSpans(shownRight, room, theme)}${paint(horizontal + end)}`
}

function renderSpans(parts: readonly Span[], width: number, theme: Theme): string {
  let room = width
  return parts
    .map((part) => {
      const [text, style] = typeof part === 'string' ? ([part, 'plain'] as const) : part
      const fitting = truncate(text, room)
      room -= displayWidth(fitting)
      return fitting === '' ? '' : theme[style](fitting)
    })
    .join('')
}
