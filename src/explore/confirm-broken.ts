// Confirms that the handler crashed or hangs. A crashed handler cannot run the case again, and a hang may never end.
import {
  CERTAIN_RATE,
  type Confirmation,
  type ConfirmOptions,
  type Counter,
  confirmFinding,
  runUntilFailure,
  shrinkWhile,
} from './confirm-finding.ts'
import { brokenIn, type Evaluation, type FailedEvaluation, runStory } from './evaluate-case.ts'
import { createFinding } from './finding.ts'
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
  if (broken === 'hung') return await confirmHang(failed, wasAlone, options)
  return toConfirmation(
    wasAlone || options.concurrency === 1 ? failed : withOtherCasesNote(failed),
    wasAlone,
    options,
    {
      sent: 0,
    },
  )
}

async function confirmHang(given: FailedEvaluation, wasAlone: boolean, options: ConfirmOptions): Promise<Confirmation> {
  const counted = { sent: 0 }
  if (wasAlone) return toConfirmation(given, true, options, counted)
  if (!(await stillResponds(given, options, counted)))
    return toConfirmation(
      asStopped(options.concurrency === 1 ? given : withOtherCasesNote(given)),
      false,
      options,
      counted,
    )
  const seen = await runUntilFailure(given.case, options, counted, { oracle: 'availability' })
  const confirming = counted.sent
  if (seen === undefined) return { isFailing: false, confirming, shrinking: 0 }
  if (brokenIn(seen) !== 'hung') return toConfirmation(seen, false, options, counted)
  // Each smaller case that hangs takes the whole timeout, so shrinking stops at the end of the search.
  let responds = await stillResponds(seen, options, counted)
  const { failed, shrunk } = await shrinkWhile(seen, {
    mayContinue: () => responds && options.mayContinue() && options.ports.systemClock.monotonic() < options.end,
    onSmaller: (smaller) => options.onFailing(findingOf(smaller, false, options)),
    async runCandidate(candidate) {
      const failed = await runUntilFailure(candidate, options, counted, { oracle: 'availability', until: options.end })
      if (failed?.violation.cause !== seen.violation.cause) return undefined
      responds = await stillResponds(failed, options, counted)
      return failed
    },
  })
  const shrinking = counted.sent - confirming
  return { ...toConfirmation(failed, shrunk, options, { sent: confirming }), shrinking }
}

function toConfirmation(
  failed: FailedEvaluation,
  shrunk: boolean,
  options: ConfirmOptions,
  { sent }: Counter,
): Confirmation {
  const broken = brokenIn(failed)
  const found = { isFailing: true, ...(broken && { broken }), confirming: sent, shrinking: 0 }
  return options.isKnown(failed.violation.cause) ? found : { ...found, finding: findingOf(failed, shrunk, options) }
}

function findingOf(failed: FailedEvaluation, shrunk: boolean, { meanings }: ConfirmOptions) {
  return createFinding(failed.violation, failed, meanings, { rate: CERTAIN_RATE, shrunk })
}

/** Returns whether the handler responds to the simplest story. */
async function stillResponds(
  { case: { story } }: FailedEvaluation,
  { ports }: ConfirmOptions,
  counted: Counter,
): Promise<boolean> {
  const simple = { story: { amounts: story.amounts, steps: SIMPLE_STORIES[0] ?? [] }, resendsAll: false }
  const withoutProbes = { ...ports, probes: [] }
  const { result } = await runStory(simple, undefined, { ports: withoutProbes, read: 'none', alone: true })
  counted.sent += result.sent
  return result.broken === undefined
}

function withOtherCasesNote(failed: FailedEvaluation): FailedEvaluation {
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
