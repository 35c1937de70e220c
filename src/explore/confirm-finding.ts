// Runs a failing case alone, shrinks it, and measures how often it fails.
import { type BrokenReason, undefinedIfTimeOver } from './broken-run.ts'
import { brokenIn, type Case, type Evaluation, evaluateCase, type FailedEvaluation } from './evaluate-case.ts'
import type { ExplorePorts } from './explore-ports.ts'
import { createFinding, type Finding, SENT_ONCE } from './finding.ts'
import type { Meanings } from './learn-meanings.ts'
import { isConcurrent } from './schedule.ts'
import { shrinkCase } from './shrink-case.ts'
import type { Violation } from './violation.ts'
import { legalize } from './walk-story.ts'

export interface ConfirmOptions {
  readonly ports: ExplorePorts
  /** Ports whose probes wait longer. They confirm a failing case before and after it is shrunk. */
  readonly slowPorts: ExplorePorts
  /** The time until an effect is visible, in ms. */
  readonly lag: number
  readonly meanings: Meanings
  /** Number of cases that ran at the same time. */
  readonly concurrency: number
  /** The end of the search, in ms of the monotonic clock. */
  readonly end: number
  /** Called with the first failing case, and with each smaller one. */
  onFailing(finding: Finding): void
  /** Returns whether a finding with this cause was already reported. */
  isKnown(cause: string): boolean
  /** Returns false to end the shrinking. The smallest case so far is kept. */
  mayContinue(): boolean
}

/** A case that depends on timing is sent this many times before it counts as passed. */
const TRIES = 4
const REPEATS = 10
const MAX_CANDIDATES = 120
/** Maximum time for shrinking one finding, in ms. */
const MAX_SHRINK = 20_000
/** A failing case is confirmed, but not shrunk, for at most this time after the end of the search, in ms. */
const MAX_OVERTIME = 3000

export interface Confirmation {
  readonly isFailing: boolean
  /** Set if the handler cannot continue, so that the search ends. */
  readonly broken?: BrokenReason
  /** Omitted if the case passes alone, or fails for a known cause. */
  readonly finding?: Finding
  /** Number of messages that were sent to confirm the case. */
  readonly confirming: number
  /** Number of messages that were sent to shrink the case and to measure its rate. */
  readonly shrinking: number
}

export interface Confirming extends ConfirmOptions {
  /** Number of messages that were sent so far. */
  readonly counted: { sent: number }
}

/** @param wasAlone no other case ran at the same time as the given run */
export async function confirmFinding(
  given: Evaluation,
  wasAlone: boolean,
  options: ConfirmOptions,
): Promise<Confirmation> {
  const counted = { sent: 0 }
  const run: Confirming = { ...options, counted }
  const first = await failAlone(given, wasAlone, run)
  const confirming = counted.sent
  const result = first === undefined ? PASSED : await examine(first, run)
  return { ...result, confirming, shrinking: counted.sent - confirming }
}

type Examined = Omit<Confirmation, 'confirming' | 'shrinking'>
const PASSED: Examined = { isFailing: false }

/**
 * Runs the case alone: with the ordinary probes, unless the given run already failed alone or the search is over, and
 * with slow probes. Returns `undefined` if it passes in either run.
 */
async function failAlone(given: Evaluation, wasAlone: boolean, run: Confirming): Promise<FailedEvaluation | undefined> {
  const until = deadlineOf(run)
  // After the end of the search, one run alone has to be enough.
  const isLate = run.ports.systemClock.monotonic() >= run.end
  const isSeen = (wasAlone || isLate) && given.violation !== undefined
  const seen = isSeen ? given : await runUntilFailure(given.case, run, { until })
  return seen && (await runUntilFailure(seen.case, withSlowPorts(run), { until }))
}

/** Shrinks the case and measures its rate, unless its cause is known or the handler cannot continue. */
async function examine(first: FailedEvaluation, run: Confirming): Promise<Examined> {
  const { isKnown, meanings } = run
  const isNew = ({ violation }: FailedEvaluation) => !isKnown(violation.cause)
  const broken = brokenIn(first)
  if (!isNew(first)) return { isFailing: true }
  if (broken !== undefined) return { isFailing: true, broken, finding: createFinding(first, meanings, UNSHRUNK) }
  const smallest = await shrinkReliably(first, run)
  if (smallest === undefined) return PASSED
  const { failed, shrunk } = smallest
  const rate = await measureRate(failed, run)
  return { isFailing: true, ...(isNew(failed) && { finding: createFinding(failed, meanings, { rate, shrunk }) }) }
}

