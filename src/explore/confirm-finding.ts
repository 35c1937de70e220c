// Runs a failing case alone, shrinks it, and measures how often it fails.
import { seededRandomness } from '../time/random.ts'
import { type Broken, unlessOver } from './broken-run.ts'
import { enactStory } from './enact-story.ts'
import { brokenIn, type Case, type Evaluation, evaluateCase, type Failed } from './evaluate-case.ts'
import type { ExplorePorts } from './explore-ports.ts'
import { createFinding, type Finding } from './finding.ts'
import type { Meanings } from './learn-meanings.ts'
import { isConcurrent } from './schedule.ts'
import { shrinkCase } from './shrink-case.ts'
import type { Story } from './story.ts'
import type { Violation } from './violation.ts'
import { withoutIdleSteps } from './walk-story.ts'

export interface ConfirmOptions {
  readonly ports: ExplorePorts
  /** Ports whose probes wait longer, for the first and the last run of a finding. */
  readonly patient: ExplorePorts
  /** The time until an effect is visible, in ms. */
  readonly lag: number
  readonly meanings: Meanings
  /** Number of cases that ran at the same time. */
  readonly lanes: number
  /** The end of the search, in ms of the monotonic clock. */
  readonly end: number
  /** Called with the smallest case so far, before and while it is shrunk. */
  onFailing(finding: Finding): void
  /** Returns whether a finding with this cause was already reported. */
  isKnown(cause: string): boolean
  /** False ends the shrinking, and keeps the smallest case so far. */
  mayContinue(): boolean
}

/** A case that depends on timing is sent this many times before it counts as passed. */
const TRIES = 4
const REPEATS = 10
const MAX_CANDIDATES = 120
/** Maximum time for shrinking one finding, in ms. */
const MAX_SHRINK = 20_000
/** Maximum time after the end of the search, in ms. */
const MAX_OVERTIME = 3000

export const CERTAIN_RATE: Finding['rate'] = { failed: 1, of: 1 }

export interface Confirmation {
  readonly isFailing: boolean
  /** Set if the handler cannot continue, so that the search ends. */
  readonly broken?: Broken
  /** Omitted if the case passes alone, or fails for a known cause. */
  readonly finding?: Finding
  /** Number of messages that were sent to confirm the case, and to shrink it. */
  readonly confirming: number
  readonly shrinking: number
}

/** Number of messages that were sent. */
export interface Counter {
  sent: number
}

/** @param wasAlone no other case ran next to the given run */
export async function confirmFinding(
  given: Evaluation,
  wasAlone: boolean,
  options: ConfirmOptions,
): Promise<Confirmation> {
  const { meanings, end } = options
  const patient = { ...options, ports: options.patient }
  const counted = { sent: 0 }
  const deadline = end + MAX_OVERTIME
  const seen =
    wasAlone && given.violation !== undefined
      ? given
      : await runUntilFailure(given.case, options, counted, { until: deadline })
  const first = seen && (await runUntilFailure(seen.case, patient, counted, { until: deadline }))
  const confirming = counted.sent
  if (first === undefined) return { isFailing: false, confirming, shrinking: 0 }
  if (options.isKnown(first.violation.cause)) return { isFailing: true, confirming, shrinking: 0 }
  const broken = brokenIn(first)
  if (broken !== undefined) {
    const finding = createFinding(first.violation, first, meanings, { rate: CERTAIN_RATE, shrunk: false })
    return { isFailing: true, broken, confirming, shrinking: 0, finding }
  }
  const quick = await shrinkFailure(first, options, counted)
  if (options.ports.systemClock.monotonic() >= deadline) {
    // There is no time to confirm the smaller case, and the first one is confirmed already.
    const finding = createFinding(first.violation, first, meanings, UNSHRUNK)
    return { isFailing: true, confirming, shrinking: counted.sent - confirming, finding }
  }
  const confirmed = await runUntilFailure(quick.failed.case, patient, counted, {
    oracle: quick.failed.violation.oracle,
  })
  const smallest = confirmed !== undefined ? quick : await shrinkFailure(first, patient, counted)
  const { failed } = smallest
  // Effects that are late by a varying time may look wrong, so such a case must fail again.
  if (confirmed === undefined && options.lag > 0) {
    const repeated = await runUntilFailure(failed.case, patient, counted, { oracle: failed.violation.oracle })
    if (repeated === undefined) return { isFailing: false, confirming, shrinking: counted.sent - confirming }
  }
  const rate = await measureRate(failed, options, counted)
  const found = { isFailing: true, confirming, shrinking: counted.sent - confirming }
  if (options.isKnown(failed.violation.cause)) return found
  return { ...found, finding: createFinding(failed.violation, failed, meanings, { rate, shrunk: smallest.shrunk }) }
}

