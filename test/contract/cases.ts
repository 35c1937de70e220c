// Tests of each promise of the public API that a caller can observe.
import { AUTHENTICATION_CASES } from './authentication.ts'
import { BODY_CASES } from './bodies.ts'
import type { ContractCase } from './case.ts'
import { ERROR_CASES } from './errors.ts'
import { IDEMPOTENCY_CASES } from './idempotency.ts'
import { PAYMENT_CASES } from './payments.ts'
import { PAYOUT_CASES } from './payouts.ts'
import { ROUTE_CASES } from './routes.ts'
import { STREAM_CASES } from './stream.ts'

export const CONTRACT_CASES: readonly ContractCase[] = [
  ...ROUTE_CASES,
  ...BODY_CASES,
  ...PAYMENT_CASES,
  ...PAYOUT_CASES,
  ...STREAM_CASES,
  ...AUTHENTICATION_CASES,
  ...IDEMPOTENCY_CASES,
  ...ERROR_CASES,
]

/** Returns the cases of these sections and their subsections. */
export function casesOf(...sections: readonly string[]): readonly ContractCase[] {
  return CONTRACT_CASES.filter(({ section }) =>
    sections.some((own) => section === own || section.startsWith(`${own}.`)),
  )
}
