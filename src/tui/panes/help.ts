import { fill } from '../../terminal/cell-text.ts'
import { KEY_TABLE } from '../keys/key-table.ts'
import { line, type Part } from '../looks/line.ts'
import type { Looks } from '../looks/looks.ts'
import type { State } from '../state/state.ts'
import { frame } from './frame.ts'

/** Every key, in two columns where there is room, or in as many rows as fit. */
export function help({ size }: State, height: number, looks: Looks): readonly string[] {
  const width = size.columns - 4
  const rows = Object.values(KEY_TABLE)
  const room = height - 2
  const sets = Math.min(Math.ceil(rows.length / room), Math.max(1, Math.floor(width / 40)))
  const each = Math.ceil(rows.length / sets)
  const wide = Math.floor(width / sets)
  const lines = Array.from({ length: room }, (_, at) => {
    const parts = Array.from({ length: sets }, (_unused, set): readonly Part[] => {
      const row = at < each ? rows[set * each + at] : undefined
      return row === undefined ? [fill('', wide)] : [[fill(row.shown, 12), 'name'], fill(row.about, wide - 12)]
    })
    return line(parts.flat(), width, looks)
  })
  return frame(lines, { left: [[' Keys ', 'chosen']], right: [] }, { left: [], right: [] }, size.columns, 'name', looks)
}
