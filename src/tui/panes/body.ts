// Between header and footer: the list, the detail, or both side by side.
import type { Part } from '../looks/line.ts'
import type { Looks } from '../looks/looks.ts'
import { PANES, type PaneName } from '../state/rows.ts'
import { chosenIndex, ORDERS, seenRows } from '../state/seen-rows.ts'
import type { State } from '../state/state.ts'
import { detail } from './detail.ts'
import { frame } from './frame.ts'
import { isWide, split } from './geometry.ts'
import { list } from './list.ts'

/** Exactly `height` lines, as wide as the screen. */
export function body(state: State, height: number, looks: Looks): readonly string[] {
  const { columns } = state.size
  if (!isWide(state.size)) {
    return state.focus === 'detail'
      ? detailFrame(state, columns, height, looks)
      : listFrame(state, columns, height, looks)
  }
  const [left, right] = split(state.size)
  const beside = detailFrame(state, right, height, looks)
  return listFrame(state, left, height, looks).map((text, index) => text + (beside[index] ?? ''))
}

function listFrame(state: State, width: number, height: number, looks: Looks): readonly string[] {
  const look = state.focus === 'list' ? 'name' : 'dim'
  const lines = list(state, width - 4, height - 2, looks)
  return frame(
    lines,
    { left: tabs(state, width), right: order(state) },
    { left: place(state), right: following(state) },
    width,
    look,
    looks,
  )
}

function detailFrame(state: State, width: number, height: number, looks: Looks): readonly string[] {
  const look = state.focus === 'detail' ? 'name' : 'dim'
  const lines = detail(state, width - 4, height - 2, looks)
  const hint = state.focus === 'detail' ? 'arrows move, Esc leaves' : 'Enter goes in'
  const top = {
    left: [[` ${TITLES[state.pane][1]} `, state.focus === 'detail' ? 'chosen' : 'bold']] as const,
    right: [],
  }
  return frame(lines, top, { left: [], right: [[` ${hint} `, 'dim']] }, width, look, looks)
}

const TITLES: Readonly<Record<PaneName, readonly [many: string, one: string]>> = {
  payments: ['Payments', 'Payment'],
  payouts: ['Payouts', 'Payout'],
  deliveries: ['Deliveries', 'Delivery'],
  requests: ['Requests', 'Request'],
  stream: ['Stream', 'Message'],
}

function tabs({ pane }: State, width: number): readonly Part[] {
  const short = width < 72
  return PANES.map((name, index): Part => {
    const [many] = TITLES[name]
    const text = short && name !== pane ? ` ${index + 1} ${many.slice(0, 4)} ` : ` ${index + 1} ${many} `
    return name === pane ? [text, 'chosen'] : [text, 'dim']
  })
}

function order({ pane, gazes }: State): readonly Part[] {
  const { sort, filter } = gazes[pane]
  const name = ORDERS[pane][sort]?.name ?? ''
  const parts: Part[] = []
  if (filter !== '') parts.push([` filter ${filter} `, 'odd'])
  if (sort !== 0) parts.push([` by ${name} `, 'odd'])
  return parts
}

function place(state: State): readonly Part[] {
  const count = seenRows(state, state.pane).length
  const all = state.tables[state.pane].size
  const of = count === all ? `${count}` : `${count}, ${all} in all`
  return [[` ${count === 0 ? 0 : chosenIndex(state) + 1} of ${of} `, 'dim']]
}

/** Whether what comes is followed, and how much has come since one moved away. */
function following(state: State): readonly Part[] {
  const { chosen, sort } = state.gazes[state.pane]
  if (sort !== 0) return []
  if (chosen === undefined) return [[' following ', 'good']]
  const newer = chosenIndex(state)
  return [[newer === 0 ? ' stays here: g follows ' : ` paused, ${newer} newer: g follows `, 'odd']]
}
