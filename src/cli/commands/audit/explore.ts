// `--explore`: searches for orders of events that break the handler, and reports each finding.

import { join } from 'node:path'
import type { AuditReport } from '../../../audit/run.ts'
import { countOf } from '../../../domain/count-text.ts'
import { type Case, OrdersExhaustedError } from '../../../explore/evaluate-case.ts'
import { explore } from '../../../explore/explore.ts'
import { exploreChecks, sentText } from '../../../explore/explore-checks.ts'
import type { ExploreReport, Progress } from '../../../explore/explore-options.ts'
import type { Finding } from '../../../explore/finding.ts'
import { noStoryError } from '../../../explore/no-story.ts'
import { saveFinding } from '../../../explore/save-finding.ts'
import { systemRandomness } from '../../../random.ts'
import { nodeFileSystem } from '../../../store/folder/file-system.ts'
import type { Run } from '../../command.ts'
import { CliError, EXIT_CODES } from '../../failure.ts'
import { type InvocationName, invocationName } from '../../host-process.ts'
import { fileReason, requireDirectory, resolvePath } from '../../input/files.ts'
import { type StatusLine, startStatus } from '../../output/progress.ts'
import { notWritten } from '../../output/write-file.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import { forwardUrl } from '../../parsing/parse-address.ts'
import { requireSendable } from '../../parsing/parse-header.ts'
import { InterruptedError, interruptedCode } from '../../process/signals.ts'
import type { Session } from '../../session.ts'
import type { AUDIT_ARGUMENTS, AUDIT_FLAGS } from '../audit.ts'
import { readCase } from './case-file.ts'
import { findingLine, printFinding, printSummary, summaryLine } from './explore-report.ts'
import { noteStop, openExploration } from './explore-setup.ts'
import { type ReplayCommandOptions, replayCommand } from './replay-command.ts'
import { abortedReport, requireReportFiles, writeReports } from './report.ts'
import { toCliError } from './run.ts'

type Flags = FlagValues<typeof AUDIT_FLAGS>

const DEFAULT_DELIVERIES = 2000
const DEFAULT_LANES = 8
const MAX_SEED = 1_000_000

export const runExploration: Run<typeof AUDIT_ARGUMENTS, typeof AUDIT_FLAGS> = async ({ args, flags, session }) => {
  requireSendable(flags.header)
  requireReportFiles(flags, session)
  const url = forwardUrl(args.url)
  const story = flags.story === undefined ? undefined : caseOf(await readCase(flags.story, 'story', session))
  const folder = flags.save === undefined ? undefined : createFolder(flags.save, session)
  try {
    const saved = new Map<Finding, string>()
    const report = await runSearch(args.url, folder, story, flags, session, saved)
    const replayOf = (finding: Finding) =>
      replayText('psp', args.url, flags, saved.get(finding), report.seed, { omitSecrets: true })
    const incomplete = incompleteError(report, flags, session)
    await writeReports(reportOfSearch(url, report, incomplete, replayOf), flags, session)
    const { out } = session
    if (out.json) out.document(summaryLine(report))
    else printSummary(out, report)
    if (incomplete instanceof CliError) throw incomplete
    return exitOf(report, session)
  } catch (error) {
    const failure = toCliError(error, url) ?? ordersExhaustedFailure(error)
    if (failure !== undefined) await writeReports(abortedReport(url, [], failure), flags, session)
    throw failure ?? error
  }
}

/** Returns the report for JUnit and HTML. It fails if the search is incomplete. */
function reportOfSearch(
  url: string,
  report: ExploreReport,
  incomplete: Error | undefined,
  replayOf: (finding: Finding) => string,
): AuditReport {
  const whole = exploreChecks(url, report, replayOf)
  if (incomplete === undefined) return whole
  const expected = incomplete instanceof InterruptedError ? undefined : 'at least one finished story'
  return abortedReport(url, whole.checks, incomplete, sentText(report), expected)
}

/**
 * @param typedUrl the URL as the user typed it
 * @param saved receives the file of each finding
 */
