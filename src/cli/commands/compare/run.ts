import { countOf } from '../../../domain/count-text.ts'
import { systemRandomness } from '../../../random.ts'
import {
  type CompareOptions,
  type CompareReport,
  compareRecording,
} from '../../../recordings/compare/compare-recording.ts'
import { groupKey } from '../../../recordings/compare/difference.ts'
import { type ReadCalls, readCalls } from '../../../recordings/compare/read-calls.ts'
import type { StartSandbox } from '../../../recordings/compare/replay.ts'
import { createMasking } from '../../../recordings/masking.ts'
import { RecordingError } from '../../../recordings/recording-error.ts'
import type { SandboxOptions } from '../../../sandbox.ts'
import type { Run } from '../../command.ts'
import { CONFIG_FILE } from '../../config/config-file.ts'
import { resolveSettings } from '../../config/settings-config.ts'
import { EXIT_CODES } from '../../failure.ts'
import { rejectStdout, requireOtherFile, requireReplaceable } from '../../input/files.ts'
import { asUtf8 } from '../../input/read-input.ts'
import { explainFileChange, openWithProgress } from '../../input/read-with-progress.ts'
import { closeSandbox, openSandbox } from '../../local/open-sandbox.ts'
import { createSpillFile, type SpillFile } from '../../local/spill-file.ts'
import { startStatus } from '../../output/progress.ts'
import { requireWritableFile, writeOutput } from '../../output/write-file.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import type { Session } from '../../session.ts'
import type { COMPARE_ARGUMENTS, COMPARE_FLAGS } from '../compare.ts'
import { applySettings } from './apply-settings.ts'
import { printComparison, type RemainingDifference } from './print-comparison.ts'

/** Characters of the key for pseudonyms. */
const KEY_LENGTH = 32

type Flags = FlagValues<typeof COMPARE_FLAGS>

export const run: Run<typeof COMPARE_ARGUMENTS, typeof COMPARE_FLAGS> = async ({ args, flags, session }) => {
  requireReport(args.file, flags, session)
  const { report, otherEntries, services, applied, after } = await readAndCompare(args.file, flags.apply, session)
  if (flags.junit !== undefined) {
    const { compareJunit } = await import('../../../recordings/compare/junit.ts')
    await writeOutput(flags.junit, compareJunit(args.file, report), session)
  }
  if (session.out.json)
    session.out.document({
      file: args.file,
      ...report,
      other_entries: otherEntries,
      services,
      applied,
      ...(after && { after }),
    })
  else await printComparison(session.out, { file: args.file, report, otherEntries, applied, after })
  requireComparison(args.file, report)
  const remaining = after?.differences ?? report.differences
  return remaining.length === 0 ? EXIT_CODES.done : EXIT_CODES.not_verified
}

/**
 * A recording without responses, or without bodies, must not pass as equal.
 * @throws RecordingError
 */
function requireComparison(file: string, { compared, without_body, differences }: CompareReport): void {
  if (differences.length > 0 || without_body < compared) return
  throw new RecordingError(
    compared === 0
      ? `No exchange in ${file} could be compared.`
      : `${file} has no response bodies, so only statuses and headers were compared.`,
    'Record again with `psp record`, or save the HAR file with the contents of the responses.',
  )
}

function requireReport(file: string, { junit, force }: Flags, { host }: Session): void {
  if (junit === undefined) return
  rejectStdout('--junit', junit, 'The differences are printed there. Name a file: --junit compare.xml')
  requireOtherFile('--junit', junit, [file, CONFIG_FILE], host)
  requireReplaceable(junit, { force, kind: 'JUNIT', host })
  requireWritableFile(junit, host)
}

