// Spec 2.2 and 2.4: what a create response says of a synchronous refusal.
import type { StoredPlan } from '../../domain/simulator-plan.ts'

/** The unified failure code where the operation was refused within its create request. */
export function refusedCode({
  plan,
  status,
}: {
  readonly plan: StoredPlan
  readonly status: string
}): string | undefined {
  return plan.outcome === 'refused' && status === 'failed' ? plan.code : undefined
}

export function refusedMessage(code: string): string {
  return `The bank refused the operation at once: ${code.replaceAll('_', ' ')}.`
}