async function runSearch(
  typedUrl: string,
  folder: string | undefined,
  story: Case | undefined,
  flags: Flags,
  session: Session,
  saved: Map<Finding, string>,
): Promise<ExploreReport> {
  const { out } = session
  const name = invocationName(session.host)
  const seed = flags.seed ?? Math.floor(systemRandomness().draw() * MAX_SEED)
  const { ports, signal, close } = await openExploration(forwardUrl(typedUrl), flags, session)
  if (!out.json) out.note(out.notePaint.dim(`Seed ${seed}. Ctrl-C ends the search and keeps what was found.`))
  const status = await startStatus(session)
  signal.addEventListener('abort', () => status.above(() => noteStop(session)), { once: true })
  try {
    return await explore({
      ports,
      seed,
      signal,
      time: flags.explore ?? 0,
      maxMessages: flags.deliveries ?? DEFAULT_DELIVERIES,
      concurrency: flags.lanes ?? DEFAULT_LANES,
      ...(story !== undefined && { story }),
      ...(flags.amount !== undefined && { amount: flags.amount }),
      onProgress: (progress) => showProgress(status, progress),
      onFinding(finding) {
        const file = folder === undefined ? undefined : save(finding, folder, session)
        if (file !== undefined) saved.set(finding, file)
        const shown = { file, replay: replayText(name, typedUrl, flags, file, seed) }
        if (out.json) out.document(findingLine(finding, shown))
        else status.above(() => printFinding(out, finding, shown))
      },
    })
  } finally {
    status.stop()
    close()
  }
}

/** Returns the command that replays a finding, or how to get a file that can be replayed. */
function replayText(
  name: InvocationName,
  url: string,
  flags: Flags,
  file: string | undefined,
  seed: number,
  options: ReplayCommandOptions = {},
): string {
  if (file !== undefined) return replayCommand(name, url, flags, file, options)
  return `Repeat this search with --seed ${seed} --save found. It writes the file to replay.`
}

function showProgress(status: StatusLine, { stories, messages, situations, findings, ms }: Progress): void {
  const rate = Math.round(messages / Math.max(0.001, ms / 1000))
  const found = countOf(findings, 'finding')
  const sent = countOf(messages, 'delivery', 'deliveries')
  status.show(
    `${countOf(stories, 'story', 'stories')}, ${sent} (${rate}/s), ${countOf(situations, 'situation')} reached, ${found}`,
    `${sent} (${rate}/s), ${found}`,
    `${sent}, ${found}`,
    found,
  )
}

/** Returns the file; `undefined` if it cannot be written. The finding is still reported. */
function save(finding: Finding, folder: string, { host, out }: Session): string | undefined {
  try {
    return join(folder, saveFinding(resolvePath(host, folder), finding))
  } catch (error) {
    out.warn(`A finding cannot be saved to ${folder}: ${fileReason(error)}.`)
    return undefined
  }
}

/** Drops the title of the file, because a finding of the search gets a new one. */
function caseOf({ story, schedule, resendsAll }: Case): Case {
  return { story, schedule, resendsAll }
}

/** Creates the folder of `--save` before the search, so that an error is reported early. */
function createFolder(name: string, { host }: Session): string {
  requireDirectory('--save', name, host)
  try {
    nodeFileSystem.makeFolder(resolvePath(host, name))
    return name
  } catch (error) {
    throw notWritten(name, error)
  }
}

/** Returns the error if the search was interrupted or finished no story, because the reports must then not pass. */
function incompleteError(
  report: ExploreReport,
  { explore: time = 0, order_cmd }: Flags,
  { signals }: Session,
): CliError | InterruptedError | undefined {
  if (report.end === 'interrupted') return new InterruptedError(signals.name() ?? 'SIGINT')
  const unfinished = noStoryError(report, time, {
    time: '--explore',
    deliveries: '--deliveries',
    probes: 'the probes',
    orders: order_cmd === undefined ? '--order-url' : '--order-cmd',
  })
  return unfinished && new CliError('failed', unfinished.message, unfinished.hint)
}

function exitOf({ findings, end }: ExploreReport, { signals }: Session): number {
  if (findings.length > 0) return EXIT_CODES.not_verified
  return end === 'interrupted' ? interruptedCode(signals) : EXIT_CODES.done
}

export function ordersExhaustedFailure(error: unknown): CliError | undefined {
  if (!(error instanceof OrdersExhaustedError)) return undefined
  return new CliError(
    'failed',
    'The orders of --order-id ran out before the search began.',
    'Let the shop create them with --order-url or --order-cmd. The simple stories at the start need at least 8, and each later story needs one or two.',
    'orders_exhausted',
  )
}
