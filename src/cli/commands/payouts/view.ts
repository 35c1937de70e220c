import { formatMoney } from '../../../domain/currency.ts'
import type { PublicPayout } from '../../../domain/payout.ts'
import { formatUtc } from '../../../terminal/time-format.ts'
import { type Detail, printDetails } from '../../output/details.ts'
import type { Output } from '../../output/output.ts'
import { paintStatus } from '../../output/status-color.ts'

export function printPayout(out: Output, payout: PublicPayout, more: readonly Detail[] = []): void {
  printDetails(out, [
    ['payout', payout.id, out.paint.bold],
    ['status', payout.status, (text) => paintStatus(out.paint, text)],
    ['failure', payout.fail_reason],
    ['amount', formatMoney(payout.amount, payout.currency)],
    ['to', payout.recipient.phone],
    ['bank', payout.recipient.bank_id],
    ['name', payout.recipient.full_name],
    ['created', formatUtc(payout.created_at)],
    ['completed', payout.completed_at && formatUtc(payout.completed_at)],
    ...more,
  ])
}
