// The two lines on top: which sandbox, its clock, its counts, and how much is going on.
import type { Part } from '../looks/line.ts'
import { spread } from '../looks/line.ts'
import type { Looks } from '../looks/looks.ts'
import { statusLook, statusText } from '../looks/status.ts'
import { rateOf } from '../state/rates.ts'
import type { State } from '../state/state.ts'
import { virtualNow } from '../state/virtual-now.ts'
import { dateTime } from './clock-face.ts'
import { countsOf } from './counts.ts'
import { plot } from './plot.ts'

export function header(state: State, looks: Looks): readonly string[] {
  const { columns } = state.size
  return [
    spread(
      [[' psp ', 'chosen'], ' ', [state.url, 'bold'], ...lineParts(state)],
      [...clockParts(state), ' '],
      columns,
      looks,
    ),
    spread([' ', ...countParts(state, looks)], [...rateParts(state, looks), ' '], columns, looks),
  ]
}

function lineParts({ line, own }: State): readonly Part[] {
  if (line.state === 'lost') return [[`  lost: ${line.reason}, trying again`, 'bad']]
  if (line.state === 'connecting') return [['  connecting', 'odd']]
  return own ? [['  own server', 'dim']] : []
}

function clockParts(state: State): readonly Part[] {
  const { clock } = state
  if (clock === undefined) return []
  const mode = clock.mode === 'scaled' ? `x${clock.speed}` : clock.mode
  return [['clock ', 'dim'], [mode, clock.mode === 'real' ? 'good' : 'odd'], ' ', [dateTime(virtualNow(state)), 'bold']]
}

function countParts({ tables, size }: State, { marks }: Looks): readonly Part[] {
  const { total, byStatus } = countsOf(tables)
  const parts: Part[] = [[`${total} ${total === 1 ? 'payment' : 'payments'}`, 'bold']]
  let room = size.columns - 30
  for (const [status, count] of byStatus) {
    const text = `${statusText(status, marks)} ${count}`
    room -= text.length + 3
    if (room < 0) break
    parts.push('   ', [text, statusLook(status)])
  }
  return parts
}

function rateParts({ rates, size }: State, looks: Looks): readonly Part[] {
  const seconds = size.columns >= 150 ? 60 : size.columns >= 100 ? 30 : 12
  return [
    [plot(rates.counts.slice(-seconds - 1, -1), looks.marks), 'name'],
    [` ${rateText(rateOf(rates))}/s`, 'bold'],
  ]
}

function rateText(rate: number): string {
  const text = rate === 0 || rate >= 10 ? String(Math.round(rate)) : rate.toFixed(1)
  return text.padStart(3)
}
