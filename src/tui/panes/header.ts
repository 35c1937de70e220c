// The two lines on top: which sandbox, its clock, its counts, and how much is going on.
import type { Part } from '../looks/line.ts'
import { spread, widthOf } from '../looks/line.ts'
import type { Looks } from '../looks/looks.ts'
import { rateOf } from '../state/rates.ts'
import type { State } from '../state/state.ts'
import { virtualNow } from '../state/virtual-now.ts'
import { dateTime, timeOnly } from './clock-face.ts'
import { countChoices } from './counts.ts'
import { plot } from './plot.ts'

export function header(state: State, looks: Looks): readonly string[] {
  const { columns } = state.size
  const [left, right] = firstLine(state, columns)
  return [spread(left, right, columns, looks), spread(...secondLine(state, looks), columns, looks)]
}

type Ends = readonly [left: readonly Part[], right: readonly Part[]]

/**
 * A narrow screen leaves out the remark that the server is this program's own, then the protocol, then the date; of a line
 * that is lost the address before the reason.
 */
function firstLine(state: State, columns: number): Ends {
  const { line, own, url } = state
  const address = (text: string): readonly Part[] => [[' psp ', 'chosen'], ' ', [text, 'bold']]
  const remark: Part = line.state === 'open' && own ? ['  own server', 'dim'] : lineRemark(state)
  const needed: Part = line.state === 'open' ? '' : remark
  const short = url.replace(/^https?:\/\//, '')
  const choices: readonly Ends[] = [
    [[...address(url), remark], clockParts(state, dateTime)],
    [[...address(url), needed], clockParts(state, dateTime)],
    [[...address(short), needed], clockParts(state, dateTime)],
    [[...address(short), needed], clockParts(state, timeOnly)],
    ...(line.state === 'lost'
      ? [[[[' psp ', 'chosen'], remark], clockParts(state, timeOnly, '')] as const satisfies Ends]
      : []),
  ]
  const last: Ends = [
    [[' psp ', 'chosen'], line.state === 'lost' ? LOST : ` ${short}`],
    clockParts(state, timeOnly, ''),
  ]
  return choices.find(([left, right]) => widthOf(left) + widthOf(right) < columns) ?? last
}

const LOST: Part = ['  lost, trying again', 'bad']

function lineRemark({ line }: State): Part {
  if (line.state === 'lost') return [`  lost: ${line.reason}, trying again`, 'bad']
  return line.state === 'connecting' ? ['  connecting', 'odd'] : ''
}

function clockParts(state: State, face: (instant: number) => string, zone = ' UTC'): readonly Part[] {
  const { clock } = state
  if (clock === undefined) return []
  const mode = clock.mode === 'scaled' ? `x${clock.speed}` : clock.mode
  return [
    ['clock ', 'dim'],
    [mode, clock.mode === 'real' ? 'good' : 'odd'],
    ' ',
    [face(virtualNow(state)), 'bold'],
    [`${zone} `, 'dim'],
  ]
}

/** Every status has its place, in shorter words where it must; before that the plot goes. */
function secondLine(state: State, looks: Looks): Ends {
  const choices = countChoices(state.tables, looks.marks).map((counts): readonly Part[] => [' ', ...counts])
  const { plot: drawn, rate } = rateParts(state, looks)
  const tries = choices.flatMap((left, at): readonly Ends[] => [
    [left, [drawn, rate, ' ']],
    [left, [rate, ' ']],
    // From here on words would be cut to two letters for it.
    ...(at < 3 ? [] : [[left, []] as const]),
  ])
  return (
    tries.find(([left, right]) => widthOf(left) + widthOf(right) < state.size.columns) ?? [choices.at(-1) ?? [], []]
  )
}

function rateParts({ rates, size }: State, looks: Looks): { readonly plot: Part; readonly rate: Part } {
  const seconds = size.columns >= 150 ? 60 : size.columns >= 100 ? 30 : 12
  return {
    plot: [plot(rates.counts.slice(-seconds - 1, -1), looks.marks), 'name'],
    rate: [` ${rateText(rateOf(rates))}/s`, 'bold'],
  }
}

function rateText(rate: number): string {
  const text = rate === 0 || rate >= 10 ? String(Math.round(rate)) : rate.toFixed(1)
  return text.padStart(3)
}
