// Renders the first two lines: the sandbox and its clock, then the counts and the rate of changes.

import { clockDistance } from '../../domain/clock-description.ts'
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
 * A narrow screen omits the note about the embedded server, then the protocol, then the date. If the connection is lost, the
 * address is omitted before the reason.
 */
function firstLine(state: State, columns: number): LineEnds {
  const { connection, embedded, url } = state
  const address = (text: string): readonly Span[] => [[' psp ', 'selected'], ' ', [text, 'bold']]
  const note: Span = connection.state === 'open' && embedded ? ['  embedded', 'dim'] : connectionSpan(state)
  const requiredNote: Span = connection.state === 'open' ? '' : note
  const short = url.replace(/^https?:\/\//, '')
  const choices: readonly LineEnds[] = [
    [[...address(url), note], clockSpans(state, formatDateTime)],
    [[...address(url), requiredNote], clockSpans(state, formatDateTime)],
    [[...address(short), requiredNote], clockSpans(state, formatDateTime)],
    [[...address(short), requiredNote], clockSpans(state, formatTime)],
    ...(connection.state === 'lost'
      ? [[[[' psp ', 'selected'], note], clockSpans(state, formatTime, '')] as const satisfies LineEnds]
      : []),
  ]
  const last: LineEnds = [
    [[' psp ', 'selected'], connection.state === 'lost' ? LOST : ` ${short}`],
    clockSpans(state, formatTime, ''),
  ]
  return choices.find(([left, right]) => spansWidth(left) + spansWidth(right) < columns) ?? last
}

const LOST: Span = ['  lost, reconnecting', 'failure']

function connectionSpan({ connection }: State): Span {
  if (connection.state === 'lost') return [`  lost: ${connection.reason}, reconnecting`, 'failure']
  return connection.state === 'connecting' ? ['  connecting', 'warning'] : ''
}

function clockSpans(state: State, format: (instant: number) => string, zone = ' UTC'): readonly Span[] {
  const { clock } = state
  if (clock === undefined) return []
  const mode = clock.mode === 'scaled' ? `x${clock.speed}` : clock.mode
  const distance = clockDistance(clock, sandboxNow(state), state.now)
  return [
    ['clock ', 'dim'],
    [mode, clock.mode === 'real' && distance === undefined ? 'success' : 'warning'],
    [distance === undefined || zone === '' ? '' : `, ${distance.span} ${distance.side}`, 'warning'],
    ' ',
    [format(sandboxNow(state)), 'bold'],
    [`${zone} `, 'dim'],
  ]
}

/** Shows every status at any width: first the sparkline is omitted, then the names are shortened. */
function secondLine(state: State, theme: Theme): LineEnds {
  const choices = countVariants(state.tables, theme.symbols).map((counts): readonly Span[] => [' ', ...counts])
  const { plot, rate } = rateSpans(state, theme)
  const variants = choices.flatMap((left, at): readonly LineEnds[] => [
    [left, [plot, rate, ' ']],
    [left, [rate, ' ']],
    // Omit the rate too before the names are shortened to two letters.
    ...(at < 3 ? [] : [[left, []] as const]),
  ])
  return (
    variants.find(([left, right]) => spansWidth(left) + spansWidth(right) < state.size.columns) ?? [
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