/** @param applies true to write the proposed settings, and to compare again with them */
async function readAndCompare(file: string, applies: boolean, session: Session) {
  const temporary = createSpillFile(session.host.pid)
  try {
    const { calls, otherEntries, services } = await readRecording(file, temporary, session)
    warnAboutServices(file, services, session)
    const given = resolveSettings(session.config.sources)
    const report = await compareCalls(calls, { settings: given.values }, session)
    const applied = applies && report.proposals.length > 0
    if (!applied) return { report, otherEntries, services, applied, after: undefined }
    await applySettings(report.proposals, session)
    // A flag or a variable overrides psp.config.json.
    const overridden = report.proposals.flatMap(({ setting }) => {
      const origin = given.origins[setting]
      return origin === undefined || origin === CONFIG_FILE ? [] : [{ setting, origin }]
    })
    const written = report.proposals.filter(({ setting }) => !overridden.some((other) => other.setting === setting))
    const settings = { ...given.values, ...Object.fromEntries(written.map(({ setting, value }) => [setting, value])) }
    const { differences } = await compareCalls(calls, { settings, findsSettings: false }, session)
    return {
      report,
      otherEntries,
      services,
      applied,
      after: { differences: withReasons(differences, report, overridden) },
    }
  } finally {
    temporary.close()
  }
}

/** Warns about a recording of several services, because ids and keys of one service may not be valid at another. */
function warnAboutServices(file: string, services: ReadCalls['services'], { out }: Session): void {
  if (services.length < 2) return
  const list = services.map(({ origin, exchanges }) => `${origin} (${exchanges})`).join(', ')
  out.warn(`${file} has exchanges with ${services.length} services: ${list}.`)
  out.warn('They are compared as one service. Record each service in a separate file.')
}

/** Adds why psp.config.json does not remove a difference: no setting changes it, or a flag or variable overrides it. */
function withReasons(
  differences: CompareReport['differences'],
  { differences: before }: CompareReport,
  overridden: readonly { readonly setting: string; readonly origin: string }[],
): RemainingDifference[] {
  return differences.map((difference) => {
    const { setting } = before.find((one) => groupKey(one) === groupKey(difference)) ?? {}
    const origin = overridden.find((one) => one.setting === setting)?.origin
    const reason = origin === undefined ? 'no setting changes it' : `${origin} overrides ${setting}`
    return { ...difference, reason }
  })
}

async function readRecording(file: string, temporary: SpillFile, session: Session): Promise<ReadCalls> {
  const name = file === '-' ? 'stdin' : file
  const input = await openWithProgress(file, session)
  try {
    return await readCalls(asUtf8(input.pieces), name, temporary)
  } catch (error) {
    throw explainFileChange(error, name, input)
  } finally {
    input.progress.stop()
  }
}

async function compareCalls(
  calls: ReadCalls['calls'],
  options: Pick<CompareOptions, 'settings' | 'findsSettings'>,
  session: Session,
): Promise<CompareReport> {
  const { host, signals } = session
  const status = await startStatus(session)
  let shown = ''
  try {
    return await compareRecording({
      calls,
      ...options,
      start: startIn(session),
      systemClock: host.systemClock,
      signal: signals.ended,
      mask: createMasking({ key: Buffer.from(systemRandomness().token(KEY_LENGTH)) }),
      onProgress(setting, part) {
        const what = setting === undefined ? countOf(calls.length, 'exchange') : `with a different ${setting}`
        const text = `Replaying ${what}: ${Math.floor(part * 100)} %`
        if (text !== shown) status.show(text)
        shown = text
      },
    })
  } finally {
    status.stop()
  }
}

/** Returns a function that starts an empty sandbox in memory. The sandbox sends no webhooks. */
function startIn(session: Session): StartSandbox {
  return async ({ settings, now }) => {
    const sandbox = await openSandbox(session, {
      settings,
      holdDeliveries: true,
      clock: { mode: 'frozen', now },
    } as SandboxOptions)
    return {
      fetch: (url, { pieces: _, ...init }) => sandbox.fetch(new Request(url, init)),
      close: () => closeSandbox(sandbox, 0),
    }
  }
}
