import { formatMoney } from '../../domain/currency.ts'
import { threeDsText } from '../../domain/three-ds.ts'
import { formatAttemptResult } from './attempt-result.ts'
import { deliveryMark } from './delivery-mark.ts'
import type { ControlMessage } from './stream-message.ts'

/**
 * Summarizes a stream message in one line, such as `pending -> processing  1 500.00 RUB  order ord_1764…`.
 * The line may contain text of merchants, so sanitize it before display.
 */
export function summarizeMessage(message: ControlMessage): string {
  switch (message.kind) {
    case 'payment': {
      const { amount, currency, order_id } = message.payment
      const step = message.three_ds === undefined ? '' : `3-D Secure: ${threeDsText(message.three_ds)}`
      return joinParts(formatStatusChange(message), step, formatMoney(amount, currency), `order ${order_id}`)
    }
    case 'payout': {
      const { amount, currency, recipient } = message.payout
      return joinParts(formatStatusChange(message), formatMoney(amount, currency), `to ${recipient.phone}`)
    }
    case 'refund':
      return joinParts(formatStatusChange(message), `of payment ${message.refund.payment_id}`)
    case 'event':
      return joinParts(message.event.event, message.event.id)
    case 'delivery':
      return joinParts(
        message.delivery.event,
        message.delivery.status,
        deliveryMark(message.delivery) ?? '',
        `${DELIVERY_WORDS[message.delivery.status] ?? 'to'} ${message.delivery.url}`,
      )
    case 'attempt':
      return joinParts(
        message.delivery.event,
        formatAttemptResult(message.attempt),
        deliveryMark(message.delivery) ?? '',
        `from ${message.delivery.url}`,
      )
    case 'request': {
      const { method, path, status, ms, code } = message.request
      return joinParts(`${method} ${path}`, String(status), `${Math.round(ms)} ms`, code ?? '')
    }
    case 'clock': {
      const { mode, now, speed } = message.clock
      return joinParts(mode === 'scaled' ? `x${speed}` : mode, now)
    }
    case 'reset':
      return message.command === 'import_state' ? 'all data was restored or imported' : 'the data was reset'
    case 'gap':
      return 'messages were missed; the lists are being reloaded'
  }
}

/** The words between a status of a delivery and its URL. Other statuses need only `to`. */
const DELIVERY_WORDS: { readonly [status: string]: string } = { waiting: 'to be sent to', exhausted: 'not accepted by' }

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
