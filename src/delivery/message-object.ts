import type { ControlEntry } from './control-messages.ts'

/** Returns the id of the payment or payout that an entry is about. */
export function objectIdOf(entry: ControlEntry): string | undefined {
  switch (entry.kind) {
    case 'payment':
    case 'payout':
      return entry.row.id
    case 'refund':
      return entry.row.payment_id
    case 'event':
      return entry.row.object_id
    case 'delivery':
    case 'attempt':
      return entry.summary.object_id
    case 'request':
      return (entry.request as { readonly object_id?: string }).object_id
    default:
      return undefined
  }
}
