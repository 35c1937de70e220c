import { formatMoney } from '../../domain/currency.ts'
import type { Row } from './rows.ts'

const cache = new WeakMap<Row, string>()

/** Returns the text of a row that a filter searches, in lower case. Cached for each row. */
export function searchTextOf(row: Row): string {
  let text = cache.get(row)
  if (text === undefined) {
    text = textsOf(row).join(' ').toLowerCase()
    cache.set(row, text)
  }
  return text
}

function textsOf(row: Row): readonly (string | number | null | undefined)[] {
  if ('payment' in row) {
    const { id, status, method, order_id, amount, currency, metadata, description } = row.payment
    return [id, status, method, order_id, amount, formatMoney(amount, currency), metadata['failure_code'], description]
  }
  if ('payout' in row) {
    const { id, status, amount, currency, recipient, fail_reason } = row.payout
    return [id, status, amount, formatMoney(amount, currency), recipient.phone, recipient.full_name, fail_reason]
  }
  if ('request' in row) {
    const { method, path, status, code, decided_by } = row.request
    return [method, path, status, code, decided_by]
  }
  if ('data' in row) return [row.kind, row.summary, row.object_id]
  return [
    row.id,
    row.event,
    row.event_id,
    row.object_id,
    row.url,
    row.status,
    row.lastAttempt?.status,
    row.lastAttempt?.error,
  ]
}
