// The two lines on top: which sandbox, its clock, its counts, and how much is going on.

import { averageRate } from '../state/rates.ts'
import { sandboxNow } from '../state/sandbox-clock.ts'
import type { State } from '../state/state.ts'
import type { Span } from '../theme/styled-line.ts'
import { renderLineWithRight, spansWidth } from '../theme/styled-line.ts'
import type { Theme } from '../theme/theme.ts'
import { sparkline } from './sparkline.ts'
import { countVariants } from './status-counts.ts'
import { formatDateTime, formatTime } from './time-format.ts'

export function renderHeader(state: State, theme: Theme): readonly string[] {
  const { columns } = state.size
  const [left, right] = firstLine(state, columns)
  return [
    renderLineWithRight(left, right, columns, theme),
    renderLineWithRight(...secondLine(state, theme), columns, theme),
  ]
}

type LineEnds = readonly [left: readonly Span[], right: readonly Span[]]

/**
 * A narrow screen leaves out the remark that the server is this program's own, then the protocol, then the date; of a line
 * that is lost the address before the reason.
 */
function firstLine(state: State, columns: number): LineEnds {
  const { connection, embedded, url } = state
  const address = (text: string): readonly Span[] => [[' psp ', 'selected'], ' ', [text, 'bold']]
  const remark: Span = connection.state === 'open' && embedded ? ['  own server', 'dim'] : connectionSpan(state)
  const needed: Span = connection.state === 'open' ? '' : remark
  const short = url.replace(/^https?:\/\//, '')
  const choices: readonly LineEnds[] = [
    [[...address(url), remark], clockSpans(state, formatDateTime)],
    [[...address(url), needed], clockSpans(state, formatDateTime)],
    [[...address(short), needed], clockSpans(state, formatDateTime)],
    [[...address(short), needed], clockSpans(state, formatTime)],
    ...(connection.state === 'lost'
      ? [[[[' psp ', 'selected'], remark], clockSpans(state, formatTime, '')] as const satisfies LineEnds]
      : []),
  ]
  const last: LineEnds = [
    [[' psp ', 'selected'], connection.state === 'lost' ? LOST : ` ${short}`],
    clockSpans(state, formatTime, ''),
  ]
  return choices.find(([left, right]) => spansWidth(left) + spansWidth(right) < columns) ?? last
}

const LOST: Span = ['  lost, trying again', 'failure']

function connectionSpan({ connection }: State): Span {
  if (connection.state === 'lost') return [`  lost: ${connection.reason}, trying again`, 'failure']
  return connection.state === 'connecting' ? ['  connecting', 'warning'] : ''
}

function clockSpans(state: State, face: (instant: number) => string, zone = ' UTC'): readonly Span[] {
  const { clock } = state
  if (clock === undefined) return []
  const mode = clock.mode === 'scaled' ? `x${clock.speed}` : clock.mode
  return [
    ['clock ', 'dim'],
    [mode, clock.mode === 'real' ? 'success' : 'warning'],
    ' ',
    [face(sandboxNow(state)), 'bold'],
    [`${zone} `, 'dim'],
  ]
}

/** Every status has its place, in shorter words where it must; before that the plot goes. */
function secondLine(state: State, theme: Theme): LineEnds {
  const choices = countVariants(state.tables, theme.symbols).map((counts): readonly Span[] => [' ', ...counts])
  const { plot: drawn, rate } = rateSpans(state, theme)
  const tries = choices.flatMap((left, at): readonly LineEnds[] => [
    [left, [drawn, rate, ' ']],
    [left, [rate, ' ']],
    // From here on words would be cut to two letters for it.
    ...(at < 3 ? [] : [[left, []] as const]),
  ])
  return (
    tries.find(([left, right]) => spansWidth(left) + spansWidth(right) < state.size.columns) ?? [
      choices.at(-1) ?? [],
      [],
    ]
  )
}

function rateSpans({ rates, size }: State, theme: Theme): { readonly plot: Span; readonly rate: Span } {
  const seconds = size.columns >= 150 ? 60 : size.columns >= 100 ? 30 : 12
  return {
    plot: [sparkline(rates.counts.slice(-seconds - 1, -1), theme.symbols), 'accent'],
    rate: [` ${formatRate(averageRate(rates))}/s`, 'bold'],
  }
}

function formatRate(rate: number): string {
  const text = rate === 0 || rate >= 10 ? String(Math.round(rate)) : rate.toFixed(1)
  return text.padStart(3)
}
