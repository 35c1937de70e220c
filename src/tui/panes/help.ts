import { pad } from '../../terminal/text-width.ts'
import { KEY_TABLE } from '../keys/key-table.ts'
import type { Size, State } from '../state/state.ts'
import { renderLine, type Span } from '../theme/styled-line.ts'
import type { Theme } from '../theme/theme.ts'
import { renderFrame } from './frame.ts'
import { bodyHeight } from './layout.ts'

const ROWS = Object.values(KEY_TABLE)

/** Columns of the screen that a row of the table takes. */
const COLUMN_WIDTH = 80

/** Every key, in as many columns as there is room for; what does not fit is scrolled to. */
export function renderHelp({ size, overlay }: State, height: number, theme: Theme): readonly string[] {
  const width = size.columns - 4
  const sets = columnCount(size)
  const each = Math.ceil(ROWS.length / sets)
  const wide = Math.floor(width / sets)
  const first = overlay?.kind === 'help' ? overlay.scroll : 0
  const lines = Array.from({ length: height - 2 }, (_, at) => {
    const parts = Array.from({ length: sets }, (_unused, set): readonly Span[] => {
      const row = first + at < each ? ROWS[set * each + first + at] : undefined
      return row === undefined ? [pad('', wide)] : [[pad(row.shown, 12), 'accent'], pad(row.description, wide - 12)]
    })
    return renderLine(parts.flat(), width, theme)
  })
  const more = first < helpScrollLimit({ size }) ? [[' more below ', 'warning'] satisfies Span] : []
  return renderFrame(
    lines,
    { left: [[' Keys ', 'selected']], right: [] },
    { left: [], right: more },
    size.columns,
    'accent',
    theme,
  )
}

/** The farthest one can scroll. */
export function helpScrollLimit({ size }: Pick<State, 'size'>): number {
  return Math.max(0, Math.ceil(ROWS.length / columnCount(size)) - (bodyHeight(size) - 2))
}

function columnCount({ columns }: Size): number {
  return Math.max(1, Math.floor((columns - 4) / COLUMN_WIDTH))
}
