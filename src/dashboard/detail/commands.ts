// An object as a command line for a terminal, and as a scenario.
import type { RequestView } from '../../client/request-types.ts'
import type { PublicPayment } from '../../domain/payment.ts'
import { shellWord } from '../../view-model/actions/copy-text.ts'
import type { ListedPayment, ListedPayout } from '../../view-model/rows/rows.ts'

/** Returns the create request as curl. The key stays in a variable. */
export function createAsCurl(base: string, path: 'payments' | 'payouts', body: object): string {
  return [
    `curl -X POST ${base}/v1/public/${path}`,
    '-H "Authorization: Bearer $PSP_API_KEY"',
    "-H 'Content-Type: application/json'",
    `-d ${shellWord(JSON.stringify(body))}`,
  ].join(' \\\n  ')
}

/** Returns a logged request as curl. The key stays in a variable. */
export function requestAsCurl(base: string, { method, path, request, idempotency_key: key }: RequestView): string {
  const body = request?.body
  return [
    `curl -X ${method} ${shellWord(`${base}${path}`)}`,
    '-H "Authorization: Bearer $PSP_API_KEY"',
    ...(key === undefined ? [] : [`-H ${shellWord(`Idempotency-Key: ${key}`)}`]),
    ...(body ? ["-H 'Content-Type: application/json'", `-d ${shellWord(body)}`] : []),
  ].join(' \\\n  ')
}

export function paymentAsPsp({ amount, currency, method, order_id, description, metadata }: ListedPayment): string {
  const outcome = metadata['simulator_outcome']
  const words = [
    'psp payments create',
    `--amount ${amount}`,
    ...(currency === 'RUB' ? [] : [`--currency ${currency}`]),
    `--method ${method}`,
    `--order-id ${shellWord(order_id)}`,
    ...(description === undefined ? [] : [`--description ${shellWord(description)}`]),
    ...(outcome === undefined ? [] : [`--outcome ${outcomeOf(metadata)}`]),
  ]
  return words.join(' ')
}

export function payoutAsPsp({ amount, recipient }: ListedPayout): string {
  const { phone, bank_id, full_name } = recipient
  const name = full_name === undefined ? '' : ` --full-name ${shellWord(full_name)}`
  return `psp payouts create --amount ${amount} --phone ${shellWord(phone)} --bank-id ${shellWord(bank_id)}${name}`
}

export function paymentBody({ amount, currency, method, order_id, description }: ListedPayment): object {
  return { amount, currency, method, order_id, ...(description === undefined ? {} : { description }) }
}

export function payoutBody({ amount, currency, recipient }: ListedPayout): object {
  const { phone, bank_id, full_name } = recipient
  return { amount, currency, phone, bank_id, ...(full_name === undefined ? {} : { full_name }) }
}

function outcomeOf(metadata: PublicPayment['metadata']): string {
  const outcome = metadata['simulator_outcome'] ?? 'succeeded'
  const code = metadata['simulator_failure_code']
  return code === undefined || code === '' ? outcome : `${outcome}:${code}`
}

export interface Scenario {
  readonly name: string
  readonly description: string
  readonly steps: readonly object[]
}

/** The action that brings a payment to each final status. */
const ACTS: Readonly<Record<string, (payment: PublicPayment) => object>> = {
  succeeded: () => ({ action: 'pay' }),
  refunded: () => ({ action: 'pay' }),
  failed: ({ metadata }) => ({ action: 'decline', failure_code: metadata['failure_code'] ?? 'do_not_honor' }),
  expired: () => ({ action: 'expire' }),
}

/** Returns a scenario that creates an equal payment and brings it to the same status. */
export function paymentScenario(payment: ListedPayment): Scenario {
  const { status, refunds } = payment
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of scenarios
  const id = '${create.payment.id}'
  const act = ACTS[status]?.(payment)
  return {
    name: `payment-${payment.id.slice(0, 8)}`,
    description: `A payment with the status ${status}, saved in the dashboard.`,
    steps: [
      {
        id: 'create',
        do: 'payments.create',
        with: { ...paymentBody(payment), outcome: 'requires_action' },
        expect: { 'payment.status': 'pending' },
      },
      ...(act === undefined ? [] : [{ do: 'payments.act', with: { id, ...act } }]),
      ...(status === 'cancelled' ? [{ do: 'payments.cancel', with: { id } }] : []),
      ...refunds
        .filter((refund) => refund.status === 'succeeded')
        .map(({ amount }) => ({ do: 'payments.refund', with: { id, amount } })),
      { do: 'payments.get', with: { id }, expect: status === 'processing' ? {} : { status } },
    ],
  }
}
