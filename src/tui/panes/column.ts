// The definition of a column, and the columns that several lists share.
import { formatMoney } from '../../domain/currency.ts'
import { displayWidth, truncate } from '../../terminal/text-width.ts'
import { statusTone } from '../../view-model/detail/tones.ts'
import type { ListedPayment, ListedPayout, PaymentRow, PayoutRow } from '../../view-model/rows/rows.ts'
import { healthText, isFailing, type WebhookHealth } from '../../view-model/rows/webhook-health.ts'
import { formatAge, formatUntil, type TimeFormat } from '../../view-model/time-format.ts'
import { type StyleName, type Symbols, statusSymbol, statusText } from '../theme/theme.ts'

export interface Column<R> {
  readonly title: string
  /** The width in terminal columns. 0 takes the remaining width. */
  readonly width: number
  readonly alignRight?: true
  /** In a narrower list, the column is omitted. If space is missing, the largest value is omitted first. */
  readonly minListWidth?: number
  /** Shrinks the column to its widest cell, and hides it if all are empty. The column of width 0 grows instead. */
  readonly fitContent?: true
  /** The text may contain text of merchants. `cellText` sanitizes it. */
  readonly cell: (row: R, context: CellContext) => string
  readonly style?: (row: R, context: CellContext) => StyleName
  /** The style also applies to the selected row. */
  readonly keepsStyle?: true
  /** For a column of times: the time of the row. {@link CellContext.formatTime} fits all shown rows. */
  readonly instant?: (row: R) => string | undefined
  /** Shortens text that is too wide. Without it, the end of the text is cut off. */
  readonly shorten?: (text: string, columns: number) => string
}

export interface CellContext {
  /** The sandbox's time in ms. */
  readonly now: number
  readonly formatTime: TimeFormat
  readonly symbols: Symbols
  readonly webhooks: WebhookHealth['byObject']
}

/**
 * The first columns of payments and payouts.
 * @param read returns the object of a row
 */
export function objectColumns<R>(read: (row: R) => ListedPayment | ListedPayout): readonly Column<R>[] {
  return [
    {
      title: 'status',
      width: 12,
      cell: (row, { symbols }) => statusText(read(row).status, symbols),
      keepsStyle: true,
      style: (row) => statusTone(read(row).status),
    },
    {
      title: 'age',
      width: 6,
      minListWidth: 56,
      alignRight: true,
      cell: (row, { now }) => formatAge(read(row).created_at, now),
      style: () => 'dim',
    },
    {
      title: 'amount',
      width: 28,
      alignRight: true,
      fitContent: true,
      cell: (row) => formatMoney(read(row).amount, read(row).currency),
    },
  ]
}

/** The state of the object's webhooks, and the time until the next attempt. */
export function webhookColumn(): Column<PaymentRow | PayoutRow> {
  return {
    title: 'webhook',
    width: 24,
    minListWidth: 50,
    fitContent: true,
    keepsStyle: true,
    shorten: shortenHealth,
    cell: ({ id }, { webhooks, symbols, now }) => {
      const row = webhooks.get(id)
      if (row === undefined) return ''
      const symbol = isFailing(row) ? symbols.status.failure : statusSymbol(row.status, symbols)
      return `${symbol} ${healthText(row, (instant) => formatUntil(instant, now))}`
    },
    style: ({ id }, { webhooks }) => {
      const row = webhooks.get(id)
      return row === undefined ? 'dim' : isFailing(row) ? 'failure' : statusTone(row.status)
    },
  }
}

/** Keeps the time until the next attempt, and shortens the text before it: `✗ 500 in 9 s`, or `✗ 500 9 s`. */
function shortenHealth(text: string, columns: number): string {
  const [result = text, until] = text.split(', retry ')
  if (until === undefined || displayWidth(text) <= columns) return text
  const short = `${result} ${until}`
  if (displayWidth(short) <= columns) return short
  const time = until.replace(/^in /, '')
  return `${truncate(result, columns - displayWidth(time) - 1)} ${time}`
}

/** The column is wide enough for times with their day. */
export function timeColumn<R>(instant: (row: R) => string | undefined): Column<R> {
  return {
    title: 'time',
    width: 19,
    fitContent: true,
    instant,
    cell: (row, { formatTime }) => formatTime(instant(row)),
    style: () => 'dim',
  }
}
