// An object as a command line for a terminal, and as a scenario.

import type { RequestView } from '../../client/request-types.ts'
import { shellWord } from '../../domain/characters.ts'
import { isReservedKey } from '../../domain/metadata.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import type { PublicPayment } from '../../domain/payment.ts'
import type { ListedPayment, ListedPayout } from '../../view-model/rows/rows.ts'

/** Returns the create request as curl. The command reads the API key from a variable. */
export function createAsCurl(base: string, path: 'payments' | 'payouts', body: object, outcome?: string): string {
  return [
    `curl -X POST ${base}/v1/public/${path}`,
    '-H "Authorization: Bearer $PSP_API_KEY"',
    "-H 'Content-Type: application/json'",
    ...(outcome === undefined ? [] : [`-H ${shellWord(`X-PSP-Simulate: ${outcome}`)}`]),
    `-d ${shellWord(JSON.stringify(body))}`,
  ].join(' \\\n  ')
}

/** Returns a logged request as curl. The command reads the API key from a variable. */
export function requestAsCurl(base: string, { method, path, request, idempotency_key: key }: RequestView): string {
  const body = request?.body
  return [
    `curl -X ${method} ${shellWord(`${base}${path}`)}`,
    '-H "Authorization: Bearer $PSP_API_KEY"',
    ...(key === undefined ? [] : [`-H ${shellWord(`Idempotency-Key: ${key}`)}`]),
    ...(body ? ["-H 'Content-Type: application/json'", `-d ${shellWord(body)}`] : []),
  ].join(' \\\n  ')
}

/** Returns the create request of a payment as curl, with the same outcome. */
export function paymentAsCurl(base: string, payment: ListedPayment): string {
  return createAsCurl(base, 'payments', paymentBody(payment), outcomeOf(payment))
}

/** How users run psp, and the address of the server. */
interface Server {
  readonly base: string
  readonly command: string
}

export function paymentAsPsp({ base, command }: Server, payment: ListedPayment): string {
  const { amount, currency, method, order_id, description } = payment
  const outcome = outcomeOf(payment)
  const words = [
    `${command} payments create --url ${base}`,
    `--amount ${amount}`,
    ...(currency === 'RUB' ? [] : [`--currency ${currency}`]),
    `--method ${method}`,
    `--order-id ${shellWord(order_id)}`,
    ...(description === undefined ? [] : [`--description ${shellWord(description)}`]),
    ...Object.entries(merchantMetadata(payment) ?? {}).map(
      ([key, value]) => `--metadata ${shellWord(`${key}=${value}`)}`,
    ),
    ...(outcome === undefined ? [] : [`--outcome ${outcome}`]),
  ]
  return words.join(' ')
}

export function payoutAsPsp({ base, command }: Server, { amount, recipient }: ListedPayout): string {
  const { phone, bank_id, full_name } = recipient
  const name = full_name === undefined ? '' : ` --full-name ${shellWord(full_name)}`
  return `${command} payouts create --url ${base} --amount ${amount} --phone ${shellWord(phone)} --bank-id ${shellWord(bank_id)}${name}`
}

function paymentBody(payment: ListedPayment): object {
  const { amount, currency, method, order_id, description } = payment
  const metadata = merchantMetadata(payment)
  return omitUndefined({ amount, currency, method, order_id, description, metadata })
}

/** Returns the pairs that the merchant sent, without the outcome in `simulate`. */
function merchantMetadata({ metadata }: ListedPayment): object | undefined {
  const pairs = Object.entries(metadata).filter(([key]) => key !== 'simulate' && !isReservedKey(key))
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs)
}

export function payoutBody({ amount, currency, recipient }: ListedPayout): object {
  const { phone, bank_id, full_name } = recipient
  return { amount, currency, phone, bank_id, ...(full_name === undefined ? {} : { full_name }) }
}

function outcomeOf({ metadata }: ListedPayment): string | undefined {
  const outcome = metadata['simulator_outcome']
  const code = metadata['simulator_failure_code']
  return outcome === undefined || !code ? outcome : `${outcome}:${code}`
}

export interface Scenario {
  readonly name: string
  readonly description: string
  readonly steps: readonly object[]
}

/** The control action that brings a payment to this status. A cancellation and refunds are separate steps. */
const ACTS: Readonly<Record<string, (payment: PublicPayment) => object>> = {
  succeeded: () => ({ action: 'pay' }),
  refunded: () => ({ action: 'pay' }),
  failed: ({ metadata }) => ({ action: 'decline', failure_code: metadata['failure_code'] ?? 'do_not_honor' }),
  expired: () => ({ action: 'expire' }),
}

/**
 * Returns a scenario that creates a payment with the same fields and brings it to the same status. If the status is
 * `processing`, the new payment stays pending.
 */
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
