// Runs the story of a case with new ids: once in order, and once as scheduled. Returns the first broken rule.
import { sentIdsIn } from '../audit/sent-ids.ts'
import { type BrokenReason, TimeOverError, undefinedIfGone } from './broken-run.ts'
import { type EnactedStory, enactStory } from './enact-story.ts'
import type { ExplorePorts } from './explore-ports.ts'
import { judgeBothRuns, judgeRun } from './judge-run.ts'
import type { Meanings } from './learn-meanings.ts'
import { pairValues, type ReadMode, readShop } from './read-probes.ts'
import { runSchedule } from './run-schedule.ts'
import { fitSchedule, inOrderSchedule, isInOrder, type Schedule } from './schedule.ts'
import { hasUnrelatedOrder, type Story } from './story.ts'
import type { StoryRun } from './story-run.ts'
import type { Violation } from './violation.ts'

export interface Case {
  readonly story: Story
  readonly schedule: Schedule
  /** All events are sent again at the end of each run. */
  readonly resendsAll: boolean
}

export interface Evaluation {
  readonly case: Case
  readonly violation: Violation | undefined
  /** The in-order run. A later case with the same story may reuse it. */
  readonly inOrder: StoryRun | undefined
  readonly scheduled: StoryRun | undefined
  /** Number of messages that were sent. */
  readonly sent: number
}

/** An evaluation that found a broken rule. */
export type FailedEvaluation = Evaluation & { readonly violation: Violation }

/** Returns the evaluation of a run that sent each event once and in order, and that broke a rule. */
export function failedInOrder(inOrder: StoryRun, violation: Violation): FailedEvaluation {
  const { enacted, schedule, result } = inOrder
  const given = { story: enacted.story, schedule, resendsAll: false }
  return { case: given, violation, inOrder, scheduled: undefined, sent: result.sent }
}

/** Returns why a run was broken off, if one was. */
export function brokenIn({ inOrder, scheduled }: Evaluation): BrokenReason | undefined {
  return scheduled?.result.broken ?? inOrder?.result.broken
}

export interface EvaluationOptions {
  readonly ports: ExplorePorts
  readonly meanings: Meanings
  readonly read: ReadMode
  /** No other run is in progress, so the probes of the whole shop are read too. */
  readonly alone: boolean
  /** The in-order run of an earlier case with the same story. */
  readonly known?: StoryRun | undefined
  /** No message is sent after this time, in ms of the monotonic clock. */
  readonly until?: number | undefined
}

/** No order is left for another run. */
export class OrdersExhaustedError extends Error {
  override readonly name = 'OrdersExhaustedError'
}

/** @throws OrdersExhaustedError, ProbeError, TimeOverError, and the errors of `order` */
export async function evaluateCase(given: Case, options: EvaluationOptions): Promise<Evaluation> {
  const { known, meanings } = options
  const inOrder = known ?? (await runStory(given, undefined, options))
  const sent = known === undefined ? inOrder.result.sent : 0
  const early = known === undefined ? judgeRun(inOrder, meanings) : undefined
  const keys = inOrder.enacted.events.map(({ key }) => key)
  const schedule = early === undefined ? fitSchedule(given.schedule, keys) : inOrderSchedule(keys)
  const found = { case: { ...given, schedule }, inOrder }
  if (isInOrder(schedule, keys)) return { ...found, violation: early, scheduled: undefined, sent }
  const scheduled = await runStory(given, schedule, options)
  const violation = judgeRun(scheduled, meanings) ?? judgeBothRuns(inOrder, scheduled, meanings)
  return { ...found, violation, scheduled, sent: sent + scheduled.result.sent }
}

/**
 * Runs the story once.
 * @param schedule by default each event once, in the order of the story
 */
export async function runStory(
  { story, resendsAll }: Pick<Case, 'story' | 'resendsAll'>,
  schedule: Schedule | undefined,
  options: Omit<EvaluationOptions, 'meanings' | 'known'> & {
    /** Called before the first message. */
    readonly onEnacted?: (enacted: EnactedStory) => Promise<void>
  },
): Promise<StoryRun> {
  const { ports, alone, read, until = Infinity, onEnacted } = options
  if (ports.systemClock.monotonic() >= until) throw new TimeOverError('The time is over.')
  const enacted = await enactFresh(story, ports)
  await onEnacted?.(enacted)
  const keys = enacted.events.map(({ key }) => key)
  const fitted = schedule === undefined ? inOrderSchedule(keys) : fitSchedule(schedule, keys)
  if (alone) await undefinedIfGone(async () => await ports.catchUp?.(until))
  // If nothing listens any more, the first message shows it.
  const before = alone ? ((await undefinedIfGone(() => readShop(ports, 'once', enacted))) ?? []) : []
  const result = await runSchedule(enacted, fitted, ports, { read, resendsAll, until })
  const isRead = alone && result.broken === undefined
  const after = isRead ? await undefinedIfGone(() => readShop(ports, 'settled', enacted)) : []
  return {
    enacted,
    schedule: fitted,
    result: after === undefined ? { ...result, broken: 'gone' } : result,
    sentIds: sentIdsIn(enacted.events.map(({ body }) => ({ body: Buffer.from(body) }))),
    cache: new Map(),
    shop: pairValues(before, after ?? []),
  }
}

/** A story begins this long before it is sent, in ms, so that no event has a time in the future. */
const STORY_AGE = 60_000

async function enactFresh(story: Story, ports: ExplorePorts): Promise<EnactedStory> {
  const main = await ports.order(story.amounts.main)
  const unrelated = hasUnrelatedOrder(story) ? await ports.order(story.amounts.unrelated) : ''
  if (main === undefined || unrelated === undefined) throw new OrdersExhaustedError('The orders ran out.')
  const { random, systemClock, metadata = {} } = ports
  return enactStory(story, { random, orders: { main, unrelated }, start: systemClock.now() - STORY_AGE, metadata })
}
