import type { ImportResult } from '../../../client/history-types.ts'
import { countOf } from '../../../domain/count-text.ts'
import { groupBy } from '../../../domain/group-by.ts'
import { BODY_MASKED, describeSignature, type ImportedSignature } from '../../../domain/imported-event.ts'
import { formatDuration } from '../../../domain/time.ts'
import { formatUtc } from '../../../domain/time-text.ts'
import { createSignatureChecker } from '../../../recordings/check-signature.ts'
import { type CollectedEvent, EventCollector } from '../../../recordings/collect-events.ts'
import { createMasking, type Masking } from '../../../recordings/masking.ts'
import { openRecording } from '../../../recordings/open-recording.ts'
import type { RecordingFormat } from '../../../recordings/recorded-message.ts'
import { RecordingError } from '../../../recordings/recording-error.ts'
import type { Run } from '../../command.ts'
import { EXIT_CODES } from '../../failure.ts'
import { asUtf8 } from '../../input/read-input.ts'
import { explainFileChange, openWithProgress } from '../../input/read-with-progress.ts'
import { noteUnstoredKey, readPseudonymKey } from '../../local/pseudonym-key.ts'
import { printDetails, printResult } from '../../output/result.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import type { Session } from '../../session.ts'
import { readSignatureFacts } from '../../target/signature-facts.ts'
import type { IMPORT_ARGUMENTS, IMPORT_FLAGS } from '../events.ts'

type Flags = FlagValues<typeof IMPORT_FLAGS>

/** Reads all files before anything is stored. Returns exit code 8 if a signature is invalid. */
export const importEvents: Run<typeof IMPORT_ARGUMENTS, typeof IMPORT_FLAGS> = async ({ args, flags, session }) => {
  const { client } = await session.target('folder')
  const leftOut: RecordingError[] = []
  const onInvalid = (error: RecordingError) => {
    if (!flags.skip_invalid) throw error
    leftOut.push(error)
  }
  const { secrets } = await readSignatureFacts(session, undefined)
  const key = readPseudonymKey(session)
  noteUnstoredKey(session)
  const collector = new EventCollector({
    key,
    masking: createMasking({ key, keepsPersonalData: flags.keep_personal_data }),
    check: createSignatureChecker({ given: flags.secret, known: secrets }),
    now: session.host.systemClock.now(),
    onInvalid,
  })
  const files: FileReport[] = []
  for (const file of args.files)
    files.push(await readFile(file, flags, createMasking({ key }), collector, onInvalid, session))
  const { events } = collector.collected
  if (events.length === 0) throw nothingImported(leftOut)
  // The events of all files form one history.
  events.sort((a, b) => Date.parse(a.received_at) - Date.parse(b.received_at))
  const result = await client.control.importedEvents.import({
    events: events.map(({ event: _, file: __, why: ___, ...row }) => row),
    ...(flags.replace && { replace: true }),
  })
  const report = { ...result, ...summaryOf(collector, leftOut, files), files }
  await printResult(session.out, report, () => print(session, report, collector, leftOut))
  const isVerified = !events.some(({ signature }) => signature === 'invalid')
  return isVerified ? EXIT_CODES.done : EXIT_CODES.not_verified
}

interface FileReport {
  readonly file: string
  readonly format: RecordingFormat
  readonly events: number
  /** The number of messages that are not webhooks. */
  readonly other_messages: number
}

async function readFile(
  file: string,
  { format: given }: Flags,
  masking: Masking,
  collector: EventCollector,
  onInvalid: (error: RecordingError) => void,
  session: Session,
): Promise<FileReport> {
  const name = file === '-' ? 'stdin' : file
  const input = await openWithProgress(file, session)
  const { collected } = collector
  const before = collected.events.length + collected.repeated
  collector.beginFile()
  try {
    const { format, messages } = await openRecording(asUtf8(input.pieces), {
      name,
      format: given,
      onInvalid,
    })
    let others = 0
    let first = ''
    for await (const message of messages) {
      if (collector.add(message, name)) continue
      others++
      first ||= `${message.place}: ${message.about.replace(/\S+$/, masking.url)}`.slice(0, 160)
    }
    const events = collected.events.length + collected.repeated - before
    if (events === 0) onInvalid(noEvents(name, others, first))
    return { file: name, format, events, other_messages: others }
  } catch (error) {
    throw explainFileChange(error, name, input)
  } finally {
    input.progress.stop()
  }
}

function noEvents(name: string, count: number, first: string): RecordingError {
  const others = count === 0 ? '' : ` It has ${countOf(count, 'other message')}; the first is ${first}.`
  return new RecordingError(`${name}: there is no webhook event.${others}`, RECORD_WEBHOOKS)
}

function nothingImported(leftOut: readonly RecordingError[]): RecordingError {
  const shown = leftOut.slice(0, MAX_SHOWN).map(({ message }) => message)
  const more =
    leftOut.length > MAX_SHOWN ? [`${countOf(leftOut.length - MAX_SHOWN, 'more was', 'more were')} left out.`] : []
  return new RecordingError(['No event can be imported. Left out:', ...shown, ...more].join(' '), RECORD_WEBHOOKS)
}

