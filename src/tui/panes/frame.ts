// A frame around lines, with words in its upper and lower edge.
import { displayWidth, truncate } from '../../terminal/text-width.ts'
import { type Part, widthOf } from '../looks/line.ts'
import type { LookName, Looks } from '../looks/looks.ts'

export interface Edge {
  readonly left: readonly Part[]
  readonly right: readonly Part[]
}

/** The lines must be `width - 4` wide. */
export function frame(
  lines: readonly string[],
  top: Edge,
  bottom: Edge,
  width: number,
  look: LookName,
  looks: Looks,
): readonly string[] {
  const { corners, down } = looks.marks
  const side = looks[look](down)
  return [
    edge(corners[0], corners[1], top, width, look, looks),
    ...lines.map((text) => `${side} ${text} ${side}`),
    edge(corners[2], corners[3], bottom, width, look, looks),
  ]
}

function edge(begin: string, end: string, { left, right }: Edge, width: number, look: LookName, looks: Looks): string {
  const { across } = looks.marks
  const paint = looks[look]
  const room = width - 4
  const wideLeft = Math.min(widthOf(left), room)
  const shownRight = widthOf(right) + wideLeft + 1 <= room ? right : []
  const between = across.repeat(Math.max(0, room - wideLeft - widthOf(shownRight)))
  return `${paint(begin + across)}${painted(left, room, looks)}${paint(between)}${painted(shownRight, room, looks)}${paint(across + end)}`
}

function painted(parts: readonly Part[], width: number, looks: Looks): string {
  let room = width
  return parts
    .map((part) => {
      const [text, look] = typeof part === 'string' ? ([part, 'plain'] as const) : part
      const fitting = truncate(text, room)
      room -= displayWidth(fitting)
      return fitting === '' ? '' : looks[look](fitting)
    })
    .join('')
}
