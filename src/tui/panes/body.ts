// The area between header and footer: the list, the detail, or both side by side.

import { PANES, type PaneName } from '../../view-model/rows/rows.ts'
import { SORT_ORDERS, selectedIndex, visibleRows } from '../../view-model/rows/visible-rows.ts'
import type { State } from '../state/state.ts'
import type { Span } from '../theme/styled-line.ts'
import type { Theme } from '../theme/theme.ts'
import { renderDetail } from './detail.ts'
import { renderFrame } from './frame.ts'
import { isSplit, splitWidths } from './layout.ts'
import { renderList } from './list.ts'

/** Returns exactly `height` lines of the width of the screen. */
export function renderBody(state: State, height: number, theme: Theme): readonly string[] {
  const { columns } = state.size
  if (!isSplit(state.size)) {
    return state.focus === 'detail'
      ? renderDetailFrame(state, columns, height, theme)
      : renderListFrame(state, columns, height, theme)
  }
  const [left, right] = splitWidths(state.size)
  const detailLines = renderDetailFrame(state, right, height, theme)
  return renderListFrame(state, left, height, theme).map((text, index) => text + (detailLines[index] ?? ''))
}

function renderListFrame(state: State, width: number, height: number, theme: Theme): readonly string[] {
  const style = state.focus === 'list' ? 'accent' : 'dim'
  const lines = renderList(state, width - 4, height - 2, theme)
  return renderFrame(
    lines,
    { left: tabSpans(state, width), right: orderSpans(state) },
    { left: positionSpans(state), right: followSpans(state) },
    width,
    style,
    theme,
  )
}

function renderDetailFrame(state: State, width: number, height: number, theme: Theme): readonly string[] {
  const style = state.focus === 'detail' ? 'accent' : 'dim'
  const lines = renderDetail(state, width - 4, height - 2, theme)
  const hint = state.focus === 'detail' ? 'arrows scroll, Esc leaves' : 'Enter opens'
  const top = {
    left: [[` ${TITLES[state.pane][1]} `, state.focus === 'detail' ? 'selected' : 'bold']] as const,
    right: [],
  }
  return renderFrame(lines, top, { left: [], right: [[` ${hint} `, 'dim']] }, width, style, theme)
}

const TITLES: Readonly<Record<PaneName, readonly [many: string, one: string]>> = {
  payments: ['Payments', 'Payment'],
  payouts: ['Payouts', 'Payout'],
  deliveries: ['Deliveries', 'Delivery'],
  requests: ['Requests', 'Request'],
  stream: ['Stream', 'Message'],
}

function tabSpans({ pane }: State, width: number): readonly Span[] {
  const short = width < 72
  return PANES.map((name, index): Span => {
    const [many] = TITLES[name]
    const text = short && name !== pane ? ` ${index + 1} ${many.slice(0, 4)} ` : ` ${index + 1} ${many} `
    return name === pane ? [text, 'selected'] : [text, 'dim']
  })
}

function orderSpans({ pane, listViews }: State): readonly Span[] {
  const { sort, filter } = listViews[pane]
  const name = SORT_ORDERS[pane][sort]?.name ?? ''
  const spans: Span[] = []
  if (filter !== '') spans.push([` filter ${filter} `, 'warning'])
  if (sort !== 0) spans.push([` by ${name} `, 'warning'])
  return spans
}

function positionSpans(state: State): readonly Span[] {
  const count = visibleRows(state, state.pane).length
  const all = state.tables[state.pane].size
  const total = count === all ? `${count}` : `${count} (${all} total)`
  return [[` ${count === 0 ? 0 : selectedIndex(state) + 1} of ${total} `, 'dim']]
}

/** Shows whether the list follows new rows, and how many newer rows there are above the selected one. */
function followSpans(state: State): readonly Span[] {
  const { selectedId, sort } = state.listViews[state.pane]
  if (sort !== 0) return []
  if (selectedId === undefined) return [[' following ', 'success']]
  const newer = selectedIndex(state)
  return [[newer === 0 ? ' paused: g follows ' : ` paused, ${newer} newer: g follows `, 'warning']]
}
