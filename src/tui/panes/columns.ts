// The columns of each list, from left to right.

import { findBank } from '../../domain/bank.ts'
import { formatElapsed } from '../../domain/time-text.ts'
import { sanitizeLine } from '../../terminal/sanitize.ts'
import { displayWidth, truncate } from '../../terminal/text-width.ts'
import { httpStatusTone, statusTone } from '../../view-model/detail/tones.ts'
import { formatAttemptResult } from '../../view-model/rows/attempt-result.ts'
import { deliveryMark, MARK_TONES } from '../../view-model/rows/delivery-mark.ts'
import type {
  DeliveryRow,
  MessageRow,
  PaneName,
  PaymentRow,
  PayoutRow,
  RequestRow,
  RowOf,
} from '../../view-model/rows/rows.ts'
import { formatUntil } from '../../view-model/time-format.ts'
import { statusText } from '../theme/theme.ts'
import { type CellContext, type Column, objectColumns, timeColumn, webhookColumn } from './column.ts'

const payments: readonly Column<PaymentRow>[] = [
  ...objectColumns<PaymentRow>(({ payment }) => payment),
  webhookColumn(),
  { title: 'method', width: 9, minListWidth: 84, cell: ({ payment }) => payment.method },
  { title: 'order', width: 0, cell: ({ payment }) => payment.order_id },
  { title: 'payment', width: 8, minListWidth: 96, cell: ({ id }) => id.slice(0, 8), style: () => 'dim' },
  {
    title: 'code',
    width: 18,
    minListWidth: 112,
    fitContent: true,
    cell: ({ payment }) => payment.metadata['failure_code'] ?? '',
    style: () => 'failure',
  },
]

const payouts: readonly Column<PayoutRow>[] = [
  ...objectColumns<PayoutRow>(({ payout }) => payout),
  webhookColumn(),
  { title: 'phone', width: 13, cell: ({ payout }) => payout.recipient.phone },
  { title: 'bank', width: 0, cell: ({ payout }) => bankName(payout.recipient.bank_id) },
  {
    title: 'name',
    width: 24,
    minListWidth: 96,
    fitContent: true,
    cell: ({ payout }) => payout.recipient.full_name ?? '',
  },
  {
    title: 'reason',
    width: 18,
    minListWidth: 84,
    fitContent: true,
    cell: ({ payout }) => payout.fail_reason,
    style: () => 'failure',
  },
]

const deliveries: readonly Column<DeliveryRow>[] = [
  {
    title: 'status',
    width: 11,
    cell: ({ status }, { symbols }) => statusText(status, symbols),
    keepsStyle: true,
    style: ({ status }) => statusTone(status),
  },
  { ...timeColumn(({ lastAttempt }) => lastAttempt?.at), minListWidth: 76 },
  { title: 'event', width: 17, cell: ({ event }) => event },
  {
    title: 'note',
    width: 6,
    fitContent: true,
    cell: (row) => deliveryMark(row) ?? '',
    style: (row) => MARK_TONES[deliveryMark(row) ?? 'replay'],
  },
  { title: 'object', width: 8, minListWidth: 52, cell: ({ object_id }) => object_id.slice(0, 8), style: () => 'dim' },
  {
    title: 'result',
    width: 8,
    keepsStyle: true,
    fitContent: true,
    cell: ({ lastAttempt }) => formatAttemptResult(lastAttempt),
    style: ({ lastAttempt }) => (lastAttempt === undefined ? 'plain' : httpStatusTone(lastAttempt.status ?? 0)),
  },
  { title: 'to', width: 0, minListWidth: 96, cell: ({ url }) => shortenUrl(url) },
  {
    title: 'tries',
    width: 5,
    minListWidth: 60,
    alignRight: true,
    cell: ({ attemptsMade, attemptsTotal }) =>
      attemptsTotal === undefined ? String(attemptsMade) : `${attemptsMade}/${attemptsTotal}`,
  },
  {
    title: 'next',
    width: 9,
    minListWidth: 86,
    fitContent: true,
    cell: ({ next_attempt_at }, { now }) => formatUntil(next_attempt_at, now),
    style: () => 'warning',
  },
]

const requests: readonly Column<RequestRow>[] = [
  { ...timeColumn(({ request }) => request.sandbox_at ?? request.at), minListWidth: 48 },
  {
    title: 'status',
    width: 6,
    cell: ({ request }) => String(request.status),
    keepsStyle: true,
    style: ({ request }) => httpStatusTone(request.status),
  },
  { title: 'method', width: 6, fitContent: true, cell: ({ request }) => request.method },
  { title: 'path', width: 0, cell: ({ request }) => request.path, shorten: shortenPath },
  {
    title: 'took',
    width: 8,
    alignRight: true,
    fitContent: true,
    minListWidth: 64,
    cell: ({ request }) => formatElapsed(request.ms),
    style: () => 'dim',
  },
  { title: 'code', width: 16, minListWidth: 78, cell: ({ request }) => request.code ?? '', style: () => 'failure' },
  {
    title: 'decided by',
    width: 16,
    minListWidth: 98,
    cell: ({ request }) => request.decided_by ?? '',
    style: () => 'dim',
  },
]

const stream: readonly Column<MessageRow>[] = [
  { ...timeColumn(({ at }) => at), minListWidth: 48 },
  { title: 'kind', width: 8, cell: ({ kind }) => kind, style: () => 'accent' },
  { title: 'what', width: 0, cell: ({ summary }) => summary },
  {
    title: 'object',
    width: 8,
    minListWidth: 74,
    cell: ({ object_id }) => object_id?.slice(0, 8) ?? '',
    style: () => 'dim',
  },
]

export const COLUMNS: { readonly [P in PaneName]: readonly Column<RowOf<P>>[] } = {
  payments,
  payouts,
  deliveries,
  requests,
  stream,
}

function bankName(id: string): string {
  return findBank(id)?.name ?? id
}

/** Removes the scheme, and a loopback host too: `:3000/hooks`. */
function shortenUrl(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/^(?:127\.0\.0\.1|localhost|\[::1\])(?=:)/, '')
}

const ID = /([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/**
 * Shortens ids, then removes the common prefix, then the middle: `/v1/public/payments/1b2c3d4e…/refund`,
 * `…/payments/1b2c3d4e…/refund`, `…/payments…/refund`. The end names the operation, so it is kept.
 */
export function shortenPath(path: string, columns: number): string {
  const withoutIds = path.replace(ID, '$1…')
  const choices = [path, withoutIds, withoutIds.replace(/^\/v1\/public(?=\/)/, '…')]
  return choices.find((each) => displayWidth(each) <= columns) ?? cutMiddle(choices[2] ?? path, columns)
}

/** Keeps the part after the last `/`, unless it fills more than two thirds of the width. */
function cutMiddle(text: string, columns: number): string {
  const end = text.slice(text.lastIndexOf('/'))
  const room = columns - displayWidth(end)
  return room < columns / 3 ? truncate(text, columns) : `${truncate(text, room)}${end}`
}

export function cellText<R>({ cell }: Column<R>, row: R, context: CellContext): string {
  return sanitizeLine(cell(row, context))
}