export const UNSHRUNK = { rate: SENT_ONCE, shrunk: false } as const

const withSlowPorts = (run: Confirming): Confirming => ({ ...run, ports: run.slowPorts })
const deadlineOf = ({ end }: ConfirmOptions) => end + MAX_OVERTIME

interface Shrunk {
  readonly failed: FailedEvaluation
  /** False if the shrinking ended early. */
  readonly shrunk: boolean
}

/** Returns the smallest case that fails with slow probes too, or `undefined` if none fails reliably. */
async function shrinkReliably(first: FailedEvaluation, run: Confirming): Promise<Shrunk | undefined> {
  const until = deadlineOf(run)
  const { systemClock } = run.ports
  const isOver = () => systemClock.monotonic() >= until
  // If there is no time to confirm a smaller case, the first one is reported. It is already confirmed.
  const unshrunk = { failed: first, shrunk: false }
  const failsAgain = async ({ failed }: Shrunk) => {
    const { oracle } = failed.violation
    return (await runUntilFailure(failed.case, withSlowPorts(run), { oracle, until })) !== undefined
  }
  const quick = await shrinkFailure(first, run)
  if (isOver() || (quick.failed === first && systemClock.monotonic() >= run.end)) return unshrunk
  if (await failsAgain(quick)) return quick
  if (isOver()) return unshrunk
  const smallest = await shrinkFailure(first, withSlowPorts(run))
  // If effects are late by varying times, a correct state may look wrong for a while. So the case must fail again.
  if (run.lag === 0 || (await failsAgain(smallest))) return smallest
  return isOver() ? unshrunk : undefined
}

async function shrinkFailure(first: FailedEvaluation, run: Confirming): Promise<Shrunk> {
  const { systemClock } = run.ports
  const { oracle } = first.violation
  const until = Math.min(systemClock.monotonic() + MAX_SHRINK, run.end)
  return await shrinkWhile(first, {
    mayContinue: () => run.mayContinue() && systemClock.monotonic() < until,
    onSmaller: (failed) => run.onFailing(createFinding(failed, run.meanings, UNSHRUNK)),
    runCandidate: (candidate) => runUntilFailure(candidate, run, { oracle, until }),
  })
}

interface Shrinking {
  mayContinue(): boolean
  /** Called with the first case, and with each smaller one. */
  onSmaller(failed: FailedEvaluation): void
  /** Runs a candidate. Returns `undefined` if it passes. */
  runCandidate(candidate: Case): Promise<FailedEvaluation | undefined>
}

/** Returns the smallest case that was found. */
export async function shrinkWhile(
  first: FailedEvaluation,
  { mayContinue, onSmaller, runCandidate }: Shrinking,
): Promise<Shrunk> {
  let candidates = 0
  let smallest = first
  let shrunk = true
  onSmaller(first)
  await shrinkCase(first.case, {
    legalize,
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
  { ports, slowPorts, lag, meanings, counted }: Confirming,
  { oracle, until }: Limits,
): Promise<FailedEvaluation | undefined> {
  const read = lag === 0 && ports !== slowPorts ? 'once' : 'settled'
  for (let left = isConcurrent(given.schedule) ? TRIES : 1; left > 0; left--) {
    const found = await undefinedIfTimeOver(() => evaluateCase(given, { ports, meanings, read, alone: true, until }))
    if (found === undefined) return undefined
    counted.sent += found.sent
    const { violation } = found
    if (violation !== undefined && (oracle === undefined || violation.oracle === oracle)) return { ...found, violation }
  }
  return undefined
}

/** Returns how often the case fails. A case without concurrency fails every time, so it is not repeated. */
async function measureRate({ case: found, violation }: FailedEvaluation, run: Confirming): Promise<Finding['rate']> {
  const { ports, meanings, mayContinue, counted } = run
  if (!isConcurrent(found.schedule)) return SENT_ONCE
  let failed = 0
  let of = 0
  const options = { ports, meanings, read: 'settled', alone: true, until: run.end } as const
  for (; of < REPEATS && mayContinue(); of++) {
    const repeated = await undefinedIfTimeOver(() => evaluateCase(found, options))
    if (repeated === undefined) break
    counted.sent += repeated.sent
    if (repeated.violation?.oracle === violation.oracle) failed++
  }
  return of === 0 ? SENT_ONCE : { failed, of }
}
