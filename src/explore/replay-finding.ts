// Sends the case of a finding again, and judges it.
import { brokenIn, type Case, evaluateCase, type FailedEvaluation } from './evaluate-case.ts'
import type { ExplorePorts } from './explore-ports.ts'
import { createFinding, type Finding } from './finding.ts'
import { LESSON_AMOUNT, learnFromSimpleStories } from './learn-from-simple-stories.ts'
import { isConcurrent } from './schedule.ts'

/** A case that depends on timing is sent this many times. */
const REPEATS = 10

export interface Replay {
  /** The finding of the case, or of a simple story that crashed the handler, hung or had no visible effect. */
  readonly finding?: Finding
  readonly messages: number
  /** How many times the case was sent. 1 if the finding is that of a simple story. */
  readonly times: number
}

/**
 * @param amount amount of the payments of the simple stories, which show what the probes mean
 * @throws TargetUnreachableError, ProbeError, OrdersExhaustedError
 */
export async function replayFinding(given: Case, ports: ExplorePorts, amount = LESSON_AMOUNT): Promise<Replay> {
  const lessons = await learnFromSimpleStories(ports, amount)
  const { meanings } = lessons
  const [lesson] = lessons.failing
  if (lesson !== undefined && brokenIn(lesson) !== undefined) {
    // A handler that crashed or hangs cannot handle another event.
    return { finding: createFinding(lesson, meanings), messages: lessons.sent, times: 1 }
  }
  const times = isConcurrent(given.schedule) ? REPEATS : 1
  let messages = lessons.sent
  let failed = 0
  let sent = times
  let shown: FailedEvaluation | undefined
  for (let n = 0; n < times; n++) {
    const found = await evaluateCase(given, { ports: lessons.slowPorts, meanings, read: 'settled', alone: true })
    const { violation } = found
    messages += found.sent
    if (violation === undefined) continue
    failed++
    shown ??= { ...found, violation }
    if (brokenIn(found) === undefined) continue
    // A handler that crashed or hangs cannot run the case again.
    sent = n + 1
    break
  }
  if (shown === undefined) {
    // A probe that shows nothing, or no refund, cannot show that the bug is fixed.
    const hasRefund = given.story.steps.some((step) => step.do === 'refund')
    const unseen = lessons.noEffect ?? (hasRefund ? lessons.ignoredRefund : undefined)
    if (unseen === undefined) return { messages, times }
    return { finding: createFinding(unseen, meanings), messages, times: 1 }
  }
  const finding = createFinding(shown, meanings, { rate: { failed, of: sent }, shrunk: true })
  return { finding, messages, times: sent }
}
