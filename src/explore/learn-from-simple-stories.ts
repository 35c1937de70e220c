// Sends the simple stories one at a time, and learns from them what the probes show.

import { type Probe, ProbeError, TargetUnreachableError } from '../audit/ports.ts'
import { isConnectionError } from '../audit/run-steps.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import { undefinedIfGone, undefinedIfTimeOver } from './broken-run.ts'
import { createCatchUp } from './catch-up.ts'
import { brokenIn, type FailedEvaluation, failedInOrder, runStory } from './evaluate-case.ts'
import type { ExplorePorts } from './explore-ports.ts'
import { judgeAvailability } from './judge-availability.ts'
import { learnMeanings, type Meanings, SIMPLE_STORIES } from './learn-meanings.ts'
import { listNotJudged, type NotJudged } from './not-judged.ts'
import { MAX_LAG, measureLag, SLOW_FACTOR, searchPorts, withWait } from './probe-lag.ts'
import { pairValues, readOrders, readShop, type ShopValue } from './read-probes.ts'
import { findUnseenRefund, type UnseenRefund } from './refund-effect.ts'
import { noEffectFailure, requireSettled, silentProbes } from './silent-probes.ts'
import type { Story } from './story.ts'
import type { StoryRun } from './story-run.ts'

export interface Lessons {
  readonly meanings: Meanings
  /** Ports of the search. Their probes wait for an effect that is as late as that of the first simple story. */
  readonly ports: ExplorePorts
  /** Ports that confirm findings. Their probes wait longer. */
  readonly slowPorts: ExplorePorts
  /** The time until an effect is visible, in ms. 0: visible at once, not measured, or no effect was visible. */
  readonly lag: number
  readonly sent: number
  /** Simple stories whose events were refused, or that broke the handler. Each ran alone. */
  readonly failing: readonly FailedEvaluation[]
  /** Number of simple stories whose events were accepted. */
  readonly accepted: number
  /** Labels of the probes that did not change in any simple story. */
  readonly silent: readonly string[]
  readonly notJudged: readonly NotJudged[]
  /** Set if no probe changed, so that nothing but the responses can be judged. */
  readonly noEffect?: FailedEvaluation
  /** Set if a refund does not change a field whose name says that it shows refunds. */
  readonly ignoredRefund?: FailedEvaluation
}

/** A round amount in minor units. A handler that rounds amounts does not change it. */
export const LESSON_AMOUNT = 100_000

/**
 * @param until no message is sent after this time, in ms of the monotonic clock.
 * @param onSent called with the number of messages after each story
 * @throws TargetUnreachableError if nothing listens, ProbeError if a probe fails or never settles, OrdersExhaustedError
 */
export async function learnFromSimpleStories(
  given: ExplorePorts,
  amount: number,
  until = Infinity,
  onSent: (sent: number) => void = () => {},
): Promise<Lessons> {
  let ports = given
  let lag = 0
  let sent = 0
  let unchanged: readonly Probe[] = []
  let first: StoryRun | undefined
  const lessons: StoryRun[] = []
  const failing: FailedEvaluation[] = []
  for (const [at, steps] of SIMPLE_STORIES.entries()) {
    const story: Story = { amounts: { main: amount, unrelated: amount }, steps }
    const storyRun = await undefinedIfTimeOver(() => runLesson(story, ports, at === 0, until))
    if (storyRun === undefined) break
    first ??= storyRun
    sent += storyRun.result.sent
    onSent(sent)
    if (at === 0) {
      requireTarget(storyRun)
      lag = storyRun.lag ?? 0
      if (storyRun.lag === undefined) unchanged = effectProbes(given.probes)
      ports = withWait(given, lag)
    }
    const violation = judgeAvailability(storyRun)
    if (violation === undefined) lessons.push(storyRun)
    else failing.push(failedInOrder(storyRun, violation))
    if (storyRun.result.broken !== undefined) break
  }
  const hasTime = given.systemClock.monotonic() < until
  const isBrokenOff = failing.some((one) => brokenIn(one) !== undefined)
  const meanings = learnMeanings(isBrokenOff || !hasTime ? lessons : await readAgain(lessons, ports))
  const silent = isBrokenOff ? [] : silentProbes(lessons, given.probes, meanings.volatile)
  const isSilent = silent.length > 0 && silent.length === given.probes.length
  if (isSilent) requireSettled(silent)
  const catchUp = lag > 0 && { catchUp: createCatchUp(given, amount) }
  const slowPorts = withWait({ ...given, ...catchUp }, lag * SLOW_FACTOR)
  const isJudged = !isBrokenOff && !isSilent && given.probes.length > 0
  const refund = isJudged
    ? await undefinedIfTimeOver(() => confirmUnseenRefund(lessons, meanings, slowPorts, until))
    : undefined
  return {
    meanings,
    ports: searchPorts({ ...given, ...catchUp }, lag),
    slowPorts,
    lag,
    sent: sent + (refund?.sent ?? 0),
    failing,
    accepted: lessons.length,
    // If the time is over, the effect of the first story may only be late, so this is not a finding.
    silent: (silent.length === 0 && !hasTime ? unchanged : silent).map(({ label }) => label),
    notJudged: isSilent
      ? []
      : listNotJudged({ probes: given.probes, meanings, silent, unseenRefund: refund?.unseenRefund }),
    ...omitUndefined({
      noEffect: isSilent && first !== undefined ? noEffectFailure(silent, first) : undefined,
      ignoredRefund: refund?.failed,
    }),
  }
}

