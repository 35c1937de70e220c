// Renders the first two lines: the sandbox and its clock, then the counts and the rate of changes.

import { clockDistance } from '../../domain/clock-description.ts'
import { countOf } from '../../domain/count-text.ts'
import { PAYMENT_STATUSES, type PaymentStatus } from '../../domain/payment-states.ts'
import { sanitizeLine } from '../../terminal/sanitize.ts'
import { statusTone } from '../../view-model/detail/tones.ts'
import { sandboxNow } from '../../view-model/model.ts'
import { averageRate } from '../../view-model/rates.ts'
import type { Tables } from '../../view-model/rows/rows.ts'
import { webhookHealth } from '../../view-model/rows/webhook-health.ts'
import { formatDateTime, formatTime } from '../../view-model/time-format.ts'
import type { State } from '../state/state.ts'
import { renderLineWithRight, type Span, spansWidth } from '../theme/styled-line.ts'
import type { Symbols, Theme } from '../theme/theme.ts'
import { statusText } from '../theme/theme.ts'
import { isCompact, isNoticeInHeader } from './layout.ts'

export function renderHeader(state: State, theme: Theme): readonly string[] {
  const { columns } = state.size
  if (isCompact(state.size)) return [renderLineWithRight(...compactLine(state, theme), columns, theme)]
  const [left, right] = firstLine(state, columns)
  return [
    renderLineWithRight(left, right, columns, theme),
    renderLineWithRight(...secondLine(state, theme), columns, theme),
  ]
}

type LineEnds = readonly [left: readonly Span[], right: readonly Span[]]

/**
 * Returns the longest variant of the line that fits. If the view runs the server, a note says so, and the next variant
 * shortens the note and the address. Later variants have no note: first with the whole address, then without its
 * protocol, then also without the date. If the connection is lost, the address is omitted before the reason.
 */
