// The columns and the filter that several lists share.
import { formatMoney } from '../../domain/currency.ts'
import { formatDateTime } from '../../view-model/time-format.ts'
import type { MessageKey } from '../text/messages.ts'
import { Status } from './badge.tsx'
import type { Column, ListFilter } from './list-definition.ts'
import { textWidth } from './table-layout.ts'

export const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

export function amountColumn<R>(read: (row: R) => { readonly amount: number; readonly currency: string }): Column<R> {
  return {
    key: 'amount',
    title: 'amount',
    minWidth: 7,
    contentWidth: (row) => textWidth(formatMoney(read(row).amount, read(row).currency)),
    align: 'end',
    narrow: 'start',
    cell: (row) => <span class="money">{formatMoney(read(row).amount, read(row).currency)}</span>,
    compare: (a, b) => read(a).amount - read(b).amount,
  }
}

/** The width of a status without its text, in rem. */
const BADGE = 1.5

/** @param order the statuses in the order in which the column sorts them */
export function statusColumn<R>(read: (row: R) => string, order: readonly string[]): Column<R> {
  return {
    key: 'status',
    title: 'status',
    minWidth: 6.25,
    contentWidth: (row, t) => textWidth(t.label(read(row))) + BADGE,
    narrow: 'end',
    cell: (row) => <Status status={read(row)} />,
    compare: (a, b) => order.indexOf(read(a)) - order.indexOf(read(b)),
  }
}

export function timeColumn<R>(read: (row: R) => string | undefined, title: MessageKey = 'created'): Column<R> {
  return {
    key: title,
    title,
    minWidth: 9,
    narrow: 'below-end',
    cell: (row) => <time class="quiet">{formatDateTime(read(row) ?? '')}</time>,
    compare: (a, b) => byText(read(a) ?? '', read(b) ?? ''),
  }
}

/**
 * A column of text from a merchant or a receiver.
 * @param minWidth in rem
 */
export function textColumn<R>(
  title: MessageKey,
  minWidth: number,
  read: (row: R) => string | null | undefined,
  { isQuiet = true, ...rest }: Pick<Column<R>, 'narrow' | 'compare' | 'fills'> & { readonly isQuiet?: boolean } = {},
): Column<R> {
  return {
    key: title,
    title,
    minWidth,
    contentWidth: (row) => textWidth(read(row) ?? ''),
    cell: (row) => <bdi class={isQuiet ? 'quiet' : ''}>{read(row)}</bdi>,
    ...rest,
  }
}

/** Filters by the day in UTC, from the first to the last day, both included. */
export function dateFilter<R>(read: (row: R) => string | undefined): ListFilter<R> {
  return { key: 'date', title: 'date', choices: 'date', read: (row) => (read(row) ?? '').slice(0, 10) }
}
