// Runs checks against a handler, one after another, and reports each result.

import { isAccepted } from '../domain/http-response.ts'
import type { KnownSecret } from '../webhooks/diagnosis-input.ts'
import { ACCEPTED, acceptedWithin, type Check, type Message, type MessageValues } from './check.ts'
import { judge, type Result } from './judge.ts'
import { adjustToReuse, type OrderSupply } from './orders.ts'
import type { HandlerResponse, Probe, Send } from './ports.ts'
import { adjustToRejection, explainRejection, type Rejection } from './rejection.ts'
import { isConnectionError, runSteps } from './run-steps.ts'

export interface CheckReport {
  readonly id: string
  readonly title: string
  readonly result: Result
  readonly sent: string
  readonly expected: string
  readonly got: string
  readonly why: string
  readonly fix: string
  /** The messages with their responses, and the states after them. The first row has the titles. */
  readonly table?: readonly (readonly string[])[]
  /** A remark below the table. */
  readonly note?: string
  /** How to repeat the check. */
  readonly replay?: string
}

export interface AuditReport {
  readonly target: string
  readonly passed: number
  readonly failed: number
  readonly warned: number
  /** The number of checks that were not judged, such as after a check that stopped the handler. Omitted if it is 0. */
  readonly skipped?: number
  readonly checks: readonly CheckReport[]
}

export interface AuditOptions {
  readonly target: string
  readonly checks: readonly Check[]
  /** Returns the values of a check's messages. Called for each check, so that their times are fresh. */
  readonly values: (check?: Check) => MessageValues
  /** The number of given orders, and the number of needed ones. */
  readonly orders?: Pick<OrderSupply, 'given' | 'needed'>
  readonly send: Send
  /** The response deadline of `send`, in ms. Default: 15 s. */
  readonly timeout?: number
  /** Each probe judges the effects that it can see. */
  readonly probes: readonly Probe[]
  /** Secrets that the handler may use by mistake. */
  readonly known: readonly KnownSecret[]
  /** Secrets that the service uses to sign for this URL. */
  readonly endpointSecrets?: readonly string[]
  readonly onCheck?: (report: CheckReport) => void
  /** Called after each request of a check, including repeated ones. */
  readonly onSent?: (checkId: string, message: Message, response: HandlerResponse) => void
}

/**
 * @throws {TargetUnreachableError} if nothing listens at the target
 * @throws {ProbeError} if a probe fails
 */
export async function runAudit(options: AuditOptions): Promise<AuditReport> {
  const reports: CheckReport[] = []
  let failedAt: string | undefined
  let rejection: Rejection | undefined
  let isExplained = false
  for (const check of options.checks) {
    const checkRun = await runConfirmed(check, options, reports.length === 0, failedAt)
    if (
      !isExplained &&
      !checkRun.handlerStopped &&
      failedAt === undefined &&
      shouldExplainRejection(check, checkRun.report)
    ) {
      rejection = await explainRejection(options, check.id === 'valid' ? checkRun.responses[0] : undefined)
      isExplained = true
    }
    const report = rejection === undefined ? checkRun.report : adjustToRejection(checkRun.report, check, rejection)
    if (checkRun.handlerStopped) failedAt ??= check.id
    else failedAt = undefined
    reports.push(report)
    options.onCheck?.(report)
  }
  return reportOf(options.target, reports)
}

export function reportOf(target: string, checks: readonly CheckReport[]): AuditReport {
  const count = (wanted: Result) => checks.filter(({ result }) => result === wanted).length
  const skipped = count('skip')
  return {
    target,
    passed: count('pass'),
    failed: count('fail'),
    warned: count('warn'),
    ...(skipped > 0 && { skipped }),
    checks,
  }
}

/**
 * Returns whether the audit must call `explainRejection` after this check: after `valid` or, if that does not run,
 * after the first check of a forgery whose result is not `fail`.
 */
function shouldExplainRejection({ id, expect }: Check, { result }: CheckReport): boolean {
  return id === 'valid' || (expect === 'reject' && result !== 'fail')
}

interface CheckRun {
  readonly report: CheckReport
  readonly responses: readonly HandlerResponse[]
  /** A message got no response for a reason other than a timeout. */
  readonly handlerStopped: boolean
}

/**
 * Runs a check, and repeats it with longer waits if an effect is wrong: if the handler works after its response, the
 * effect may only be late. If it was only late, all later checks also wait longer.
 * @param isFirst true for the first check: if nothing listens at the target, it throws TargetUnreachableError
 */
async function runConfirmed(
  check: Check,
  options: AuditOptions,
  isFirst: boolean,
  failedAt?: string,
): Promise<CheckRun> {
  const checkRun = await runCheck(check, options, isFirst, failedAt)
  const { probes, orders } = options
  const isWrong = check.judge !== undefined && checkRun.report.result === 'fail' && checkRun.responses.every(isAccepted)
  // The given orders are only enough for one run of each check.
  if (!isWrong || probes.length === 0 || orders?.given !== undefined) return checkRun
  for (const probe of probes) probe.setLongWait(true)
  const again = await runCheck(check, options, false, failedAt)
  if (again.report.result === 'fail') for (const probe of probes) probe.setLongWait(false)
  return again
}

/**
 * @param isFirst true for the first check: if nothing listens at the target, it throws TargetUnreachableError
 * @param failedAt the check after which the handler no longer responded
 */
async function runCheck(check: Check, options: AuditOptions, isFirst: boolean, failedAt?: string): Promise<CheckRun> {
  const values = options.values(check)
  const send: Send = async (message) => {
    const response = await options.send(message)
    options.onSent?.(check.id, message, response)
    return response
  }
  const { responses, seen, pages } = await runSteps(
    check,
    values,
    { send, probes: options.probes },
    { isFirst, stopped: failedAt !== undefined },
  )
  const { id, title, sent, expected, why } = check
  const verdict = judge(check, responses, seen, values, pages)
  const found = {
    id,
    title,
    result: verdict.result,
    sent,
    expected: expected === ACCEPTED && options.timeout !== undefined ? acceptedWithin(options.timeout) : expected,
    got: verdict.got,
    why,
    fix: verdict.fix ?? check.fix,
  }
  const report =
    options.orders === undefined
      ? found
      : adjustToReuse(found, values.reused?.() ?? [], responses.every(isAccepted), options.orders)
  const handlerStopped = responses.some(({ status, code }) => status === undefined && code !== 'ETIMEDOUT')
  if (failedAt === undefined || !responses.some(isConnectionError)) return { report, responses, handlerStopped }
  return {
    report: {
      ...report,
      result: 'skip',
      got: `nothing: the handler has not responded since ${failedAt}`,
      fix: `Fix ${failedAt} first: nothing has listened since then.`,
    },
    responses,
    handlerStopped,
  }
}
