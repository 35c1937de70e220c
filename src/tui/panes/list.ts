// The list of a pane: its columns, and of its rows only those that fit.
import { displayWidth, pad } from '../../terminal/text-width.ts'
import type { PaneName, Row } from '../state/rows.ts'
import { sandboxNow } from '../state/sandbox-clock.ts'
import type { State } from '../state/state.ts'
import { selectedIndex, visibleRows } from '../state/visible-rows.ts'
import { renderLine, type Span } from '../theme/styled-line.ts'
import type { Theme } from '../theme/theme.ts'
import { type CellContext, COLUMNS, type Column, cellText } from './columns.ts'
import { firstVisibleIndex } from './layout.ts'
import { chooseTimeFormat } from './time-format.ts'

/** `height` lines of `width` columns, the titles first. */
export function renderList(state: State, width: number, height: number, theme: Theme): readonly string[] {
  const { pane } = state
  const rows = visibleRows(state, pane)
  const room = height - 1
  const chosen = selectedIndex(state)
  const first = firstVisibleIndex(rows.length, chosen, room)
  const seen = rows.slice(first, first + room)
  const own = COLUMNS[pane] as readonly Column<Row>[]
  const now = sandboxNow(state)
  const at: CellContext = { now, formatTime: chooseTimeFormat([now, ...instantsOf(own, seen)]), symbols: theme.symbols }
  const columns = sizeColumns(own, width, seen, at)
  const lines = seen.map((row, index) => renderRow(row, first + index === chosen, columns, width, at, theme))
  const titles = columns.map((column): Span => [`${padCell(column.title, column)}  `, 'dim'])
  const empty = rows.length === 0 ? ['', ...emptyText(state).map((text) => `   ${text}`)] : []
  const body = [...lines, ...empty.map((text) => renderLine([[text, 'dim']], width, theme))]
  const blank = ' '.repeat(width)
  return [
    renderLine(['  ', ...titles], width, theme),
    ...Array.from({ length: room }, (_, index) => body[index] ?? blank),
  ]
}

/** Days are told of times that are not of the day which the header shows. */
function instantsOf(columns: readonly Column<Row>[], rows: readonly Row[]): readonly (string | undefined)[] {
  const instant = columns.find((column) => column.instant !== undefined)?.instant
  return instant === undefined ? [] : rows.map(instant)
}

type SizedColumn = Column<Row> & { readonly wide: number }

function sizeColumns(
  columns: readonly Column<Row>[],
  width: number,
  rows: readonly Row[],
  at: CellContext,
): readonly SizedColumn[] {
  const shown = columns
    .filter(({ minListWidth }) => minListWidth === undefined || width >= minListWidth)
    .map((column) =>
      column.fitContent === true && rows.length > 0 ? { ...column, width: contentWidth(column, rows, at) } : column,
    )
    .filter(({ width: wide, fitContent }) => wide > 0 || fitContent !== true)
  const fixed = shown.reduce((sum, column) => sum + column.width + 2, 0)
  return shown.map((column) => ({
    ...column,
    wide: column.width === 0 ? Math.max(4, width - 2 - fixed) : column.width,
  }))
}

/** 0 where no row holds anything. */
function contentWidth(column: Column<Row>, rows: readonly Row[], at: CellContext): number {
  const widest = Math.max(...rows.map((row) => displayWidth(cellText(column, row, at))))
  return widest === 0 ? 0 : Math.min(column.width, Math.max(displayWidth(column.title), widest))
}

function padCell(text: string, { wide, alignRight, shorten }: SizedColumn): string {
  return pad(shorten === undefined ? text : shorten(text, wide), wide, alignRight === true ? 'right' : 'left')
}

function renderRow(
  row: Row,
  chosen: boolean,
  columns: readonly SizedColumn[],
  width: number,
  at: CellContext,
  theme: Theme,
): string {
  const cells = columns.map((column): Span => {
    const text = `${padCell(cellText(column, row, at), column)}  `
    // Reversed as one piece: colours inside it would be hard to read.
    return chosen || column.style === undefined ? text : [text, column.style(row)]
  })
  if (!chosen) return renderLine(['  ', ...cells], width, theme)
  return theme.selected(renderLine([`${at.symbols.pointer} `, ...cells], width, theme))
}

const EMPTY_TEXTS: Readonly<Record<PaneName, readonly string[]>> = {
  payments: ['No payments yet.', 'n makes one, and so does `psp payments create --amount 100`.'],
  payouts: ['No payouts yet.', 'n makes one.'],
  deliveries: [
    'No webhooks yet.',
    'They go out once a payment is final and the shop has an endpoint,',
    'or while `psp listen --forward URL` runs.',
  ],
  requests: ['No requests yet.', 'Every call of the public API appears here.'],
  stream: ['Nothing has happened yet.', 'Everything that does appears here.'],
}

function emptyText({ pane, listViews, connection }: State): readonly string[] {
  const { filter } = listViews[pane]
  if (filter !== '') return [`Nothing holds “${filter}”.`, 'Esc shows everything again.']
  return connection.state === 'connecting' ? ['Reading…'] : EMPTY_TEXTS[pane]
}
