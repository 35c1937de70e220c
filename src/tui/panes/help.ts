import { pad } from '../../terminal/text-width.ts'
import { KEY_TABLE } from '../keys/key-table.ts'
import { line, type Part } from '../looks/line.ts'
import type { Looks } from '../looks/looks.ts'
import type { Size, State } from '../state/state.ts'
import { frame } from './frame.ts'
import { bodyHeight } from './geometry.ts'

const ROWS = Object.values(KEY_TABLE)

/** Columns of the screen that a row of the table takes. */
const WIDE = 80

/** Every key, in as many columns as there is room for; what does not fit is scrolled to. */
export function help({ size, overlay }: State, height: number, looks: Looks): readonly string[] {
  const width = size.columns - 4
  const sets = setsOf(size)
  const each = Math.ceil(ROWS.length / sets)
  const wide = Math.floor(width / sets)
  const first = overlay?.kind === 'help' ? overlay.scroll : 0
  const lines = Array.from({ length: height - 2 }, (_, at) => {
    const parts = Array.from({ length: sets }, (_unused, set): readonly Part[] => {
      const row = first + at < each ? ROWS[set * each + first + at] : undefined
      return row === undefined ? [pad('', wide)] : [[pad(row.shown, 12), 'name'], pad(row.about, wide - 12)]
    })
    return line(parts.flat(), width, looks)
  })
  const more = first < helpLimit({ size }) ? [[' more below ', 'odd'] satisfies Part] : []
  return frame(
    lines,
    { left: [[' Keys ', 'chosen']], right: [] },
    { left: [], right: more },
    size.columns,
    'name',
    looks,
  )
}

/** The farthest one can scroll. */
export function helpLimit({ size }: Pick<State, 'size'>): number {
  return Math.max(0, Math.ceil(ROWS.length / setsOf(size)) - (bodyHeight(size) - 2))
}

function setsOf({ columns }: Size): number {
  return Math.max(1, Math.floor((columns - 4) / WIDE))
}
