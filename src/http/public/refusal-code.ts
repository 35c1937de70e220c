// Spec 2.2 and 2.4: the failure in a create response if the bank refuses immediately.
import type { StoredPlan } from '../../domain/simulator-plan.ts'

/** Returns the unified failure code if the create request itself was refused. */
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
