import { pad } from '../../terminal/text-width.ts'
import { KEY_TABLE } from '../keys/key-table.ts'
import type { Size, State } from '../state/state.ts'
import { renderLine, type Span } from '../theme/styled-line.ts'
import type { Theme } from '../theme/theme.ts'
import { renderFrame } from './frame.ts'
import { contentHeight, contentWidth, isCompact } from './layout.ts'

const ROWS = Object.values(KEY_TABLE)

/** The width of a column of keys. */
const COLUMN_WIDTH = 80

/** Shows every key in as many columns as fit. The rest can be scrolled to. */
export function renderHelp({ size, overlay }: State, height: number, theme: Theme): readonly string[] {
  const width = contentWidth(size, size.columns)
  const columns = columnCount(size)
  const rowsPerColumn = Math.ceil(ROWS.length / columns)
  const columnWidth = Math.floor(width / columns)
  const first = overlay?.kind === 'help' ? overlay.scroll : 0
  const lines = Array.from({ length: contentHeight(size, height) }, (_, at) => {
    const spans = Array.from({ length: columns }, (_unused, column): readonly Span[] => {
      const row = first + at < rowsPerColumn ? ROWS[column * rowsPerColumn + first + at] : undefined
      return row === undefined
        ? [pad('', columnWidth)]
        : [[pad(row.shown, 12), 'accent'], pad(row.description, columnWidth - 12)]
    })
    return renderLine(spans.flat(), width, theme)
  })
  const more = first < helpScrollLimit({ size }) ? [[' more below ', 'warning'] satisfies Span] : []
  return renderFrame(lines, { left: [[' Keys ', 'selected']], right: [] }, { left: [], right: more }, size.columns, {
    style: 'accent',
    compact: isCompact(size),
    theme,
  })
}

/** Returns the last scroll position. */
export function helpScrollLimit({ size }: Pick<State, 'size'>): number {
  return Math.max(0, Math.ceil(ROWS.length / columnCount(size)) - contentHeight(size))
}

function columnCount({ columns }: Size): number {
  return Math.max(1, Math.floor((columns - 4) / COLUMN_WIDTH))
}
