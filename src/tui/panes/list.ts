// Renders the list of a pane: the columns and the rows that fit.
import { displayWidth, pad } from '../../terminal/text-width.ts'
import { sandboxNow } from '../../view-model/model.ts'
import type { PaneName, Row } from '../../view-model/rows/rows.ts'
import { SORT_ORDERS, selectedIndex, visibleRows } from '../../view-model/rows/visible-rows.ts'
import { webhookHealth } from '../../view-model/rows/webhook-health.ts'
import { chooseTimeFormat } from '../../view-model/time-format.ts'
import type { State } from '../state/state.ts'
import { renderLine, type Span } from '../theme/styled-line.ts'
import type { Theme } from '../theme/theme.ts'
import type { CellContext, Column } from './column.ts'
import { COLUMNS, cellText } from './columns.ts'
import { firstVisibleIndex } from './layout.ts'

/** Returns `height` lines of `width` columns, starting with the titles. */
export function renderList(state: State, width: number, height: number, theme: Theme): readonly string[] {
  const { pane } = state
  const rows = visibleRows(state, pane)
  const rowCount = height - 1
  const selected = selectedIndex(state)
  const first = firstVisibleIndex(rows.length, selected, rowCount)
  const shownRows = rows.slice(first, first + rowCount)
  const allColumns = COLUMNS[pane] as readonly Column<Row>[]
  const now = sandboxNow(state)
  const context: CellContext = {
    now,
    // `now` is one of the times, so that all times show their day if a row is from another day than the clock.
    formatTime: chooseTimeFormat([now, ...instantsOf(allColumns, shownRows)]),
    symbols: theme.symbols,
    webhooks: webhookHealth(state.tables).byObject,
  }
  const columns = sizeColumns(withSortArrow(allColumns, state), width, shownRows, context)
  const lines = shownRows.map((row, index) =>
    renderRow(
      row,
      { isSelected: first + index === selected, isMarked: state.marks.has(row.id) },
      columns,
      width,
      context,
      theme,
    ),
  )
  const titles = columns.map((column): Span => [`${padCell(column.title, column)}  `, column.isSorted ? 'bold' : 'dim'])
  const empty = rows.length === 0 ? ['', ...emptyText(state).map((text) => `   ${text}`)] : []
  const body = [...lines, ...empty.map((text) => renderLine([[text, 'dim']], width, theme))]
  const blank = ' '.repeat(width)
  return [
    renderLine(['  ', ...titles], width, theme),
    ...Array.from({ length: rowCount }, (_, index) => body[index] ?? blank),
  ]
}

function instantsOf(columns: readonly Column<Row>[], rows: readonly Row[]): readonly (string | undefined)[] {
  const instant = columns.find((column) => column.instant !== undefined)?.instant
  return instant === undefined ? [] : rows.map(instant)
}

type TitledColumn = Column<Row> & { readonly isSorted: boolean }
type SizedColumn = TitledColumn & { readonly shownWidth: number }

/** Adds an arrow to the title of the column by which the rows are sorted, unless the newest are first. */
function withSortArrow(columns: readonly Column<Row>[], { pane, listViews }: State): readonly TitledColumn[] {
  const { sort } = listViews[pane]
  const order = SORT_ORDERS[pane][sort]
  return columns.map((column) => {
    if (sort === 0 || column.title !== order?.column) return { ...column, isSorted: false }
    const title = `${column.title} ${order.ascending === true ? '↑' : '↓'}`
    return { ...column, title, width: column.width && Math.max(column.width, displayWidth(title)), isSorted: true }
  })
}

function sizeColumns(
  columns: readonly TitledColumn[],
  width: number,
  rows: readonly Row[],
  context: CellContext,
): readonly SizedColumn[] {
  const shown = columns
    .filter(({ minListWidth }) => minListWidth === undefined || width >= minListWidth)
    .map((column) => (column.fitContent === true ? { ...column, width: contentWidth(column, rows, context) } : column))
    .filter(({ width: columnWidth, fitContent }) => columnWidth > 0 || fitContent !== true)
  const flexible = shown.find((column) => column.width === 0)
  const needed =
    flexible && Math.min(MIN_FLEXIBLE_WIDTH, contentWidth({ ...flexible, width: MIN_FLEXIBLE_WIDTH }, rows, context))
  const fitted = fitColumns(shown, width, needed ?? 0)
  const left = remainingWidth(fitted, width)
  return fitted
    .filter((column) => column.width > 0 || left >= MIN_SHOWN_WIDTH)
    .map((column) => ({ ...column, shownWidth: column.width === 0 ? left : column.width }))
}

