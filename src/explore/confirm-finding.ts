// Runs a failing case alone, shrinks it, and measures how often it fails.
import { seededRandomness } from '../time/random.ts'
import { enactStory } from './enact-story.ts'
import { type Case, type Evaluation, evaluateCase } from './evaluate-case.ts'
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
  /** Called with the finding before it is shrunk. */
  onFailing(finding: Finding): void
  /** Returns whether a finding with this cause was already reported. */
  isKnown(cause: string): boolean
  /** False ends the shrinking, and keeps the smallest case so far. */
  mayContinue(): boolean
}

/** A case that depends on timing is sent this often before it counts as passed. */
const TRIES = 4
const REPEATS = 10
const MAX_CANDIDATES = 120
/** Maximum time for shrinking one finding, in ms. */
const MAX_SHRINK = 20_000

type Failed = Evaluation & { readonly violation: Violation }

export interface Confirmation {
  readonly isFailing: boolean
  /** The handler no longer accepts connections. */
  readonly isGone: boolean
  /** Omitted if the case passes alone, or fails for a known cause. */
  readonly finding?: Finding
  /** Number of messages that were sent to confirm the case, and to shrink it. */
  readonly confirming: number
  readonly shrinking: number
}

export async function confirmFinding(given: Case, options: ConfirmOptions): Promise<Confirmation> {
  const { meanings } = options
  const patient = { ...options, ports: options.patient }
  const counted = { sent: 0 }
  const seen = await failAlone(given, options, counted)
  const first = seen && (await failAlone(seen.case, patient, counted))
  const confirming = counted.sent
  if (first === undefined) return { isFailing: false, isGone: false, confirming, shrinking: 0 }
  const isGone = [first.inOrder, first.scheduled].some((twin) => twin?.result.isGone === true)
  const once = { failed: 1, of: 1 }
  if (options.isKnown(first.violation.cause)) return { isFailing: true, isGone, confirming, shrinking: 0 }
  if (isGone)
    return {
      isFailing: true,
      isGone,
      confirming,
      shrinking: 0,
      finding: createFinding(first.violation, first, meanings, once),
    }

  options.onFailing(createFinding(first.violation, first, meanings, once))
  const quick = await shrinkFailure(first, options, counted)
  const isConfirmed = (await failAlone(quick.case, patient, counted, quick.violation.oracle)) !== undefined
  const smallest = isConfirmed ? quick : await shrinkFailure(first, patient, counted)
  const rate = await measureRate(smallest, options, counted)
  const shrinking = counted.sent - confirming
  const found = { isFailing: true, isGone, confirming, shrinking }
  if (options.isKnown(smallest.violation.cause)) return found
  return { ...found, finding: createFinding(smallest.violation, smallest, meanings, rate) }
}

async function shrinkFailure(first: Failed, options: ConfirmOptions, counted: { sent: number }): Promise<Failed> {
  const { systemClock } = options.ports
  const end = systemClock.monotonic() + MAX_SHRINK
  let candidates = 0
  let smallest = first
  await shrinkCase(first.case, {
    legalize: legalizeStory,
    mayContinue: () => options.mayContinue() && candidates < MAX_CANDIDATES && systemClock.monotonic() < end,
    async fails(candidate) {
      candidates++
      const failed = await failAlone(candidate, options, counted, first.violation.oracle)
      if (failed === undefined) return false
      smallest = failed
      return true
    },
  })
  return smallest
}

/** @param oracle the rule that the case must break; any by default */
async function failAlone(
  given: Case,
  options: ConfirmOptions,
  counted: { sent: number },
  oracle?: Violation['oracle'],
): Promise<Failed | undefined> {
  const { ports, patient, lag, meanings } = options
  const read = lag === 0 && ports !== patient ? 'quick' : 'settled'
  for (let left = isConcurrent(given.schedule) ? TRIES : 1; left > 0; left--) {
    const found = await evaluateCase(given, { ports, meanings, read, alone: true })
    counted.sent += found.sent
    const { violation } = found
    if (violation !== undefined && (oracle === undefined || violation.oracle === oracle)) return { ...found, violation }
  }
  return undefined
}

/** A case without concurrency always fails, so it is not repeated. */
async function measureRate(
  { case: found, violation }: Failed,
  { ports, meanings, mayContinue }: ConfirmOptions,
  counted: { sent: number },
): Promise<Finding['rate']> {
  if (!isConcurrent(found.schedule)) return { failed: 1, of: 1 }
  let failed = 0
  let of = 0
  for (; of < REPEATS && mayContinue(); of++) {
    const again = await evaluateCase(found, { ports, meanings, read: 'settled', alone: true })
    counted.sent += again.sent
    if (again.violation?.oracle === violation.oracle) failed++
  }
  return of === 0 ? { failed: 1, of: 1 } : { failed, of }
}

function legalizeStory(story: Story): { readonly story: Story; readonly events: readonly string[] } {
  const ids = { random: seededRandomness('legal'), orders: { main: 'main', control: 'control' }, start: 0 }
  const legal = withoutIdleSteps(enactStory(withoutIdleSteps(story), ids).story)
  return { story: legal, events: enactStory(legal, ids).events.map(({ key }) => key) }
}