const RECORD_WEBHOOKS =
  'Record the requests that your application receives. A webhook among them is JSON with id, event and data.'

interface Report extends ImportResult {
  readonly by_event: { readonly [name: string]: number }
  readonly signatures: { readonly [result: string]: number }
  readonly masked: number
  /** The number of events that were in an earlier file too. */
  readonly in_several_files: number
  readonly other_messages: number
  readonly left_out: readonly string[]
  readonly first_received_at: string
  readonly last_received_at: string
  /** How far the clock of the recording is ahead of the clock that signed the events, in ms; `null` if unknown. */
  readonly clock_skew_ms: number | null
  readonly files: readonly FileReport[]
}

function summaryOf({ collected }: EventCollector, leftOut: readonly RecordingError[], files: readonly FileReport[]) {
  const { events, masked, repeated, skews } = collected
  return {
    by_event: counts(events.map(({ event }) => event)),
    signatures: counts(events.map(({ signature }) => signature)),
    masked,
    in_several_files: repeated,
    other_messages: files.reduce((sum, { other_messages }) => sum + other_messages, 0),
    left_out: leftOut.map(({ message }) => message),
    first_received_at: events[0]?.received_at ?? '',
    last_received_at: events.at(-1)?.received_at ?? '',
    clock_skew_ms: skews.toSorted((a, b) => a - b)[Math.floor(skews.length / 2)] ?? null,
  }
}

function counts(names: readonly string[]): { readonly [name: string]: number } {
  const all: Record<string, number> = {}
  for (const name of names) all[name] = (all[name] ?? 0) + 1
  return all
}

/** ms. A smaller difference between the clocks is normal, because a delivery takes time. */
const MAX_NORMAL_SKEW = 60_000

function print(
  { out }: Session,
  report: Report,
  { collected }: EventCollector,
  leftOut: readonly RecordingError[],
): void {
  const list = (all: { readonly [name: string]: number }) =>
    Object.entries(all)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')
  printDetails(out, [
    [
      'imported',
      `${countOf(report.imported, 'event')}${report.known === 0 ? '' : `, ${report.known} ${report.known === 1 ? 'was' : 'were'} imported before`}`,
    ],
    ['from', report.files.map(({ file, format }) => `${file} (${format})`).join(', ')],
    ['events', list(report.by_event)],
    ['received', `${formatUtc(report.first_received_at)} to ${formatUtc(report.last_received_at)}`],
    ['signatures', list(signatureTexts(report.signatures))],
    ['masked', report.masked === 0 ? '' : `personal data in ${countOf(report.masked, 'event')}`],
    [
      'in several files',
      report.in_several_files === 0 ? '' : `${countOf(report.in_several_files, 'event')}, imported once`,
    ],
    ['other messages', report.other_messages === 0 ? '' : `${report.other_messages}, not imported`],
  ])
  for (const error of leftOut.slice(0, MAX_SHOWN)) out.warn(`Left out: ${error.message}`)
  if (leftOut.length > MAX_SHOWN)
    out.warn(`${countOf(leftOut.length - MAX_SHOWN, 'more was', 'more were')} left out; --json lists them.`)
  const invalid = collected.events.filter(({ signature }) => signature === 'invalid')
  for (const [cause, events] of groupBy(invalid, ({ cause = '' }) => cause)) warnInvalid(out, cause, events)
  const skew = report.clock_skew_ms ?? 0
  if (Math.abs(skew) > MAX_NORMAL_SKEW) {
    const side = skew > 0 ? 'ahead of' : 'behind'
    out.warn(
      `The clock of the recording is ${formatDuration(Math.abs(skew))} ${side} the clock that signed the events.`,
    )
  }
  const masked = collected.events.filter(({ cause }) => cause === BODY_MASKED).length
  if (masked > 0) {
    out.note(
      out.notePaint.dim(
        `${countOf(masked, 'signature')} cannot be checked, because the body was masked when it was recorded. To check signatures while recording, use \`psp record --secret\`.`,
      ),
    )
  }
  if ((report.signatures['unchecked'] ?? 0) > masked) {
    out.note(
      out.notePaint.dim('Signatures are unchecked: pass the secret of the endpoint that received them with --secret.'),
    )
  }
  out.note(out.notePaint.dim('Send them with `psp events replay --imported --to URL`.'))
}

function signatureTexts(signatures: Report['signatures']): { readonly [text: string]: number } {
  return Object.fromEntries(
    Object.entries(signatures).map(([name, count]) => [describeSignature(name as ImportedSignature), count]),
  )
}

const MAX_SHOWN = 5

function warnInvalid(out: Session['out'], cause: string, [first, ...more]: readonly CollectedEvent[]): void {
  const what =
    more.length === 0
      ? `The signature of ${first?.source} is`
      : `The signatures of ${first?.source} and ${countOf(more.length, 'other event')} are`
  out.warn(`${what} not valid. ${cause}: ${first?.why}`)
}
