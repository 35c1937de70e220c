// Confirms that the handler crashed or hangs. A crashed handler cannot run the case again, and a hang may never end.
import {
  type Confirmation,
  type Confirming,
  type ConfirmOptions,
  confirmFinding,
  runUntilFailure,
  shrinkWhile,
  UNSHRUNK,
} from './confirm-finding.ts'
import { brokenIn, type Evaluation, type FailedEvaluation, runStory } from './evaluate-case.ts'
import { createFinding, SENT_ONCE } from './finding.ts'
import { SIMPLE_STORIES } from './learn-meanings.ts'

/** @param wasAlone no other case ran at the same time as the given run */
export async function confirmFailure(
  given: Evaluation,
  wasAlone: boolean,
  options: ConfirmOptions,
): Promise<Confirmation> {
  const { violation } = given
  const broken = brokenIn(given)
  if (violation === undefined || broken === undefined) return await confirmFinding(given, wasAlone, options)
  const failed = { ...given, violation }
  if (wasAlone) return toConfirmation(failed, true, options)
  if (broken === 'hung') return await confirmHang(failed, options)
  return toConfirmation(withOtherCasesNote(failed, options), false, options)
}

async function confirmHang(given: FailedEvaluation, options: ConfirmOptions): Promise<Confirmation> {
  const counted = { sent: 0 }
  const run: Confirming = { ...options, counted }
  if (!(await stillResponds(given, run)))
    return toConfirmation(asStopped(withOtherCasesNote(given, options)), false, options, counted.sent)
  const seen = await runUntilFailure(given.case, run, { oracle: 'availability' })
  const confirming = counted.sent
  if (seen === undefined) return { isFailing: false, confirming, shrinking: 0 }
  if (brokenIn(seen) !== 'hung') return toConfirmation(seen, false, options, confirming)
  // Each smaller case that hangs takes the whole timeout, so shrinking stops at the end of the search.
  let responds = await stillResponds(seen, run)
  const { failed, shrunk } = await shrinkWhile(seen, {
    mayContinue: () => responds && options.mayContinue() && options.ports.systemClock.monotonic() < options.end,
    onSmaller: (smaller) => options.onFailing(createFinding(smaller, options.meanings, UNSHRUNK)),
    async runCandidate(candidate) {
      const failed = await runUntilFailure(candidate, run, { oracle: 'availability', until: options.end })
      if (failed?.violation.cause !== seen.violation.cause) return undefined
      responds = await stillResponds(failed, run)
      return failed
    },
  })
  const shrinking = counted.sent - confirming
  return { ...toConfirmation(failed, shrunk, options, confirming), shrinking }
}

function toConfirmation(
  failed: FailedEvaluation,
  shrunk: boolean,
  { isKnown, meanings }: ConfirmOptions,
  confirming = 0,
): Confirmation {
  const broken = brokenIn(failed)
  const found = { isFailing: true, ...(broken && { broken }), confirming, shrinking: 0 }
  if (isKnown(failed.violation.cause)) return found
  return { ...found, finding: createFinding(failed, meanings, { rate: SENT_ONCE, shrunk }) }
}

/** Returns whether the handler responds to the simplest story. */
async function stillResponds({ case: { story } }: FailedEvaluation, { ports, counted }: Confirming): Promise<boolean> {
  const simple = { story: { amounts: story.amounts, steps: SIMPLE_STORIES[0] ?? [] }, resendsAll: false }
  const withoutProbes = { ...ports, probes: [] }
  const { result } = await runStory(simple, undefined, { ports: withoutProbes, read: 'none', alone: true })
  counted.sent += result.sent
  return result.broken === undefined
}

function withOtherCasesNote(failed: FailedEvaluation, { concurrency }: ConfirmOptions): FailedEvaluation {
  if (concurrency === 1) return failed
  const { violation } = failed
  const fix = `${violation.fix} Other cases ran at the same time: if this event is not the cause, repeat the search with 1 lane.`
  return { ...failed, violation: { ...violation, fix } }
}

/** Describes a handler that no longer responds to anything. The case only shows at which event it stopped. */
function asStopped(failed: FailedEvaluation): FailedEvaluation {
  const { violation } = failed
  return {
    ...failed,
    violation: {
      ...violation,
      cause: 'availability stops responding',
      title: violation.title.replace('does not respond to', 'stopped responding at'),
      got: `${violation.got.replace(/\.?$/, '.')} It has not responded to anything since.`,
    },
  }
}
