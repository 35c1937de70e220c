// Prints a line for each check when it has run, then what to fix. Writes the files of `--junit` and `--html`.

import { isEmptyProbeFinding } from '../../../audit/judge-effects.ts'
import { followsFromValid } from '../../../audit/rejection.ts'
import { type AuditReport, type CheckReport, reportOf } from '../../../audit/run.ts'
import type { SentRequest } from '../../../audit/sent-request.ts'
import { countOf } from '../../../domain/count-text.ts'
import { rfc3339 } from '../../../domain/time.ts'
import { sanitizeLine } from '../../../terminal/sanitize.ts'
import { rejectStdout, requireOtherFile, requireReplaceable } from '../../input/files.ts'
import { wrapLine, wrapProse } from '../../output/lines.ts'
import type { Output } from '../../output/output.ts'
import { requireWritableFile, writeOutput } from '../../output/write-file.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import { InterruptedError } from '../../process/signals.ts'
import type { Session } from '../../session.ts'
import type { AUDIT_FLAGS } from '../audit.ts'

/** Maximum columns of text. */
const WIDTH = 80
const VALID_FIRST =
  'Fix the check valid first. Other failures follow from it, and a handler that rejects everything also rejects forgeries.'
/** The columns for the id of a check, as in `pass  non_ascii_header  `. */
const ID_WIDTH = 16
const LABEL_WIDTH = 10

export function printCheck(out: Output, { id, title, result }: CheckReport): void {
  const line = `${paintResult(out, result)}  ${id.padEnd(ID_WIDTH)}  ${title}`
  out.line(wrapLine(line, out.columns, ' '.repeat(ID_WIDTH + 8)))
}

export function printReport(
  out: Output,
  { checks, passed, failed, warned, skipped = 0 }: AuditReport,
  strict: boolean,
): void {
  const following = checks.filter(followsFromValid)
  // Usually all checks with probes have this finding, so it is printed once.
  const [probeFinding, ...repeated] = checks.filter(isEmptyProbeFinding)
  const printed = checks.filter((check) => !followsFromValid(check) && !repeated.includes(check))
  const also = (check: CheckReport) => (check === probeFinding ? repeated.map(({ id }) => id) : [])
  const [first] = printed
  const fixes = new Map<string, string>()
  if (first?.id === 'valid' && first.result === 'fail') printDetails(out, first, fixes)
  for (const result of ['warn', 'fail'] as const) {
    for (const check of printed) {
      if (check.result === result && (check.id !== 'valid' || result === 'warn'))
        printDetails(out, check, fixes, also(check))
    }
  }
  const count = (number: number, word: string, paint: (text: string) => string) => {
    const text = `${number} ${word}`
    return number === 0 ? text : paint(text)
  }
  const { good, bad, warn } = out.paint
  out.line()
  if (following.length > 0) out.line(wrapProse(VALID_FIRST, widthOf(out), ''))
  printSkipped(out, checks)
  const counts = [count(passed, 'passed', good), count(failed, 'failed', bad), count(warned, 'warned', warn)]
  const sum = [...counts, ...(skipped > 0 ? [count(skipped, 'skipped', warn)] : [])].join(', ')
  out.line(wrapLine(strict && warned > 0 ? `${sum}; with --strict a warning is a failure` : sum, out.columns, ''))
}

/**
 * @param fixes the check at which each fix was printed, because a fix is printed only once
 * @param also checks with the same finding, which are printed here
 */
function printDetails(out: Output, check: CheckReport, fixes: Map<string, string>, also: readonly string[] = []): void {
  const { id, title, result, sent, expected, got, why, fix } = check
  const before = fixes.get(fix)
  if (before === undefined) fixes.set(fix, id)
  const fixText = before === undefined ? fix : `As for ${before} above.`
  out.line()
  out.line(wrapLine(`${paintResult(out, result)}  ${out.paint.bold(id)}: ${title}`, out.columns, '      '))
  for (const [label, text] of Object.entries({
    sent,
    expected,
    got,
    ...(also.length > 0 && { also: also.join(', ') }),
    why,
    fix: fixText,
  })) {
    const head = `  ${out.paint.dim(label.padEnd(LABEL_WIDTH))}`
    out.line(wrapProse(sanitizeLine(text), widthOf(out), head))
  }
}

function paintResult({ paint }: Output, result: CheckReport['result']): string {
  return { pass: paint.good, fail: paint.bad, warn: paint.warn, skip: paint.dim }[result](result)
}

/** Checks are skipped after the handler crashed. */
function printSkipped(out: Output, checks: readonly CheckReport[]): void {
  const skipped = checks.filter(({ result }) => result === 'skip')
  const [first] = skipped
  if (first === undefined) return
  out.line(wrapProse(`Not judged: ${skipped.map(({ id }) => id).join(', ')}. ${first.fix}`, widthOf(out), ''))
}

function widthOf({ columns = WIDTH }: Output): number {
  return Math.min(WIDTH, columns)
}

type Flags = Pick<FlagValues<typeof AUDIT_FLAGS>, 'junit' | 'html' | 'story' | 'strict' | 'force'>

/** @param requestsOf returns the requests of a check, for the HTML report */
export async function writeReports(
  report: AuditReport,
  { junit, html, strict }: Flags,
  session: Session,
  requestsOf?: (checkId: string) => readonly SentRequest[],
): Promise<void> {
  // After a signal, the report of the aborted audit is still written, so this signal must not stop the write.
  const options = session.signals.ended.aborted ? {} : { signal: session.signals.ended }
  if (junit !== undefined) {
    const { auditJunit } = await import('../../../audit/junit.ts')
    await writeOutput(junit, auditJunit(report, strict), session, options)
  }
  if (html !== undefined) {
    const { htmlPage } = await import('../../../audit/html.ts')
    const at = rfc3339(session.host.systemClock.now(), 0)
    await writeOutput(html, htmlPage(report, { at, strict, ...(requestsOf && { requestsOf }) }), session, options)
  }
}

/**
 * Checks the report files. Call it before the audit, so that an error is reported early.
 * @throws CliError if a report file cannot be written or may not be replaced
 */
export function requireReportFiles({ junit, html, force, story }: Flags, { host }: Session): void {
  rejectStdout('--junit', junit, 'The results are printed there. Name a file: --junit audit.xml')
  rejectStdout('--html', html, 'The results are printed there. Name a file: --html audit.html')
  requireOtherFile('--junit', junit, [html, story], host)
  requireOtherFile('--html', html, [story], host)
  requireReplaceable(junit ?? '-', { force, kind: 'JUNIT', host })
  requireReplaceable(html ?? '-', { force, kind: 'AUDIT_PAGE', host })
  for (const file of [junit, html]) if (file !== undefined) requireWritableFile(file, host)
}

/**
 * Reports an aborted run as a failed suite, so that a CI system does not count it as passed.
 * @param sent describes the work that was done before the end, such as `3 checks`
 * @param expected what the run needed to be complete
 */
export function abortedReport(
  target: string,
  done: readonly CheckReport[],
  error: Error & { hint?: unknown },
  sent = done.length === 0 ? 'nothing' : countOf(done.length, 'check'),
  expected = error instanceof InterruptedError
    ? 'no signal'
    : 'a handler that accepts connections, and probes that respond',
): AuditReport {
  const last: CheckReport = {
    id: 'audit',
    title: 'runs to completion',
    result: 'fail',
    sent,
    expected,
    got: error.message,
    why: 'The audit did not finish, so its result is incomplete.',
    fix: String(error.hint ?? 'Run the audit again.'),
  }
  return reportOf(target, [...done, last])
}
