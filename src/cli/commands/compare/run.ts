import { countOf } from '../../../domain/count-text.ts'
import { type CompareReport, compareRecording } from '../../../recordings/compare/compare-recording.ts'
import { type ReadCalls, readCalls } from '../../../recordings/compare/read-calls.ts'
import type { StartSandbox } from '../../../recordings/compare/replay.ts'
import { createMasking } from '../../../recordings/masking.ts'
import type { SandboxOptions } from '../../../sandbox.ts'
import { systemRandomness } from '../../../time/random.ts'
import type { Run } from '../../command.ts'
import { CONFIG_FILE } from '../../config/config-file.ts'
import { resolveSettings } from '../../config/settings-config.ts'
import { EXIT_CODES } from '../../failure.ts'
import { resolvePath } from '../../input/files.ts'
import { asUtf8 } from '../../input/read-input.ts'
import { openWithProgress } from '../../input/read-with-progress.ts'
import { closeSandbox, openSandbox } from '../../local/open-sandbox.ts'
import { createTempFile, type TempFile } from '../../local/temp-file.ts'
import { requireOtherFile } from '../../output/other-files.ts'
import { startStatus } from '../../output/progress.ts'
import { notWritten, requireReplaceable, requireWritable, writeOutput } from '../../output/write-file.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import type { Session } from '../../session.ts'
import type { COMPARE_ARGUMENTS, COMPARE_FLAGS } from '../compare.ts'
import { applySettings } from './apply-settings.ts'
import { printComparison } from './print-comparison.ts'

/** Characters of the key of the pseudonyms. */
const KEY_LENGTH = 32

type Flags = FlagValues<typeof COMPARE_FLAGS>

export const run: Run<typeof COMPARE_ARGUMENTS, typeof COMPARE_FLAGS> = async ({ args, flags, session }) => {
  requireReport(args.file, flags, session)
  const { report, others } = await readAndCompare(args.file, session)
  if (flags.junit !== undefined) {
    const { compareJunit } = await import('../../../recordings/compare/junit.ts')
    await writeOutput(flags.junit, compareJunit(args.file, report), session)
  }
  const applied = flags.apply && report.proposals.length > 0
  if (applied) await applySettings(report.proposals, session)
  if (session.out.json) session.out.document({ file: args.file, ...report, other_entries: others, applied })
  else await printComparison(session.out, { file: args.file, report, others, applied })
  const left = applied ? report.remaining : report.differences.length
  return left === 0 ? EXIT_CODES.done : EXIT_CODES.not_verified
}

function requireReport(file: string, { junit, force }: Flags, { host }: Session): void {
  if (junit === undefined) return
  requireOtherFile('--junit', junit, [file, CONFIG_FILE], host)
  requireReplaceable(junit, { force, kind: 'JUNIT', host })
  if (junit === '-') return
  try {
    requireWritable(resolvePath(host, junit))
  } catch (error) {
    throw notWritten(junit, error)
  }
}

async function readAndCompare(file: string, session: Session) {
  const temporary = createTempFile('compare', session.host.pid)
  try {
    const { calls, others } = await read(file, temporary, session)
    return { report: await compared(calls, session), others }
  } finally {
    temporary.close()
  }
}

async function read(file: string, temporary: TempFile, session: Session): Promise<ReadCalls> {
  const { pieces, progress } = await openWithProgress(file, session)
  try {
    return await readCalls(asUtf8(pieces), file, temporary)
  } finally {
    progress.stop()
  }
}

async function compared(calls: ReadCalls['calls'], session: Session): Promise<CompareReport> {
  const { host, signals, config } = session
  const status = await startStatus(session)
  let shown = ''
  try {
    return await compareRecording({
      calls,
      settings: resolveSettings(config.sources).values,
      start: startIn(session),
      systemClock: host.systemClock,
      signal: signals.ended,
      mask: createMasking({ key: Buffer.from(systemRandomness().token(KEY_LENGTH)) }),
      onProgress(setting, part) {
        const what = setting === undefined ? countOf(calls.length, 'exchange') : `with another ${setting}`
        const text = `Replaying ${what}: ${Math.floor(part * 100)} %`
        if (text !== shown) status.show(text)
        shown = text
      },
    })
  } finally {
    status.stop()
  }
}

/** Starts empty sandboxes in memory. Their webhooks wait for a server, so none is sent. */
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
