// Searches for the story and the order of messages that break a handler.
import { ProbeError } from '../audit/ports.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import { resultUnlessAborted } from '../domain/promises.ts'
import { abortablePorts, createPortUse } from './abortable-ports.ts'
import { undefinedIfTimeOver } from './broken-run.ts'
import { confirmFailure } from './confirm-broken.ts'
import type { DrawnCase } from './corpus.ts'
import { brokenIn, type Evaluation, evaluateCase } from './evaluate-case.ts'
import type { ExploreOptions, ExploreReport } from './explore-options.ts'
import { createFinding } from './finding.ts'
import { isCrashOnEvent } from './judge-availability.ts'
import { countMessages } from './schedule.ts'
import {
  addFinding,
  ENDS,
  endOf,
  endWithoutOrders,
  immediateEndOf,
  progressOf,
  type Search,
  startSearch,
  timeLimit,
} from './search.ts'
import { situationsOf } from './situations.ts'
import type { StoryRun } from './story-run.ts'
import { watchShop } from './watch-shop.ts'

/**
 * @throws TargetUnreachableError, OrdersExhaustedError; without a finding also ProbeError and the error of `order`
 */
export async function explore(given: ExploreOptions): Promise<ExploreReport> {
  const { signal } = given
  const use = createPortUse()
  const options = { ...given, ports: abortablePorts(given.ports, signal, use) }
  const { systemClock } = given.ports
  const began = systemClock.monotonic()
  const spent = () => {
    const { handler, probes, orders } = use.ms
    const other = Math.max(0, systemClock.monotonic() - began - handler - probes - orders)
    return { handler, probes, orders, other }
  }
  const search = await resultUnlessAborted(startSearch(options), signal)
  if (search === undefined) return { ...NOTHING, seed: options.seed, deliveries: use.sent, spent: spent() }
  let end: ExploreReport['end']
  try {
    end = await runSearch(search)
  } catch (error) {
    if (!(error instanceof ProbeError) || (search.findings.length === 0 && search.shrinkingNow === undefined))
      throw error
    search.failure = error.message
    end = 'probe failed'
  }
  // After an interruption, the messages of unfinished cases are not counted yet.
  const rest = end === 'interrupted' ? use.sent - search.sent - search.shrinking : 0
  if (search.shrinkingNow === undefined) search.sent += rest
  else search.shrinking += rest
  if (search.shrinkingNow !== undefined) addFinding(search, search.shrinkingNow)
  if (end === 'order failed' && search.findings.length === 0) throw [...search.orderErrors][0]
  search.isClosed = true
  const { findings, stories, sent, shrinking, firstFindingAfter, situations, unconfirmed, lessons, failure } = search
  return {
    seed: options.seed,
    findings,
    stories,
    deliveries: sent,
    shrinking,
    situations: [...situations],
    volatile: [...lessons.meanings.volatile],
    silent: lessons.silent,
    notJudged: lessons.notJudged,
    lag: lessons.lag,
    end,
    unconfirmed,
    spent: spent(),
    ...omitUndefined({ firstFindingAfter, failure }),
  }
}

async function runSearch(search: Search): Promise<ExploreReport['end']> {
  const { options, lessons } = search
  const { signal, onProgress } = options
  for (const failing of lessons.failing) {
    await resultUnlessAborted(confirm(search, failing, true), signal)
    // If no simple story is accepted, all other stories would fail for the same reason.
    if (lessons.accepted === 0 && search.findings.length > 0) search.stopped ??= 'all refused'
  }
  const { noEffect, ignoredRefund, meanings } = lessons
  for (const found of [noEffect, ignoredRefund])
    if (found !== undefined) addFinding(search, createFinding(found, meanings))
  if (noEffect !== undefined) search.stopped ??= 'no effect'
  let end = endOf(search)
  while (end === undefined) {
    await resultUnlessAborted(runBatch(search), signal)
    onProgress?.(progressOf(search))
    end = endOf(search)
  }
  return end
}

/** The report of an exploration that was interrupted before the search began. */
const NOTHING: Omit<ExploreReport, 'seed' | 'spent'> = {
  findings: [],
  stories: 0,
  deliveries: 0,
  shrinking: 0,
  situations: [],
  volatile: [],
  silent: [],
  notJudged: [],
  lag: 0,
  end: 'interrupted',
  unconfirmed: 0,
}

