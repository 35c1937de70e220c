// Runs the story of a case with new ids: once in order, and once as scheduled. Returns the first broken rule.
import { type BrokenReason, TimeOverError, undefinedIfGone } from './broken-run.ts'
import { type EnactedStory, enactStory } from './enact-story.ts'
import type { ExplorePorts } from './explore-ports.ts'
import { judgeBothRuns, judgeRun } from './judge-run.ts'
import type { Meanings } from './learn-meanings.ts'
import type { ReadMode } from './read-orders.ts'
import { runSchedule } from './run-schedule.ts'
import { fitSchedule, inOrderSchedule, isInOrder, type Schedule } from './schedule.ts'
import { hasControlOrder, type Story } from './story.ts'
import { type ShopReading, type StoryRun, sentIdsOf } from './story-run.ts'
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

/** @throws OrdersExhaustedError, ProbeError, TimeOverError */
export async function evaluateCase(given: Case, options: EvaluationOptions): Promise<Evaluation> {
  const inOrder = options.known ?? (await runStory(given, undefined, options))
  const keys = inOrder.enacted.events.map(({ key }) => key)
  const schedule = fitSchedule(given.schedule, keys)
  const plain = inOrderSchedule(keys)
  const cost = options.known === undefined ? inOrder.result.sent : 0
  const early = options.known === undefined ? judgeRun(inOrder, options.meanings) : undefined
  const found = { inOrder, scheduled: undefined }
  if (early !== undefined) return { case: { ...given, schedule: plain }, violation: early, sent: cost, ...found }
  if (isInOrder(schedule, keys)) return { case: { ...given, schedule }, violation: undefined, sent: cost, ...found }
  const scheduled = await runStory(given, schedule, options)
  const violation = judgeRun(scheduled, options.meanings) ?? judgeBothRuns(inOrder, scheduled, options.meanings)
  return { case: { ...given, schedule }, violation, inOrder, scheduled, sent: cost + scheduled.result.sent }
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
  if (alone) await undefinedIfGone(async () => await ports.catchUp?.())
  // If nothing listens any more, the first message shows it.
  const before = alone ? ((await undefinedIfGone(() => readShop(enacted, ports, 'once'))) ?? []) : []
  const result = await runSchedule(enacted, fitted, ports, { read, resendsAll, until })
  const isRead = alone && result.broken === undefined
  const after = isRead ? await undefinedIfGone(() => readShop(enacted, ports, 'settled')) : []
  return {
    enacted,
    schedule: fitted,
    result: after === undefined ? { ...result, broken: 'gone' } : result,
    sentIds: sentIdsOf(enacted),
    cache: new Map(),
    shop: pairReadings(before, after ?? []),
  }
}

/** A story begins this long before it is sent, in ms, so that no event has a time in the future. */
const STORY_AGE = 60_000

async function enactFresh(story: Story, ports: ExplorePorts): Promise<EnactedStory> {
  const main = await ports.order(story.amounts.main)
  const control = hasControlOrder(story) ? await ports.order(story.amounts.control) : ''
  if (main === undefined || control === undefined) throw new OrdersExhaustedError('The orders ran out.')
  const { random, systemClock, metadata = {} } = ports
  return enactStory(story, { random, orders: { main, control }, start: systemClock.now() - STORY_AGE, metadata })
}

/** Reads the probes of the whole shop. */
export async function readShop(
  enacted: Pick<EnactedStory, 'orders' | 'events'>,
  { probes }: ExplorePorts,
  mode: 'once' | 'value' | 'settled',
): Promise<{ probe: string; text: string }[]> {
  const about = { order_id: enacted.orders.main, payment_id: enacted.events[0]?.object_id ?? '' }
  const shop = probes.filter(({ isPerOrder }) => !isPerOrder)
  return await Promise.all(shop.map(async (probe) => ({ probe: probe.label, text: (await probe[mode](about)).text })))
}

export function pairReadings(
  before: readonly { probe: string; text: string }[],
  after: readonly { probe: string; text: string }[],
): ShopReading[] {
  return before.flatMap(({ probe, text }) => {
    const later = after.find((one) => one.probe === probe)
    return later === undefined ? [] : [{ probe, before: text, after: later.text }]
  })
}