/**
 * Leaves `needed` columns of the terminal for the flexible column (width 0). First the widest column shrinks. Then
 * columns are omitted, the largest `minListWidth` first.
 */
function fitColumns(columns: readonly TitledColumn[], width: number, needed: number): readonly TitledColumn[] {
  const missing = needed - remainingWidth(columns, width)
  const shrunk = shrinkWidest(columns, missing)
  if (remainingWidth(shrunk, width) >= needed) return shrunk
  const [mostOptional] = columns
    .filter(({ minListWidth }) => minListWidth !== undefined)
    .toSorted((a, b) => Number(b.minListWidth) - Number(a.minListWidth))
  if (mostOptional === undefined) return shrunk
  return fitColumns(
    columns.filter((column) => column !== mostOptional),
    width,
    needed,
  )
}

function remainingWidth(columns: readonly TitledColumn[], width: number): number {
  return columns.reduce((left, column) => left - column.width - 2, width - 2)
}

/** The minimum width of the flexible column, unless its text is shorter. Short order ids such as `A-1042` fit. */
const MIN_FLEXIBLE_WIDTH = 11

/** The flexible column is omitted if it would be narrower. */
const MIN_SHOWN_WIDTH = 4

/** Columns that fit their content are not shrunk below this width. */
const MIN_FITTED_WIDTH = 13

/** Right-aligned numbers are never cut, because an amount without its last digits is a different amount. */
function isShrinkable({ fitContent, alignRight }: TitledColumn): boolean {
  return fitContent === true && alignRight !== true
}

function shrinkWidest(columns: readonly TitledColumn[], by: number): readonly TitledColumn[] {
  const widest = columns.filter(isShrinkable).toSorted((a, b) => b.width - a.width)[0]
  if (by <= 0 || widest === undefined) return columns
  const width = Math.max(Math.min(widest.width, MIN_FITTED_WIDTH), widest.width - by)
  return columns.map((column) => (column === widest ? { ...column, width } : column))
}

/** Returns the width of the widest cell or of the title, or 0 if all cells are empty. */
function contentWidth(column: Column<Row>, rows: readonly Row[], context: CellContext): number {
  if (rows.length === 0) return displayWidth(column.title)
  const widest = Math.max(...rows.map((row) => displayWidth(cellText(column, row, context))))
  return widest === 0 ? 0 : Math.min(column.width, Math.max(displayWidth(column.title), widest))
}

function padCell(text: string, { shownWidth, alignRight, shorten }: SizedColumn): string {
  return pad(
    shorten === undefined ? text : shorten(text, shownWidth),
    shownWidth,
    alignRight === true ? 'right' : 'left',
  )
}

function renderRow(
  row: Row,
  { isSelected, isMarked }: { readonly isSelected: boolean; readonly isMarked: boolean },
  columns: readonly SizedColumn[],
  width: number,
  context: CellContext,
  theme: Theme,
): string {
  const cells = columns.map((column): Span => {
    const text = `${padCell(cellText(column, row, context), column)}  `
    // The selected row is inverted. Only a status keeps its colour, because other colours would be hard to read.
    const isStyled = column.style !== undefined && (!isSelected || column.keepsStyle === true)
    return isStyled && column.style !== undefined ? [text, column.style(row, context)] : text
  })
  const mark: Span = isMarked ? ['*', isSelected ? 'plain' : 'accent'] : ' '
  if (!isSelected) return renderLine([' ', mark, ...cells], width, theme)
  return theme.selected(renderLine([context.symbols.pointer, mark, ...cells], width, theme))
}

const EMPTY_TEXTS: Readonly<Record<PaneName, readonly string[]>> = {
  payments: ['No payments yet.', 'Press n to create one, or run `psp payments create --amount 100`.'],
  payouts: ['No payouts yet.', 'Press n to create one.'],
  deliveries: [
    'No webhooks yet.',
    'They are sent when a payment becomes final, if the shop has an endpoint',
    'or `psp listen --forward URL` runs.',
  ],
  requests: ['No requests yet.', 'Every request to the public API appears here.'],
  stream: ['No messages yet.', 'Everything that happens in the sandbox appears here.'],
}

function emptyText(state: State): readonly string[] {
  const { filter } = state.listViews[state.pane]
  if (isLoading(state)) return ['Loading']
  return filter === '' ? EMPTY_TEXTS[state.pane] : [`No row matches “${filter}”.`, 'Press Esc to show all rows.']
}

/** Returns whether the pane has no row yet, and rows are still expected. */
export function isLoading({ pane, tables, rowsRead, connection }: State): boolean {
  const isReading = connection.state === 'connecting' || (pane !== 'stream' && rowsRead[pane] !== undefined)
  return isReading && tables[pane].size === 0
}