async function shrinkFailure(
  first: Failed,
  options: ConfirmOptions,
  counted: Counter,
): Promise<{ readonly failed: Failed; readonly shrunk: boolean }> {
  const { ports, end, meanings } = options
  const now = ports.systemClock.monotonic()
  const until = Math.min(now + MAX_SHRINK, end + MAX_OVERTIME)
  return await shrinkWhile(first, {
    mayContinue: () => options.mayContinue() && ports.systemClock.monotonic() < until,
    onSmaller: (failed) => options.onFailing(createFinding(failed.violation, failed, meanings, UNSHRUNK)),
    runCandidate: async (candidate) =>
      await runUntilFailure(candidate, options, counted, { oracle: first.violation.oracle, until }),
  })
}

const UNSHRUNK = { rate: CERTAIN_RATE, shrunk: false } as const

interface Shrinking {
  mayContinue(): boolean
  /** Called with the first case, and with each smaller one. */
  onSmaller(failed: Failed): void
  /** Runs a candidate. Returns `undefined` if it passes. */
  runCandidate(candidate: Case): Promise<Failed | undefined>
}

/** Returns the smallest case that was found. */
export async function shrinkWhile(
  first: Failed,
  { mayContinue, onSmaller, runCandidate }: Shrinking,
): Promise<{ readonly failed: Failed; readonly shrunk: boolean }> {
  let candidates = 0
  let smallest = first
  let shrunk = true
  onSmaller(first)
  await shrinkCase(first.case, {
    legalize: legalizeStory,
    mayContinue() {
      shrunk = candidates < MAX_CANDIDATES && mayContinue()
      return shrunk
    },
    async fails(candidate) {
      candidates++
      const failed = await runCandidate(candidate)
      if (failed === undefined) return false
      smallest = failed
      onSmaller(failed)
      return true
    },
  })
  return { failed: smallest, shrunk }
}

interface Limits {
  /** The rule that the case must break. Any by default. */
  readonly oracle?: Violation['oracle']
  /** No message is sent after this time. */
  readonly until?: number
}

/** Returns `undefined` if the case passes, or if the time ends before it fails. */
export async function runUntilFailure(
  given: Case,
  { ports, patient, lag, meanings }: ConfirmOptions,
  counted: Counter,
  { oracle, until }: Limits = {},
): Promise<Failed | undefined> {
  const read = lag === 0 && ports !== patient ? 'quick' : 'settled'
  for (let left = isConcurrent(given.schedule) ? TRIES : 1; left > 0; left--) {
    const found = await unlessOver(() => evaluateCase(given, { ports, meanings, read, alone: true, until }))
    if (found === undefined) return undefined
    counted.sent += found.sent
    const { violation } = found
    if (violation !== undefined && (oracle === undefined || violation.oracle === oracle)) return { ...found, violation }
  }
  return undefined
}

/** A failing case without concurrency fails every time, so it is not repeated. */
async function measureRate(
  { case: found, violation }: Failed,
  { ports, meanings, mayContinue, end }: ConfirmOptions,
  counted: Counter,
): Promise<Finding['rate']> {
  if (!isConcurrent(found.schedule)) return CERTAIN_RATE
  let failed = 0
  let of = 0
  const hasTime = () => ports.systemClock.monotonic() < end + MAX_OVERTIME
  for (; of < REPEATS && mayContinue() && hasTime(); of++) {
    const repeated = await evaluateCase(found, { ports, meanings, read: 'settled', alone: true })
    counted.sent += repeated.sent
    if (repeated.violation?.oracle === violation.oracle) failed++
  }
  return of === 0 ? CERTAIN_RATE : { failed, of }
}

function legalizeStory(story: Story): { readonly story: Story; readonly events: readonly string[] } {
  const ids = { random: seededRandomness('legal'), orders: { main: 'main', control: 'control' }, start: 0 }
  const legal = withoutIdleSteps(enactStory(withoutIdleSteps(story), ids).story)
  return { story: legal, events: enactStory(legal, ids).events.map(({ key }) => key) }
}
