// Messages of errors that the simulator is configured to return. They name the cause, because trying again does not
// help.
import { API_ERRORS, type ApiErrorCode, RefusalError } from './errors.ts'

/** Why the simulator returned an error. */
export type SimulatedCause =
  /** A plan. `source` describes `decided_by`: `magic amount 29`, `rule rul_…`, `the header X-PSP-Simulate`. */
  | { readonly kind: 'plan'; readonly source: string }
  /** A fault such as `status:503`. */
  | { readonly kind: 'fault'; readonly fault: string }

/** Descriptions of sources. All other values of `decided_by` are shown unchanged. */
const SOURCES: Readonly<Record<string, string>> = {
  default: 'the setting default_outcome',
  header: 'the header X-PSP-Simulate',
  metadata: 'metadata.simulate',
}

/**
 * Returns the error of a plan.
 * @param decidedBy the source of the plan: `rule rul_…`, `header`, `magic amount 93`
 */
export function simulatedError(
  code: ApiErrorCode,
  decidedBy: string,
  headers: Readonly<Record<string, string>> = {},
): RefusalError {
  const source = SOURCES[decidedBy] ?? decidedBy
  const message = `${API_ERRORS[code].message} The simulator is configured to return this error: ${source}.`
  return new RefusalError(code, message, headers, decidedBy)
}

/** Returns the message of the fault `status:<code>`. */
export function statusFaultMessage(status: number): string {
  return `A fault of the sandbox produced this response (status:${status}). The request had no effect.`
}

/** Returns why the simulator returned an error with this message, or `undefined` for any other error. */
export function simulatedCause(message: string): SimulatedCause | undefined {
  const [, source] = / The simulator is configured to return this error: (.+)\.$/.exec(message) ?? []
  if (source !== undefined) return { kind: 'plan', source }
  const [, fault] = /^A fault of the sandbox produced this response \((status:\d+)\)\./.exec(message) ?? []
  return fault === undefined ? undefined : { kind: 'fault', fault }
}
