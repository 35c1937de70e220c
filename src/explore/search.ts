// The state of a search, and when it ends.
import { seededRandomness } from '../random.ts'
import type { BrokenReason } from './broken-run.ts'
import { type Corpus, createCorpus } from './corpus.ts'
import { type Case, OrdersExhaustedError } from './evaluate-case.ts'
import type { ExploreOptions, ExploreReport, Progress } from './explore-options.ts'
import type { ExplorePorts } from './explore-ports.ts'
import type { Finding } from './finding.ts'
import { LESSON_AMOUNT, type Lessons, learnFromSimpleStories } from './learn-from-simple-stories.ts'

const MAX_FINDINGS = 10

export interface Search {
  readonly options: ExploreOptions
  readonly lessons: Lessons
  readonly corpus: Corpus
  /** The time of the start, in ms of the monotonic clock. */
  readonly began: number
  readonly findings: Finding[]
  readonly situations: Set<string>
  sent: number
  shrinking: number
  stories: number
  unconfirmed: number
  /** Number of cases that run at the same time. A handler that falls behind gets fewer. */
  concurrency: number
  firstFindingAfter: number | undefined
  /** A confirmed finding that is being shrunk. */
  shrinkingNow: Finding | undefined
  stopped: 'orders' | 'order failed' | 'all refused' | 'no effect' | (typeof ENDS)[BrokenReason] | undefined
  /** The message of the probe, or of the source of orders, that ended the search. */
  failure: string | undefined
  /** The errors of the source of orders. */
  readonly orderErrors: ReadonlySet<unknown>
  /** The report was made. Work that an interruption left behind must not add to it. */
  isClosed: boolean
}

/** How the search ends if the handler cannot continue. */
export const ENDS = { gone: 'handler stopped', hung: 'handler hangs' } as const

const NO_PROGRESS = { stories: 0, situations: 0, findings: 0 } as const

export async function startSearch(given: ExploreOptions): Promise<Search> {
  const { ports, errors: orderErrors } = recordOrderErrors(given.ports)
  const options = { ...given, ports }
  const { systemClock } = ports
  const began = systemClock.monotonic()
  const { amount, time, onProgress } = options
  const lessons = await learnFromSimpleStories(ports, amount ?? LESSON_AMOUNT, began + time, (messages) =>
    onProgress?.({ ...NO_PROGRESS, messages, ms: Math.round(systemClock.monotonic() - began) }),
  )
  return {
    options,
    lessons,
    corpus: createCorpus(seededRandomness(`explore ${options.seed}`), { amount, firstCase: firstCaseOf(options) }),
    began,
    findings: [],
    situations: new Set(),
    sent: lessons.sent,
    shrinking: 0,
    stories: 0,
    unconfirmed: 0,
    concurrency: options.concurrency,
    firstFindingAfter: undefined,
    shrinkingNow: undefined,
    stopped: undefined,
    failure: undefined,
    orderErrors,
    isClosed: false,
  }
}

/** Records the errors of the source of orders, to distinguish them from errors of the search. */
function recordOrderErrors(ports: ExplorePorts): { readonly ports: ExplorePorts; readonly errors: Set<unknown> } {
  const errors = new Set<unknown>()
  const order: ExplorePorts['order'] = async (amount) => {
    try {
      return await ports.order(amount)
    } catch (error) {
      errors.add(error)
      throw error
    }
  }
  return { ports: { ...ports, order }, errors }
}

/** Ends the search if the orders ran out or their source failed. Throws any other error. */
export function endWithoutOrders(search: Search, error: unknown): void {
  if (error instanceof OrdersExhaustedError) {
    search.stopped = 'orders'
    return
  }
  if (!search.orderErrors.has(error)) throw error
  search.stopped = 'order failed'
  search.failure = error instanceof Error ? error.message : String(error)
}

/** Returns the first case of the options, with the amount of the options. */
function firstCaseOf({ story, amount }: ExploreOptions): Case | undefined {
  if (story === undefined || amount === undefined) return story
  return { ...story, story: { ...story.story, amounts: { main: amount, unrelated: amount } } }
}

export function endOf(search: Search): ExploreReport['end'] | undefined {
  const { options, sent } = search
  const { ports, maxMessages } = options
  const immediate = immediateEndOf(search)
  if (immediate !== undefined) return immediate
  if (sent >= maxMessages) return 'deliveries'
  return ports.systemClock.monotonic() >= timeLimit(search) ? 'time' : undefined
}

/** Returns a reason to end the search at once. A time or message limit ends it after failed cases are confirmed. */
export function immediateEndOf({ options, findings, stopped }: Search): ExploreReport['end'] | undefined {
  const { signal, maxFindings = MAX_FINDINGS } = options
  if (signal?.aborted === true) return 'interrupted'
  return stopped ?? (findings.length >= maxFindings ? 'findings' : undefined)
}

export function timeLimit({ options, began }: Search): number {
  return began + options.time
}

export function progressOf({ options, stories, sent, situations, findings, began }: Search): Progress {
  const ms = Math.round(options.ports.systemClock.monotonic() - began)
  return { stories, messages: sent, situations: situations.size, findings: findings.length, ms }
}

export function addFinding(search: Search, finding: Finding): void {
  if (search.isClosed) return
  search.firstFindingAfter ??= search.sent
  search.findings.push(finding)
  search.options.onFinding?.(finding)
}
