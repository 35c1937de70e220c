// Runs checks against a handler, one after another, and tells what came of each.
import type { KnownSecret } from '../webhooks/diagnosis-input.ts'
import { type Check, type Ground, TAKEN, takenWithin } from './check.ts'
import { isTaken, judge, type Result } from './judge.ts'
import { type OrderSupply, withReuse } from './orders.ts'
import { isNobody, play } from './play.ts'
import type { Answer, Probe, Send } from './ports.ts'
import { type Refusal, refusalOf, unproven } from './refusal.ts'

export interface CheckReport {
  readonly id: string
  readonly title: string
  readonly result: Result
  readonly sent: string
  readonly expected: string
  readonly got: string
  readonly why: string
  readonly fix: string
}

export interface AuditReport {
  readonly target: string
  readonly passed: number
  readonly failed: number
  readonly warned: number
  /** Not judged, for an earlier check ended the handler; absent where every check was. */
  readonly skipped?: number
  readonly checks: readonly CheckReport[]
}

export interface AuditOptions {
  readonly target: string
  readonly checks: readonly Check[]
  /** What the messages of a check are made of: asked for anew each time, so that their times are fresh. */
  readonly ground: (check?: Check) => Ground
  /** How many orders there are, and how many are needed. */
  readonly orders?: Pick<OrderSupply, 'given' | 'needed'>
  readonly send: Send
  /** What `send` waits for an answer, ms; default 15 s. */
  readonly timeout?: number
  /** Each judges what it can see. */
  readonly probes: readonly Probe[]
  /** Secrets that the handler may have mistaken for its own. */
  readonly known: readonly KnownSecret[]
  /** Secrets the service itself signs with at this url. */
  readonly endpoint?: readonly string[]
  readonly onCheck?: (report: CheckReport) => void
}

/**
 * @throws {TargetUnreachable} when the first message finds nobody
 * @throws {ProbeError} when the probe fails
 */
export async function runAudit(options: AuditOptions): Promise<AuditReport> {
  const reports: CheckReport[] = []
  let fell: string | undefined
  let refusal: Refusal | undefined
  let known = false
  for (const check of options.checks) {
    const played = await runCheck(check, options, reports.length === 0, fell)
    if (!known && !played.ended && fell === undefined && doubtful(check, played.report)) {
      refusal = await refusalOf(options, check.id === 'valid' ? played.answers[0] : undefined)
      known = true
    }
    const report = refusal === undefined ? played.report : unproven(played.report, check, refusal)
    if (played.ended) fell ??= check.id
    else fell = undefined
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

/** Is what came of a right webhook to be looked into? Without that check, the first refusal asks for it. */
function doubtful({ id, expect }: Check, { result }: CheckReport): boolean {
  return id === 'valid' || (expect === 'refused' && result !== 'fail')
}

/** What one check did. `ended`: the connection broke off without an answer. */
interface Played {
  readonly report: CheckReport
  readonly answers: readonly Answer[]
  readonly ended: boolean
}

/** @param fell the check after which nobody answered any more */
async function runCheck(check: Check, options: AuditOptions, first: boolean, fell?: string): Promise<Played> {
  const ground = options.ground(check)
  const { answers, seen, pages } = await play(check, ground, options, { first, fallen: fell !== undefined })
  const { id, title, sent, expected, why } = check
  const verdict = judge(check, answers, seen, ground, pages)
  const found = {
    id,
    title,
    result: verdict.result,
    sent,
    expected: expected === TAKEN && options.timeout !== undefined ? takenWithin(options.timeout) : expected,
    got: verdict.got,
    why,
    fix: verdict.fix ?? check.fix,
  }
  const report =
    options.orders === undefined
      ? found
      : withReuse(found, ground.reused?.() ?? [], answers.every(isTaken), options.orders)
  const ended = answers.some(({ status, code }) => status === undefined && code !== 'ETIMEDOUT')
  if (fell === undefined || !answers.some(isNobody)) return { report, answers, ended }
  return {
    report: {
      ...report,
      result: 'skip',
      got: `nothing: the handler is gone since ${fell}`,
      fix: `Fix ${fell} first: nobody listens since then.`,
    },
    answers,
    ended,
  }
}
