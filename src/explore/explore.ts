// Searches for the story and the order of deliveries that break a handler.
import { seededRandomness } from '../time/random.ts'
import { confirmFinding } from './confirm-finding.ts'
import { type Corpus, createCorpus, type Drawn } from './corpus.ts'
import { type Case, type Evaluation, evaluateCase, OrdersExhaustedError } from './evaluate-case.ts'
import type { ExploreOptions, ExploreReport, Progress } from './explore-options.ts'
import type { Finding } from './finding.ts'
import { readBatch } from './read-batch.ts'
import { situationsOf } from './situations.ts'
import { LESSON_AMOUNT, type Lessons, takeLessons } from './take-lessons.ts'
import type { Twin } from './twin.ts'

const MAX_FINDINGS = 10

/** @throws TargetUnreachableError, ProbeError, OrdersExhaustedError */
export async function explore(options: ExploreOptions): Promise<ExploreReport> {
  const { signal } = options
  const search = await unlessAborted(startSearch(options), signal)
  if (search === undefined) return { ...NOTHING, seed: options.seed }
  for (const failing of search.lessons.failing) await unlessAborted(confirm(search, failing), signal)
  let end = endOf(search)
  while (end === undefined) {
    await unlessAborted(runBatch(search), signal)
    options.onProgress?.(progressOf(search))
    end = endOf(search)
  }
  if (search.shrinkingNow !== undefined) addFinding(search, search.shrinkingNow)
  const { findings, stories, sent, shrinking, firstFindingAfter, situations, unconfirmed, lessons } = search
  return {
    seed: options.seed,
    findings,
    stories,
    deliveries: sent,
    shrinking,
    ...(firstFindingAfter !== undefined && { firstFindingAfter }),
    situations: [...situations],
    volatile: [...lessons.meanings.volatile],
    lag: lessons.lag,
    end,
    unconfirmed,
  }
}

/** The report of an exploration that was interrupted before its search. */
const NOTHING: Omit<ExploreReport, 'seed'> = {
  findings: [],
  stories: 0,
  deliveries: 0,
  shrinking: 0,
  situations: [],
  volatile: [],
  lag: 0,
  end: 'interrupted',
  unconfirmed: 0,
}

/** Resolves with `undefined` when the signal is aborted, because a request may take 15 s. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  if (signal === undefined) return await work
  let stop = () => {}
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** The state of a search. */
interface Search {
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
  firstFindingAfter: number | undefined
  /** A confirmed finding that is being shrunk. */
  shrinkingNow: Finding | undefined
  stopped: 'orders' | 'handler stopped' | undefined
}

async function startSearch(options: ExploreOptions): Promise<Search> {
  const began = options.ports.systemClock.monotonic()
  const lessons = await takeLessons(options.ports, options.amount ?? LESSON_AMOUNT)
  return {
    options,
    lessons,
    corpus: createCorpus(seededRandomness(`explore ${options.seed}`), {
      amount: options.amount,
      seed: seedOf(options),
    }),
    began,
    findings: [],
    situations: new Set(),
    sent: lessons.sent,
    shrinking: 0,
    stories: 0,
    unconfirmed: 0,
    firstFindingAfter: undefined,
    shrinkingNow: undefined,
    stopped: undefined,
  }
}

/** The story of a recording, with the amount of the options. */
function seedOf({ story, amount }: ExploreOptions): Case | undefined {
  if (story === undefined || amount === undefined) return story
  return { ...story, story: { ...story.story, amounts: { main: amount, control: amount } } }
}

function endOf({ options, findings, stopped, sent, began }: Search): ExploreReport['end'] | undefined {
  const { signal, ports, time, deliveries, maxFindings = MAX_FINDINGS } = options
  if (signal?.aborted === true) return 'interrupted'
  if (stopped !== undefined) return stopped
  if (findings.length >= maxFindings) return 'findings'
  if (sent >= deliveries) return 'deliveries'
  return ports.systemClock.monotonic() - began >= time ? 'time' : undefined
}

function progressOf({ options, stories, sent, situations, findings, began }: Search): Progress {
  const ms = Math.round(options.ports.systemClock.monotonic() - began)
  return { stories, deliveries: sent, situations: situations.size, findings: findings.length, ms }
}

async function runBatch(search: Search): Promise<void> {
  const { options, lessons, corpus, findings, situations } = search
  const drawn = Array.from({ length: options.lanes }, () => corpus.next())
  const watch = await readBatch(lessons.ports, lessons.meanings)
  const done = (await Promise.all(drawn.map((one) => runLane(search, one)))).filter((one) => one !== undefined)
  search.stories += done.length
  for (const { evaluation } of done) {
    search.sent += evaluation.sent
    for (const twin of twinsOf(evaluation)) for (const title of situationsOf(twin)) situations.add(title)
  }
  // A wrong sum of the whole shop shows that one of the cases is wrong, so each is run alone.
  const isShopWrong = await watch.isWrong(
    done.flatMap(({ evaluation, isKnown }) => twinsOf(evaluation).slice(isKnown ? 1 : 0)),
  )
  let isConfirmed = false
  for (const { evaluation } of done) {
    const { violation } = evaluation
    if (violation === undefined) corpus.add(evaluation, lessons.meanings)
    const isNew = violation !== undefined && !findings.some(({ cause }) => cause === violation.cause)
    const isSuspect = violation === undefined && isShopWrong && !findings.some(({ id }) => id === 'money')
    if (isNew || isSuspect) isConfirmed = (await confirm(search, evaluation.case)) || isConfirmed
    else isConfirmed ||= violation !== undefined
  }
  const isFailure = isShopWrong || done.some(({ evaluation }) => evaluation.violation !== undefined)
  if (isFailure && !isConfirmed && endOf(search) === undefined && !findings.some(({ id }) => id === 'money'))
    search.unconfirmed++
}

async function runLane(
  search: Search,
  { given, known }: Drawn,
): Promise<{ evaluation: Evaluation; isKnown: boolean } | undefined> {
  const { ports, meanings } = search.lessons
  try {
    const evaluation = await evaluateCase(given, { ports, meanings, read: 'quick', alone: false, known })
    return { evaluation, isKnown: known !== undefined }
  } catch (error) {
    requireExhausted(error)
    search.stopped = 'orders'
    return undefined
  }
}

/** Returns whether the case fails alone. */
async function confirm(search: Search, found: Case): Promise<boolean> {
  const { options, lessons, findings } = search
  if (endOf(search) !== undefined) return false
  try {
    const confirmed = await confirmFinding(found, {
      ...lessons,
      mayContinue: () => options.signal?.aborted !== true,
      onFailing(finding) {
        search.shrinkingNow = finding
      },
      isKnown: (cause) => findings.some((one) => one.cause === cause),
    })
    search.shrinkingNow = undefined
    search.sent += confirmed.confirming
    search.shrinking += confirmed.shrinking
    if (confirmed.isGone) search.stopped = 'handler stopped'
    const { finding } = confirmed
    if (finding === undefined) return confirmed.isFailing
    addFinding(search, finding)
    return true
  } catch (error) {
    requireExhausted(error)
    search.stopped = 'orders'
    return false
  }
}

function addFinding(search: Search, finding: Finding): void {
  search.firstFindingAfter ??= search.sent
  search.findings.push(finding)
  search.options.onFinding?.(finding)
}

function requireExhausted(error: unknown): void {
  if (!(error instanceof OrdersExhaustedError)) throw error
}

function twinsOf({ inOrder, scheduled }: Evaluation): Twin[] {
  return [inOrder, scheduled].filter((twin) => twin !== undefined)
}
