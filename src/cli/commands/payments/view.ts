// Prints payments.
import type { Client } from '../../../client/client.ts'
import { formatMoney } from '../../../domain/currency.ts'
import type { PublicPayment } from '../../../domain/payment.ts'
import type { PublicRefund } from '../../../domain/refund.ts'
import { ignoredPlan, ignoredPlanText } from '../../../domain/simulator-plan.ts'
import { formatUtc } from '../../../domain/time-text.ts'
import { paintStatus } from '../../output/colour.ts'
import type { Output } from '../../output/output.ts'
import { type Detail, printDetails } from '../../output/result.ts'
import { type Column, idColumn, timeColumn } from '../../output/table.ts'

/** @param decidedBy what chose the plan, from the control API */
export function printPayment(
  out: Output,
  payment: PublicPayment,
  { more = [], decidedBy }: { readonly more?: readonly Detail[]; readonly decidedBy?: string | undefined } = {},
): void {
  const { metadata } = payment
  printDetails(out, [
    ['payment', payment.id, out.paint.bold],
    ['status', payment.status, (text) => paintStatus(out.paint, text)],
    ['failure', failureOf(metadata)],
    ['amount', formatMoney(payment.amount, payment.currency)],
    ['refunded', payment.amount_refunded > 0 ? formatMoney(payment.amount_refunded, payment.currency) : undefined],
    ['method', payment.method],
    ['order', payment.order_id],
    ['planned', plannedOf(payment, decidedBy)],
    ['warning', ignoredOf(payment), out.paint.warn],
    ['created', formatUtc(payment.created_at)],
    ['final', payment.finalized_at && formatUtc(payment.finalized_at)],
    ['rrn', payment.rrn],
    ...payment.refunds.map((refund): Detail => ['refund', refundText(refund, payment.currency)]),
    ...more,
  ])
}

/**
 * How to print `decided_by` of the control API. A source with '' is not printed. Other sources are printed unchanged,
 * except for magic amounts.
 */
const SOURCES: { readonly [decided: string]: string } = {
  default: '',
  header: '--outcome or the header X-PSP-Simulate',
  metadata: 'metadata.simulate',
  act: 'an action on the hosted page',
}

/** Returns what chose the plan of the payment; `undefined` at the real service, which has no control API. */
export async function decidedBy(client: Client, id: string): Promise<string | undefined> {
  const found = await client.control.lists.payments({ id, limit: 1 }).catch(() => undefined)
  return (found?.items[0] as { readonly decided_by?: string } | undefined)?.decided_by
}

/** Returns the plan in its written form: `failed:insufficient_funds`. */
function plannedOf({ metadata, amount, currency }: PublicPayment, decidedBy: string | undefined): string | undefined {
  const outcome = metadata['simulator_outcome']
  const code = metadata['simulator_failure_code']
  const plan = code === undefined ? outcome : `${outcome}:${code}`
  const by = decidedBy?.startsWith('magic amount')
    ? `the magic amount ${formatMoney(amount, currency)}`
    : (SOURCES[decidedBy ?? ''] ?? decidedBy)
  return plan === undefined || by === undefined || by === '' ? plan : `${plan}, by ${by}`
}

/** Writes the document on stdout, and a warning about an ignored plan on stderr. */
export function documentPayment(out: Output, payment: PublicPayment, document: unknown = payment): void {
  const ignored = ignoredOf(payment)
  if (ignored !== undefined) out.warn(ignored)
  out.document(document)
}

/** Returns a warning if `metadata.simulate` contains a plan that was ignored. */
export function ignoredOf({ metadata }: PublicPayment): string | undefined {
  const ignored = ignoredPlan(metadata)
  return ignored === undefined ? undefined : ignoredPlanText(ignored)
}

function failureOf(metadata: PublicPayment['metadata']): string | undefined {
  const code = metadata['failure_code']
  const bank = metadata['bank_failure_code']
  return bank === undefined ? code : `${code} (bank: ${bank})`
}

function refundText(refund: PublicRefund, currency: string): string {
  return `${formatMoney(refund.amount, currency)} ${refund.status} ${refund.id}`
}

export const PAYMENT_COLUMNS: readonly Column<PublicPayment>[] = [
  idColumn('payment', ({ id }) => id),
  { title: 'status', cell: ({ status }) => status },
  { title: 'amount', cell: ({ amount, currency }) => formatMoney(amount, currency), right: true },
  { title: 'method', cell: ({ method }) => method },
  { title: 'order', cell: ({ order_id }) => order_id, minWidth: 12 },
  timeColumn('created', ({ created_at }) => created_at),
]