interface RefundReview {
  readonly unseenRefund: UnseenRefund | undefined
  readonly failed: FailedEvaluation | undefined
  readonly sent: number
}

/** If a refund had no visible effect, sends its story again with slow probes: the effect may only have been late. */
async function confirmUnseenRefund(
  lessons: readonly StoryRun[],
  meanings: Meanings,
  ports: ExplorePorts,
  until: number,
): Promise<RefundReview | undefined> {
  const suspected = findUnseenRefund(lessons, meanings)
  if (suspected === undefined) return undefined
  const { story } = suspected.lesson.enacted
  const options = { ports, read: 'settled', alone: true, until } as const
  const storyRun = await runStory({ story, resendsAll: false }, undefined, options)
  const { sent, broken, refused } = storyRun.result
  const isDone = broken === undefined && refused.length === 0
  const known = lessons.map((lesson) => (lesson === suspected.lesson ? storyRun : lesson))
  const unseenRefund = isDone ? findUnseenRefund(known, meanings) : undefined
  const { violation } = unseenRefund ?? {}
  return { unseenRefund, failed: violation && failedInOrder(storyRun, violation), sent }
}

/** Reads the orders of the lessons again. By now, late effects of the first lessons are visible too. */
async function readAgain(lessons: readonly StoryRun[], ports: ExplorePorts): Promise<readonly StoryRun[]> {
  const read = async (lesson: StoryRun) => ({
    ...lesson,
    result: { ...lesson.result, end: await readOrders(lesson.enacted, ports, 'settled') },
  })
  return (await undefinedIfGone(() => Promise.all(lessons.map(read)))) ?? lessons
}

interface Lesson extends StoryRun {
  /**
   * The time until the effect was visible, in ms. 0: visible at once, or not measured. `undefined`: measured, and no
   * effect was visible.
   */
  readonly lag: number | undefined
}

/** Sends a simple story. The first one also measures how long its effect takes to become visible. */
async function runLesson(story: Story, ports: ExplorePorts, isFirst: boolean, until: number): Promise<Lesson> {
  const options = { ports, read: 'none', alone: true, until } as const
  if (!isFirst || ports.probes.length === 0)
    return { ...(await runStory({ story, resendsAll: false }, undefined, options)), lag: 0 }
  // The run itself reads no probes, because the lag is not known yet.
  const withoutProbes = { ...options, ports: { ...ports, probes: [] } }
  // These reads also find fields that change by themselves.
  const shop = await unlessUnreachable(() => readShop(ports, 'learnVolatile'))
  let before: Before = { shop, orders: '' }
  const storyRun = await runStory({ story, resendsAll: false }, undefined, {
    ...withoutProbes,
    async onEnacted(enacted) {
      before = { shop, orders: textOf(await unlessUnreachable(() => readOrders(enacted, ports, 'once'))) }
    },
  })
  if (storyRun.result.broken !== undefined || storyRun.result.refused.length > 0) return { ...storyRun, lag: 0 }
  const seen = await undefinedIfGone(() => readEffect(storyRun, before, ports, until))
  if (seen === undefined) return { ...storyRun, result: { ...storyRun.result, broken: 'gone' }, lag: 0 }
  return { ...storyRun, result: { ...storyRun.result, end: seen.end }, shop: seen.shop, lag: seen.lag }
}

/**
 * Runs `read`. If nothing listens at the handler's own server, from which the probe reads, throws
 * `TargetUnreachableError` instead of `ProbeError`.
 */
async function unlessUnreachable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof ProbeError && error.isOfTarget ? new TargetUnreachableError(error.message) : error
  }
}

/** The values before the first message. A shop may show an order before it knows anything about its payments. */
interface Before {
  readonly shop: readonly ShopValue[]
  /** The values of all probes of an order. */
  readonly orders: string
}

/** Waits until the effect of the first lesson is visible, and reads it. */
async function readEffect({ enacted }: StoryRun, before: Before, ports: ExplorePorts, until: number) {
  const isShop = effectProbes(ports.probes).every(({ isPerOrder }) => !isPerOrder)
  const read = async () =>
    textOf(isShop ? await readShop(ports, 'once', enacted) : await readOrders(enacted, ports, 'once'))
  const max = Math.max(1, Math.min(MAX_LAG, until - ports.systemClock.monotonic()))
  const lag = await measureLag(ports, isShop ? textOf(before.shop) : before.orders, read, max)
  const waitingPorts = withWait(ports, lag ?? 0)
  const end = await readOrders(enacted, waitingPorts, 'settled')
  const after = await readShop(waitingPorts, 'settled', enacted)
  return { lag, end, shop: pairValues(before.shop, after) }
}

/** Returns the probes that must show the effect of the first story: those of one order, if there are any. */
function effectProbes(probes: readonly Probe[]): readonly Probe[] {
  const perOrder = probes.filter(({ isPerOrder }) => isPerOrder)
  return perOrder.length > 0 ? perOrder : probes
}

function textOf(values: readonly { readonly text: string }[]): string {
  return values.map(({ text }) => text).join('')
}

function requireTarget({ result }: StoryRun): void {
  const [first] = result.rounds.flatMap(({ messages }) => messages)
  if (first !== undefined && isConnectionError(first.response))
    throw new TargetUnreachableError(first.response.error ?? 'nothing listens')
}
