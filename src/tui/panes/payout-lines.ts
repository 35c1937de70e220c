import { findBank } from '../../domain/bank.ts'
import { formatMoney } from '../../domain/currency.ts'
import type { Lines } from '../looks/line.ts'
import type { Marks } from '../looks/marks.ts'
import { statusLook, statusText } from '../looks/status.ts'
import type { PayoutRow } from '../state/rows.ts'
import type { Detail } from '../state/state.ts'
import { eventLines } from './delivery-lines.ts'
import { fields, heading } from './field-lines.ts'
import { payoutSteps, timelineLines } from './timeline.ts'

export function payoutLines(row: PayoutRow, found: Detail, width: number, marks: Marks): Lines {
  const { payout } = row
  return [
    [[payout.id, 'bold']],
    [
      [statusText(payout.status, marks), statusLook(payout.status)],
      `  ${formatMoney(payout.amount, payout.currency)}  ${payout.method}`,
    ],
    ...timelineLines(payoutSteps(row), marks, row.steps),
    ...heading('Fields'),
    ...fields([
      ['phone', payout.recipient.phone],
      ['bank', [findBank(payout.recipient.bank_id)?.name, payout.recipient.bank_id].filter(Boolean).join('  ')],
      ['name', payout.recipient.full_name],
      ['reason', payout.fail_reason, 'bad'],
      ['planned', payout.plan],
      ['decided by', payout.decided_by],
      ['mode', payout.mode],
    ]),
    ...eventLines(found, width, marks),
  ]
}
