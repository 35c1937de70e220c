import { findBank } from '../../domain/bank.ts'
import { formatMoney } from '../../domain/currency.ts'
import type { PayoutRow } from '../state/rows.ts'
import type { Detail } from '../state/state.ts'
import { statusStyle, statusText } from '../theme/status-style.ts'
import type { StyledLines } from '../theme/styled-line.ts'
import type { Symbols } from '../theme/symbols.ts'
import { fieldLines, headingLines } from './field-lines.ts'
import { payoutSteps, timelineLines } from './timeline.ts'
import { webhookLines } from './webhook-lines.ts'

export function payoutLines(row: PayoutRow, loaded: Detail, width: number, symbols: Symbols): StyledLines {
  const { payout } = row
  return [
    [[payout.id, 'bold']],
    [
      [statusText(payout.status, symbols), statusStyle(payout.status)],
      `  ${formatMoney(payout.amount, payout.currency)}  ${payout.method}`,
    ],
    ...timelineLines(payoutSteps(row), symbols, row.steps),
    ...headingLines('Fields'),
    ...fieldLines([
      ['phone', payout.recipient.phone],
      ['bank', [findBank(payout.recipient.bank_id)?.name, payout.recipient.bank_id].filter(Boolean).join('  ')],
      ['name', payout.recipient.full_name],
      ['reason', payout.fail_reason, 'failure'],
      ['planned', payout.plan],
      ['decided by', payout.decided_by],
      ['mode', payout.mode],
    ]),
    ...webhookLines(loaded, width, symbols),
  ]
}
