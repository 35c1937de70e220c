// Replaces src/client/network-failures.ts. Browsers do not report the cause of a network failure.
import type * as failures from '../../client/network-failures.ts'

export const reasonOf: typeof failures.reasonOf = (cause) => (cause instanceof Error ? cause.message : String(cause))
export const wasSent: typeof failures.wasSent = () => false