function firstLine(state: State, columns: number): LineEnds {
  const { connection, runsServer, url } = state
  const badge = badgeSpans(state, columns)
  const address = (text: string): readonly Span[] => [...badge, ' ', [text, 'bold']]
  const hasOwnServer = connection.state === 'open' && runsServer
  const note: Span = hasOwnServer ? ['  this view runs the server', 'dim'] : connectionSpan(state)
  const requiredNote: Span = connection.state === 'open' ? '' : note
  const short = url.replace(/^https?:\/\//, '')
  const choices: readonly LineEnds[] = [
    [[...address(url), note], clockSpans(state, formatDateTime)],
    ...(hasOwnServer
      ? [[[...address(short), ['  own server', 'dim']], clockSpans(state, formatDateTime)] as const satisfies LineEnds]
      : []),
    [[...address(url), requiredNote], clockSpans(state, formatDateTime)],
    [[...address(short), requiredNote], clockSpans(state, formatDateTime)],
    [[...address(short), requiredNote], clockSpans(state, formatTime)],
    ...(connection.state === 'lost'
      ? [[[[' psp ', 'selected'], note], clockSpans(state, formatTime, '')] as const satisfies LineEnds]
      : []),
  ]
  const last: LineEnds = [
    [...badge, connection.state === 'lost' ? LOST : ` ${short}`],
    clockSpans(state, formatTime, ''),
  ]
  return choices.find(([left, right]) => spansWidth(left) + spansWidth(right) < columns) ?? last
}

/** A compact screen shows a notice, or the clock with the counts, or the state of a connection that is not open. */
function compactLine(state: State, theme: Theme): LineEnds {
  const { notice, connection, size } = state
  const clock = clockSpans(state, formatTime, '')
  if (notice !== undefined && isNoticeInHeader(state)) return [[[` ${sanitizeLine(notice.text)}`, notice.style]], []]
  if (connection.state !== 'open') return [[...badgeSpans(state, 0), connectionSpan(state)], clock]
  const variants = countVariants(state, theme.symbols).map((counts): readonly Span[] => [
    ...badgeSpans(state, 0),
    ' ',
    ...counts,
  ])
  const fits = variants.find((left) => spansWidth(left) + spansWidth(clock) < size.columns)
  return [fits ?? variants.at(-1) ?? [], clock]
}

/** The number of failing deliveries is shown at any width, as soon as all deliveries are read. */
function badgeSpans({ tables, rowsRead, readOnly }: State, columns: number): readonly Span[] {
  const { length: count } = webhookHealth(tables).failing
  const isWide = columns >= 110
  const wide = `${count} failing webhook${count === 1 ? '' : 's'}`
  const text = isWide ? wide : columns >= 60 ? `${count} failing ` : `!${count}`
  const failing: readonly Span[] =
    rowsRead.deliveries === undefined ? [' ', [text, count === 0 ? 'dim' : 'failure']] : []
  const badge: readonly Span[] = [[' psp ', 'selected'], ...failing]
  return [...badge, ...(readOnly ? READ_ONLY : []), isWide ? ' ' : '']
}

const READ_ONLY: readonly Span[] = [' ', ['read only', 'warning']]

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
  const choices = countVariants(state, theme.symbols).map((counts): readonly Span[] => [' ', ...counts])
  const { plot, rate } = rateSpans(state, theme)
  const variants = choices.flatMap((left, at): readonly LineEnds[] => [
    [left, [...plot, rate, ' ']],
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

function rateSpans({ rates, size }: State, theme: Theme): { readonly plot: readonly Span[]; readonly rate: Span } {
  const seconds = size.columns >= 150 ? 60 : size.columns >= 100 ? 30 : 12
  return {
    plot: plotSpans(rates, seconds, theme.symbols),
    rate: [` ${formatRate(averageRate(rates))}/s`, 'bold'],
  }
}

function formatRate(rate: number): string {
  const text = rate === 0 || rate >= 10 ? String(Math.round(rate)) : rate.toFixed(1)
  return text.padStart(3)
}

/** Draws one bar per second, scaled to the highest count. A second with failures is red. */
function plotSpans({ counts, failures }: State['rates'], seconds: number, { bars }: Symbols): readonly Span[] {
  const shown = counts.slice(-seconds - 1, -1)
  const failed = failures.slice(-seconds - 1, -1)
  const highest = Math.max(1, ...shown)
  const top = bars.length - 1
  return shown.map((count, index): Span => {
    const bar = bars[count === 0 ? 0 : Math.max(1, Math.round((count / highest) * top))] ?? ''
    return [bar, (failed[index] ?? 0) > 0 ? 'failure' : 'accent']
  })
}

/** Returns the counts in several lengths, the longest first. Each variant contains every status. */
function countVariants({ tables, rowsRead }: State, symbols: Symbols): readonly (readonly Span[])[] {
  const { total, byStatus } = countByStatus(tables)
  const isReading = rowsRead.payments !== undefined
  const payments = `${countOf(total, 'payment')}${isReading ? ' so far' : ''}`
  const [title, short] = isReading && total === 0 ? ['loading payments', '…'] : [payments, String(total)]
  const buildVariant = (start: string, gap: string, text: (status: PaymentStatus, count: number) => string) => [
    [start, 'bold'] satisfies Span,
    ...byStatus.flatMap(([status, count]): Span[] => [gap, [text(status, count), statusTone(status)]]),
  ]
  return [
    buildVariant(title, '   ', (status, count) => `${statusText(status, symbols)} ${count}`),
    buildVariant(title, '  ', (status, count) => `${status} ${count}`),
    buildVariant(title, '  ', (status, count) => `${SHORT_NAMES[status]} ${count}`),
    buildVariant(short, '  ', (status, count) => `${SHORT_NAMES[status]} ${count}`),
    buildVariant(short, ' ', (status, count) => `${status.slice(0, 2)}${count}`),
  ]
}

const SHORT_NAMES = {
  pending: 'pend',
  processing: 'proc',
  succeeded: 'succ',
  failed: 'fail',
  expired: 'exp',
  cancelled: 'canc',
  refunded: 'ref',
} as const satisfies Record<PaymentStatus, string>

interface Counts {
  readonly total: number
  /** The statuses with at least one payment, in the order of `PAYMENT_STATUSES`. */
  readonly byStatus: readonly (readonly [PaymentStatus, number])[]
}

function countByStatus({ payments }: Tables): Counts {
  const counts = new Map<PaymentStatus, number>()
  for (const { payment } of payments.values()) counts.set(payment.status, (counts.get(payment.status) ?? 0) + 1)
  const byStatus = PAYMENT_STATUSES.flatMap((status) => {
    const count = counts.get(status)
    return count === undefined ? [] : [[status, count] as const]
  })
  return { total: payments.size, byStatus }
}
