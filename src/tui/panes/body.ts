// The area between header and footer: the list, the detail, or both side by side.
import { sanitizeLine } from '../../terminal/sanitize.ts'
import { wrapWords } from '../../terminal/wrap-words.ts'
import { PANES, type PaneName } from '../../view-model/rows/rows.ts'
import { SORT_ORDERS, selectedIndex, visibleRows } from '../../view-model/rows/visible-rows.ts'
import type { State } from '../state/state.ts'
import { renderLine, type Span, spansWidth } from '../theme/styled-line.ts'
import type { Theme } from '../theme/theme.ts'
import { renderDetail } from './detail.ts'
import { type FrameStyle, renderEdge, renderFrame } from './frame.ts'
import { contentHeight, contentWidth, isCompact, isNoticeInHeader, isSplit, splitWidths } from './layout.ts'
import { isLoading, renderList } from './list.ts'

/** A longer notice is truncated. */
const MAX_NOTICE_LINES = 3

/** Returns exactly `height` lines of the width of the screen. A notice covers the last lines, so that nothing moves. */
export function renderBody(state: State, height: number, theme: Theme): readonly string[] {
  const lines = renderPanes(state, height, theme)
  const { notice, size } = state
  if (notice === undefined || isNoticeInHeader(state)) return lines
  const { style } = notice
  const { corners, vertical } = theme.symbols
  const pieces = wrapWords(sanitizeLine(notice.text), size.columns - 6).slice(0, MAX_NOTICE_LINES)
  const above = pieces.slice(0, -1).map((text) => {
    const line = renderLine([[text, style]], size.columns - 4, theme)
    return `${theme[style](vertical)} ${line} ${theme[style](vertical)}`
  })
  const edge = { left: [[` ${pieces.at(-1) ?? ''} `, style] satisfies Span], right: [] }
  return [
    ...lines.slice(0, -pieces.length),
    ...above,
    renderEdge(corners[2], corners[3], edge, size.columns, { style, theme }),
  ]
}

function renderPanes(state: State, height: number, theme: Theme): readonly string[] {
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
  const { size } = state
  const right = orderSpans(state)
  return renderFrame(
    renderList(state, contentWidth(size, width), contentHeight(size, height), theme),
    { left: tabSpans(state, width - 5 - spansWidth(right)), right },
    { left: positionSpans(state), right: followSpans(state) },
    width,
    frameStyle(state, 'list', theme),
  )
}

function renderDetailFrame(state: State, width: number, height: number, theme: Theme): readonly string[] {
  const { size, focus } = state
  const hint = focus === 'detail' ? 'arrows scroll, Esc leaves' : 'Enter opens'
  const title: Span = [` ${TITLES[state.pane][1]} `, focus === 'detail' ? 'selected' : 'bold']
  return renderFrame(
    renderDetail(state, contentWidth(size, width), contentHeight(size, height), theme),
    { left: [title], right: [] },
    { left: [], right: [[` ${hint} `, 'dim']] },
    width,
    frameStyle(state, 'detail', theme),
  )
}

function frameStyle({ size, focus }: State, part: State['focus'], theme: Theme): FrameStyle {
  return { style: focus === part ? 'accent' : 'dim', compact: isCompact(size), theme }
}

const TITLES: Readonly<Record<PaneName, readonly [many: string, one: string]>> = {
  payments: ['Payments', 'Payment'],
  payouts: ['Payouts', 'Payout'],
  deliveries: ['Deliveries', 'Delivery'],
  requests: ['Requests', 'Request'],
  stream: ['Stream', 'Message'],
}

/** Returns the names of the panes, in the longest form that fits. */
function tabSpans({ pane }: State, width: number): readonly Span[] {
  const forms = [(name: string) => ` ${name}`, (name: string) => ` ${name.slice(0, 4)}`, () => ''].map((form) =>
    PANES.map((name, index): Span => {
      const [many] = TITLES[name]
      return [` ${index + 1}${name === pane ? ` ${many}` : form(many)} `, name === pane ? 'selected' : 'dim']
    }),
  )
  return forms.find((spans) => spansWidth(spans) <= width) ?? forms.at(-1) ?? []
}

export function tabAt(state: State, column: number): PaneName | undefined {
  const { size } = state
  const width = isSplit(size) ? splitWidths(size)[0] : size.columns
  // The upper edge begins with two characters.
  let end = 2
  const tabs = tabSpans(state, width - 5 - spansWidth(orderSpans(state)))
  return PANES.find((_, index) => {
    const start = end
    end += spansWidth(tabs.slice(index, index + 1))
    return column >= start && column < end
  })
}

function orderSpans(state: State): readonly Span[] {
  const { pane, listViews, marks } = state
  const { sort, filter } = listViews[pane]
  const order = SORT_ORDERS[pane][sort]
  const spans: Span[] = []
  if (filter !== '') spans.push([` filter ${sanitizeLine(filter)} `, 'warning'])
  if (marks.size > 0) spans.push([` ${marksText(state)} `, 'accent'])
  if (sort !== 0 && order !== undefined)
    spans.push([` by ${order.name} ${order.ascending === true ? '↑' : '↓'} `, 'warning'])
  return spans
}

/** Actions skip marked rows that the filter hides, so the text says how many marked rows are shown. */
function marksText(state: State): string {
  const { marks, pane } = state
  const shown = visibleRows(state, pane).filter(({ id }) => marks.has(id)).length
  return shown === marks.size ? `${shown} marked` : `${shown} of ${marks.size} marked are shown`
}

function positionSpans(state: State): readonly Span[] {
  if (isLoading(state)) return []
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
