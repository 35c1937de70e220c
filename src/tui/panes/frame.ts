// Draws a frame around lines, with text in its upper and lower edge.
import { renderSpans, type Span, spansWidth } from '../theme/styled-line.ts'
import type { StyleName, Theme } from '../theme/theme.ts'

export interface Edge {
  readonly left: readonly Span[]
  readonly right: readonly Span[]
}

export interface FrameStyle {
  readonly style: StyleName
  /** A compact frame has only an upper edge. */
  readonly compact: boolean
  readonly theme: Theme
}

/** @param lines each exactly as wide as the content of the frame */
export function renderFrame(
  lines: readonly string[],
  top: Edge,
  bottom: Edge,
  width: number,
  frame: FrameStyle,
): readonly string[] {
  const { style, compact, theme } = frame
  const { corners, horizontal, vertical } = theme.symbols
  if (compact) {
    const right = spansWidth(top.right) > 0 ? top.right : bottom.right
    return [renderEdge(horizontal, horizontal, { left: top.left, right }, width, frame), ...lines]
  }
  const side = theme[style](vertical)
  return [
    renderEdge(corners[0], corners[1], top, width, frame),
    ...lines.map((text) => `${side} ${text} ${side}`),
    renderEdge(corners[2], corners[3], bottom, width, frame),
  ]
}

export function renderEdge(
  leftCorner: string,
  rightCorner: string,
  { left, right }: Edge,
  width: number,
  { style, theme }: Omit<FrameStyle, 'compact'>,
): string {
  const { horizontal } = theme.symbols
  const applyStyle = theme[style]
  const rest = width - 4
  const leftWidth = Math.min(spansWidth(left), rest)
  const shownRight = spansWidth(right) + leftWidth + 1 <= rest ? right : []
  const between = horizontal.repeat(Math.max(0, rest - leftWidth - spansWidth(shownRight)))
  return `${applyStyle(leftCorner + horizontal)}${renderSpans(left, rest, theme)}${applyStyle(between)}${renderSpans(shownRight, rest, theme)}${applyStyle(horizontal + rightCorner)}`
}
