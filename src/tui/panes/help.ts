// Shows all keys.
import { pad } from '../../terminal/text-width.ts'
import { wrapWords } from '../../terminal/wrap-words.ts'
import { KEY_TABLE } from '../keys/key-table.ts'
import type { Size, State } from '../state/state.ts'
import { renderLine, type Span } from '../theme/styled-line.ts'
import type { Theme } from '../theme/theme.ts'
import { renderFrame } from './frame.ts'
import { contentHeight, contentWidth, isCompact } from './layout.ts'

/** In terminal columns. */
const MIN_COLUMN_WIDTH = 64

const KEYS_WIDTH = 12

type HelpLine = readonly Span[]

/** Shows every key by group, in as many columns as fit. The help scrolls if it is too high. */
export function renderHelp({ size, overlay }: State, height: number, theme: Theme): readonly string[] {
  const width = contentWidth(size, size.columns)
  const columns = helpColumns(size)
  const columnWidth = Math.floor(width / columns.length)
  const lastWidth = width - columnWidth * (columns.length - 1)
  const first = overlay?.kind === 'help' ? overlay.scroll : 0
  const lines = Array.from({ length: contentHeight(size, height) }, (_, at) =>
    columns
      .map((column, index) => {
        const spans = column[first + at] ?? []
        const isLast = index === columns.length - 1
        return isLast ? renderLine(spans, lastWidth, theme) : `${renderLine(spans, columnWidth - 2, theme)}  `
      })
      .join(''),
  )
  const more = first < helpScrollLimit({ size }) ? [[' more below ', 'warning'] satisfies Span] : []
  return renderFrame(lines, { left: [[' Keys ', 'selected']], right: [] }, { left: [], right: more }, size.columns, {
    style: 'accent',
    compact: isCompact(size),
    theme,
  })
}

export function helpScrollLimit({ size }: Pick<State, 'size'>): number {
  return Math.max(0, Math.max(...helpColumns(size).map(({ length }) => length)) - contentHeight(size))
}

/** Distributes the groups to columns of about the same height. A group stays in one column. */
function helpColumns(size: Size): readonly (readonly HelpLine[])[] {
  const width = contentWidth(size, size.columns)
  const count = Math.max(1, Math.floor(width / MIN_COLUMN_WIDTH))
  const groups = groupLines(Math.floor(width / count) - 2 - KEYS_WIDTH)
  const targetHeight = groups.reduce((sum, lines) => sum + lines.length, 0) / count
  const columns: HelpLine[][] = [[]]
  for (const lines of groups) {
    const last = columns.at(-1) ?? []
    if (last.length > 0 && last.length + lines.length / 2 > targetHeight && columns.length < count)
      columns.push([...lines])
    else last.push(...lines)
  }
  return columns
}

function groupLines(width: number): readonly (readonly HelpLine[])[] {
  const rows = Object.values(KEY_TABLE)
  const groups = [...new Set(rows.map(({ group }) => group))]
  return groups.map((group): readonly HelpLine[] => [
    [[group, 'bold']],
    ...rows
      .filter((row) => row.group === group)
      .flatMap(({ shown, description }) =>
        wrapWords(description, width).map(
          (text, at): HelpLine => [[pad(at === 0 ? shown : '', KEYS_WIDTH), 'accent'], text],
        ),
      ),
    [],
  ])
}
