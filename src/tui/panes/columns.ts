// The columns of each list, in the order in which they stand. Narrow screens leave out what comes last by `from`.
import { findBank } from '../../domain/bank.ts'
import { formatMoney } from '../../domain/currency.ts'
import { formatElapsed } from '../../terminal/time-format.ts'
import { stranger } from '../looks/line.ts'
import type { LookName } from '../looks/looks.ts'
import type { Marks } from '../looks/marks.ts'
import { httpLook, statusLook, statusText } from '../looks/status.ts'
import { answerWord } from '../state/message-word.ts'
import type { DeliveryRow, MessageRow, PaneName, PaymentRow, PayoutRow, RequestRow, Tables } from '../state/rows.ts'
import { age, type Face, until } from './clock-face.ts'
import { shortPath } from './short-path.ts'

export interface Column<R> {
  readonly title: string
  /** Columns of the screen; 0 takes the rest. */
  readonly width: number
  readonly right?: true
  /** Columns the list must have for this one to be shown. */
  readonly from?: number
  /** As narrow as what the shown rows hold, and gone where they hold nothing: the room goes to the column of width 0. */
  readonly snug?: true
  /** May hold text of strangers: it is stripped where it is drawn. */
  readonly cell: (row: R, at: At) => string
  readonly look?: (row: R) => LookName
  /** When it was, of the column that tells it: {@link At.time} is made for all that are shown. */
  readonly instant?: (row: R) => string | undefined
  /** How a text that is too wide is shortened; absent: it loses its end. */
  readonly shorten?: (text: string, columns: number) => string
}

/** What a cell depends on besides its row. */
export interface At {
  /** The sandbox's clock, ms. */
  readonly now: number
  readonly time: Face
  readonly marks: Marks
}

type RowOf<P extends PaneName> = Tables[P] extends ReadonlyMap<string, infer R> ? R : never

const payments: readonly Column<PaymentRow>[] = [
  {
    title: 'status',
    width: 12,
    cell: ({ payment }, { marks }) => statusText(payment.status, marks),
    look: ({ payment }) => statusLook(payment.status),
  },
  {
    title: 'age',
    width: 6,
    right: true,
    cell: ({ payment }, { now }) => age(payment.created_at, now),
    look: () => 'dim',
  },
  {
    title: 'amount',
    width: 16,
    right: true,
    snug: true,
    cell: ({ payment }) => formatMoney(payment.amount, payment.currency),
  },
  { title: 'method', width: 9, from: 64, cell: ({ payment }) => payment.method },
  { title: 'order', width: 0, cell: ({ payment }) => payment.order_id },
  { title: 'payment', width: 8, from: 84, cell: ({ id }) => id.slice(0, 8), look: () => 'dim' },
  {
    title: 'code',
    width: 18,
    from: 96,
    snug: true,
    cell: ({ payment }) => payment.metadata['failure_code'] ?? '',
    look: () => 'bad',
  },
]

const payouts: readonly Column<PayoutRow>[] = [
  {
    title: 'status',
    width: 12,
    cell: ({ payout }, { marks }) => statusText(payout.status, marks),
    look: ({ payout }) => statusLook(payout.status),
  },
  {
    title: 'age',
    width: 6,
    right: true,
    cell: ({ payout }, { now }) => age(payout.created_at, now),
    look: () => 'dim',
  },
  {
    title: 'amount',
    width: 16,
    right: true,
    snug: true,
    cell: ({ payout }) => formatMoney(payout.amount, payout.currency),
  },
  { title: 'phone', width: 13, cell: ({ payout }) => payout.recipient.phone },
  { title: 'bank', width: 0, cell: ({ payout }) => bankName(payout.recipient.bank_id) },
  { title: 'name', width: 24, from: 96, snug: true, cell: ({ payout }) => payout.recipient.full_name ?? '' },
  { title: 'reason', width: 18, from: 84, snug: true, cell: ({ payout }) => payout.fail_reason, look: () => 'bad' },
]

const deliveries: readonly Column<DeliveryRow>[] = [
  {
    title: 'status',
    width: 11,
    cell: ({ status }, { marks }) => statusText(status, marks),
    look: ({ status }) => statusLook(status),
  },
  { ...timeColumn(({ last }) => last?.at), from: 76 },
  { title: 'event', width: 17, cell: ({ event }) => event },
  { title: 'object', width: 8, cell: ({ object_id }) => object_id.slice(0, 8), look: () => 'dim' },
  {
    title: 'answer',
    width: 8,
    snug: true,
    cell: ({ last }) => answerWord(last),
    look: ({ last }) => (last === undefined ? 'plain' : httpLook(last.status ?? 0)),
  },
  { title: 'to', width: 0, from: 96, cell: ({ url }) => shortUrl(url) },
  {
    title: 'tries',
    width: 5,
    from: 60,
    right: true,
    cell: ({ made, total }) => (total === undefined ? String(made) : `${made}/${total}`),
  },
  {
    title: 'next',
    width: 9,
    from: 86,
    snug: true,
    cell: ({ next_attempt_at }, { now }) => until(next_attempt_at, now),
    look: () => 'odd',
  },
]

const requests: readonly Column<RequestRow>[] = [
  timeColumn(({ request }) => request.sandbox_at ?? request.at),
  {
    title: 'status',
    width: 6,
    cell: ({ request }) => String(request.status),
    look: ({ request }) => httpLook(request.status),
  },
  { title: 'method', width: 6, snug: true, cell: ({ request }) => request.method },
  { title: 'path', width: 0, cell: ({ request }) => request.path, shorten: shortPath },
  {
    title: 'took',
    width: 8,
    right: true,
    snug: true,
    from: 64,
    cell: ({ request }) => formatElapsed(request.ms),
    look: () => 'dim',
  },
  { title: 'code', width: 16, from: 78, cell: ({ request }) => request.code ?? '', look: () => 'bad' },
  { title: 'decided by', width: 16, from: 98, cell: ({ request }) => request.decided_by ?? '', look: () => 'dim' },
]

const stream: readonly Column<MessageRow>[] = [
  timeColumn(({ at }) => at),
  { title: 'kind', width: 8, cell: ({ kind }) => kind, look: () => 'name' },
  { title: 'what', width: 0, cell: ({ word }) => word },
  { title: 'object', width: 8, from: 74, cell: ({ object_id }) => object_id?.slice(0, 8) ?? '', look: () => 'dim' },
]

export const COLUMNS: { readonly [P in PaneName]: readonly Column<RowOf<P>>[] } = {
  payments,
  payouts,
  deliveries,
  requests,
  stream,
}

/** The id where the directory has no such bank. */
function bankName(id: string): string {
  return findBank(id)?.name ?? id
}

/** As wide as its times: with their days where they are of several. */
function timeColumn<R>(instant: (row: R) => string | undefined): Column<R> {
  return {
    title: 'time',
    width: 19,
    snug: true,
    instant,
    cell: (row, { time }) => time(instant(row)),
    look: () => 'dim',
  }
}

/** Without the scheme, and on this machine without the host: `:3000/hooks`. */
function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/^(?:127\.0\.0\.1|localhost|\[::1\])(?=:)/, '')
}

/** A cell as it is drawn. */
export function cellText<R>({ cell }: Column<R>, row: R, at: At): string {
  return stranger(cell(row, at))
}