async function runBatch(search: Search): Promise<void> {
  const { lessons, corpus, findings, situations } = search
  const drawn = drawBatch(search)
  const isShopWrongAfter = await watchShop(lessons.ports, lessons.meanings)
  const done = (await Promise.all(drawn.map((one) => runCase(search, one)))).filter((one) => one !== undefined)
  search.stories += done.length
  for (const { evaluation } of done) {
    search.sent += evaluation.sent
    for (const storyRun of storyRunsOf(evaluation)) for (const title of situationsOf(storyRun)) situations.add(title)
  }
  // If a sum of the whole shop is wrong, any of the cases may be the reason, so each case is run alone. The correct sum
  // is unknown if a case was broken off.
  const isShopWrong =
    done.length === drawn.length &&
    (await isShopWrongAfter(done.flatMap(({ evaluation, isKnown }) => storyRunsOf(evaluation).slice(isKnown ? 1 : 0))))
  let isConfirmed = false
  for (const { evaluation } of done.toSorted(byBreak)) {
    const { violation } = evaluation
    if (violation === undefined) corpus.add(evaluation, lessons.meanings)
    const isNew = violation !== undefined && !findings.some(({ cause }) => cause === violation.cause)
    const isSuspect = violation === undefined && isShopWrong && !findings.some(({ id }) => id === 'money')
    if (isNew || isSuspect) isConfirmed = (await confirm(search, evaluation, false)) || isConfirmed
    else isConfirmed ||= violation !== undefined
  }
  const isFailure = isShopWrong || done.some(({ evaluation }) => evaluation.violation !== undefined)
  if (isFailure && !isConfirmed && immediateEndOf(search) === undefined && !findings.some(({ id }) => id === 'money'))
    countUnconfirmed(search)
}

/** Draws the cases that run at the same time: as many as the rest of the message limit allows, and at least one. */
function drawBatch({ corpus, concurrency, sent, options: { maxMessages } }: Search): DrawnCase[] {
  const first = corpus.next()
  const drawn = [first]
  let planned = sent + countPlanned(first)
  while (drawn.length < concurrency) {
    const next = corpus.next()
    planned += countPlanned(next)
    if (planned > maxMessages) break
    drawn.push(next)
  }
  return drawn
}

/** Returns the number of messages of a case, without retries. */
function countPlanned({ given: { schedule, resendsAll }, known }: DrawnCase): number {
  const events = new Set(schedule.flat().map(({ event }) => event)).size
  const resent = resendsAll ? events : 0
  return countMessages(schedule) + resent + (known === undefined ? events + resent : 0)
}

/** If effects are late, the handler may have fallen behind, so fewer cases run at the same time from now on. */
function countUnconfirmed(search: Search): void {
  search.unconfirmed++
  if (search.lessons.lag > 0) search.concurrency = Math.max(1, Math.floor(search.concurrency / 2))
}

/** Sorts the case that crashed the handler first, because the other cases may have failed for this reason. */
function byBreak({ evaluation: one }: FinishedCase, { evaluation: other }: FinishedCase): number {
  return breakRank(other) - breakRank(one)
}

function breakRank(evaluation: Evaluation): number {
  if (brokenIn(evaluation) !== 'gone') return 0
  return isCrashOnEvent(evaluation.violation) ? 2 : 1
}

interface FinishedCase {
  readonly evaluation: Evaluation
  /** The in-order run was reused from an earlier case. */
  readonly isKnown: boolean
}

async function runCase(search: Search, { given, known }: DrawnCase): Promise<FinishedCase | undefined> {
  const { ports, meanings } = search.lessons
  const options = { ports, meanings, read: 'once', alone: false, known, until: timeLimit(search) } as const
  try {
    const evaluation = await undefinedIfTimeOver(() => evaluateCase(given, options))
    return evaluation && { evaluation, isKnown: known !== undefined }
  } catch (error) {
    endWithoutOrders(search, error)
    return undefined
  }
}

/**
 * Returns whether the case fails alone.
 * @param wasAlone no other case ran at the same time as the given run
 */
async function confirm(search: Search, found: Evaluation, wasAlone: boolean): Promise<boolean> {
  const { options, lessons, findings } = search
  if (immediateEndOf(search) !== undefined) return false
  try {
    const confirmed = await confirmFailure(found, wasAlone, {
      ...lessons,
      concurrency: search.concurrency,
      end: timeLimit(search),
      mayContinue: () => options.signal?.aborted !== true,
      onFailing(finding) {
        search.shrinkingNow = finding
      },
      isKnown: (cause) => findings.some((one) => one.cause === cause),
    })
    search.shrinkingNow = undefined
    search.sent += confirmed.confirming
    search.shrinking += confirmed.shrinking
    const { finding, broken } = confirmed
    if (broken !== undefined) search.stopped = ENDS[broken]
    if (finding === undefined) return confirmed.isFailing
    addFinding(search, finding)
    return true
  } catch (error) {
    endWithoutOrders(search, error)
    return false
  }
}

function storyRunsOf({ inOrder, scheduled }: Evaluation): StoryRun[] {
  return [inOrder, scheduled].filter((storyRun) => storyRun !== undefined)
}
