// Runs checks against a handler, one after another, and tells what came of each.
import type { KnownSecret } from '../webhooks/explain-case.ts'
import { findCause } from './cause.ts'
import type { Check, Ground, Step } from './check.ts'
import type { Effect } from './effect.ts'
import { judge, type Result } from './judge.ts'
import { type Answer, type Probe, ProbeError, type Send } from './ports.ts'

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
  readonly checks: readonly CheckReport[]
}

export interface AuditOptions {
  readonly target: string
  readonly checks: readonly Check[]
  /** What the messages of a check are made of: asked for anew each time, so that their times are fresh. */
  readonly ground: () => Ground
  readonly send: Send
  readonly probe?: Probe | undefined
  /** Secrets that the handler may have mistaken for its own. */
  readonly known: readonly KnownSecret[]
  readonly onCheck?: (report: CheckReport) => void
}

/** Nobody listens at the target. */
export class TargetUnreachable extends Error {
  override readonly name = 'TargetUnreachable'
}

/**
 * @throws {TargetUnreachable} when the first message finds nobody
 * @throws {ProbeError} when the probe fails
 */
export async function runAudit(options: AuditOptions): Promise<AuditReport> {
  const reports: CheckReport[] = []
  let fell: string | undefined
  for (const check of options.checks) {
    const { report: found, ended } = await runCheck(check, options, reports.length === 0, fell)
    const report = refusesAll(reports) && check.expect === 'taken' ? afterValid(found) : found
    if (ended) fell ??= check.id
    else fell = undefined
    reports.push(report)
    options.onCheck?.(report)
  }
  const count = (wanted: Result) => reports.filter(({ result }) => result === wanted).length
  return {
    target: options.target,
    passed: count('pass'),
    failed: count('fail'),
    warned: count('warn'),
    checks: reports,
  }
}

/** The handler refuses even what is right: then its refusals of forgeries prove nothing either. */
export function refusesAll(reports: readonly CheckReport[]): boolean {
  return reports.some(({ id, result }) => id === 'valid' && result === 'fail')
}

/** Of what follows from the first finding only that is told. */
export const MEND_VALID = 'Mend valid first: what is signed rightly is refused.'

function afterValid(report: CheckReport): CheckReport {
  return report.result === 'fail' && !report.fix.startsWith('Mend ') ? { ...report, fix: MEND_VALID } : report
}

/** What one check did. `ended`: the connection broke off without an answer. */
interface Played {
  readonly report: CheckReport
  readonly ended: boolean
}

/** @param fell the check after which nobody answered any more */
async function runCheck(check: Check, options: AuditOptions, first: boolean, fell?: string): Promise<Played> {
  const { send, known } = options
  const ground = options.ground()
  const { answers, effects } = await play(check.steps(ground), options, first, fell !== undefined)
  const { id, title, sent, expected, why } = check
  const verdict = judge(check, answers, effects, ground)
  const report = { id, title, result: verdict.result, sent, expected, got: verdict.got, why }
  const ended = answers.some(({ status, code }) => status === undefined && code !== 'ETIMEDOUT')
  if (fell !== undefined && answers.some(isNobody)) {
    return { report: { ...report, result: 'fail', fix: `Mend ${fell} first: nobody listens since then.` }, ended }
  }
  const cause = id === 'valid' && verdict.result === 'fail' && answers[0]?.status !== undefined
  const found = cause ? await findCause(send, options.ground(), known) : undefined
  const fix = found === undefined ? (verdict.fix ?? check.fix) : `${found.cause}: ${found.message}`
  return { report: { ...report, fix }, ended }
}

async function play(steps: readonly Step[], { send, probe }: AuditOptions, first: boolean, fallen: boolean) {
  const answers: Answer[] = []
  const effects: Effect[] = []
  try {
    for (const { about, messages } of steps) {
      const before = await probe?.value(about)
      const step = await Promise.all(messages.map(send))
      if (first && answers.length === 0) requireTarget(step)
      answers.push(...step)
      if (probe === undefined || before === undefined) continue
      effects.push({ about, before, after: await probe.settled(about), own: probe.own })
    }
  } catch (error) {
    // The probe may have ended together with the handler: that is told by the answers.
    if (!(error instanceof ProbeError && (fallen || answers.some(isLost)))) throw error
    if (answers.length === 0) answers.push({ error: error.message, code: 'ECONNREFUSED', ms: 0, text: '' })
    return { answers, effects: undefined }
  }
  return { answers, effects: probe === undefined ? undefined : effects }
}

/** Codes of a connection that never came about. */
const NOBODY = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EPROTO']

function isLost({ status }: Answer): boolean {
  return status === undefined
}

function isNobody({ status, code }: Answer): boolean {
  return status === undefined && NOBODY.includes(code ?? '')
}

function requireTarget(answers: readonly Answer[]): void {
  const lost = answers.find(isNobody)
  if (lost !== undefined) throw new TargetUnreachable(lost.error)
}
