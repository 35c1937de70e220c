// One line for a message of the stream.
import { formatMoney } from '../../domain/currency.ts'
import type { StreamMessage } from './stream-message.ts'

/** `pending -> processing  1 500.00 RUB  order ord_1764…`. It may hold text of merchants: strip it before it is shown. */
export function summarizeMessage(told: StreamMessage): string {
  switch (told.kind) {
    case 'payment': {
      const { amount, currency, order_id } = told.payment
      return joinParts(formatStatusChange(told), formatMoney(amount, currency), `order ${order_id}`)
    }
    case 'payout': {
      const { amount, currency, recipient } = told.payout
      return joinParts(formatStatusChange(told), formatMoney(amount, currency), `to ${recipient.phone}`)
    }
    case 'refund':
      return joinParts(formatStatusChange(told), `of payment ${told.refund.payment_id}`)
    case 'event':
      return joinParts(told.event.event, told.event.id)
    case 'delivery':
      return joinParts(told.delivery.event, told.delivery.status, `to ${told.delivery.url}`)
    case 'attempt':
      return joinParts(told.delivery.event, formatAttemptResult(told.attempt), `from ${told.delivery.url}`)
    case 'request': {
      const { method, path, status, ms, code } = told.request
      return joinParts(`${method} ${path}`, String(status), `${Math.round(ms)} ms`, code ?? '')
    }
    case 'clock': {
      const { mode, now, speed } = told.clock
      return joinParts(mode === 'scaled' ? `x${speed}` : mode, now)
    }
    case 'reset':
      return joinParts('everything was replaced by', told.command)
    case 'gap':
      return 'messages were missed; the lists are read anew'
  }
}

/** `200`, or why no answer came. */
export function formatAttemptResult(
  attempt: { status?: number | null | undefined; error?: string | null | undefined } | undefined,
): string {
  if (attempt === undefined) return ''
  return attempt.status === undefined || attempt.status === null
    ? (attempt.error ?? 'no answer')
    : String(attempt.status)
}

function formatStatusChange({
  change,
  status,
  previous_status,
}: {
  change: string
  status: string
  previous_status?: string
}): string {
  if (previous_status !== undefined && change === 'status_changed') return `${previous_status} -> ${status}`
  return change === 'created' ? `created ${status}` : status
}

function joinParts(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('  ')
}
