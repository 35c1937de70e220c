// Shrinks a failing case: fewer steps, then fewer messages and less concurrency, then round amounts.
import type { Case } from './evaluate-case.ts'
import { countMessages, fitSchedule, inOrderSchedule, type Schedule } from './schedule.ts'
import type { Story, StoryStep } from './story.ts'

export interface ShrinkOptions {
  /** Returns the events of a story, and the story with only its possible steps. */
  legalize(story: Story): { readonly story: Story; readonly events: readonly string[] }
  /** Returns whether the case breaks the same rule. */
  fails(candidate: Case): Promise<boolean>
  /** Returns whether there is time for another candidate. */
  mayContinue(): boolean
}

/** Returns a case from which nothing can be removed, or the smallest one found in time. */
export async function shrinkCase(start: Case, options: ShrinkOptions): Promise<Case> {
  const tried = new Set<string>()
  const legalize = cachedByStory(options.legalize)
  let smallest = start
  for (let progress = true; progress; ) {
    progress = false
    for (const candidate of candidatesOf(smallest, legalize)) {
      const text = JSON.stringify(candidate)
      if (tried.has(text) || text === JSON.stringify(smallest)) continue
      tried.add(text)
      if (!options.mayContinue()) return smallest
      if (!(await options.fails(candidate))) continue
      smallest = candidate
      progress = true
      break
    }
  }
  return smallest
}

/** After each smaller case, most candidates have the stories of earlier ones. Each story is performed once. */
function cachedByStory(legalize: ShrinkOptions['legalize']): ShrinkOptions['legalize'] {
  const known = new Map<string, ReturnType<typeof legalize>>()
  return (story) => {
    const text = JSON.stringify(story)
    const legal = known.get(text) ?? legalize(story)
    known.set(text, legal)
    return legal
  }
}

/**
 * Yields smaller and simpler cases. First come a case without the resend and one in order, then cases with fewer steps,
 * and then simpler schedules and simpler steps.
 */
function* candidatesOf({ story, schedule, resendsAll }: Case, legalize: ShrinkOptions['legalize']): Generator<Case> {
  if (resendsAll) yield { story, schedule, resendsAll: false }
  const { events } = legalize(story)
  yield { story, schedule: inOrderSchedule(events), resendsAll }
  for (const steps of shorterLists(story.steps)) {
    const legal = legalize({ ...story, steps })
    // A story without events, or one that did not become shorter, shows nothing new.
    if (legal.events.length === 0 || legal.story.steps.length >= story.steps.length) continue
    yield { story: legal.story, schedule: fitSchedule(schedule, legal.events), resendsAll }
  }
  for (const smaller of simplerSchedules(schedule, events))
    yield { story, schedule: fitSchedule(smaller, events), resendsAll }
  for (const simpler of simplerSteps(story)) {
    const legal = legalize(simpler)
    if (legal.story.steps.length === story.steps.length)
      yield { story: legal.story, schedule: fitSchedule(schedule, legal.events), resendsAll }
  }
}

/** Delta debugging: removes halves, quarters and so on, down to single items. The last items are removed first. */
function* shorterLists<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let size = Math.ceil(items.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = items.length - size; at > -size; at -= size) {
      const from = Math.max(0, at)
      yield [...items.slice(0, from), ...items.slice(at + size)]
    }
  }
}

function* simplerSchedules(schedule: Schedule, events: readonly string[]): Generator<Schedule> {
  // Removes a delivery. If no other delivery sends the event, `fitSchedule` adds one at the end.
  for (const [at, round] of schedule.entries()) {
    for (const within of round.keys()) {
      const fitted = fitSchedule(schedule.with(at, round.toSpliced(within, 1)), events)
      // If the only delivery of an event just moves to the end, the schedule must become more like the story.
      const isMoved = round.length === 1 && countMessages(fitted) === countMessages(schedule)
      if (!isMoved || countSwaps(fitted, events) < countSwaps(schedule, events)) yield fitted
    }
  }
  for (const [at, round] of schedule.entries()) {
    for (const [within, { event, copies, response_lost }] of round.entries()) {
      const withCopies = (fewer: number) => schedule.with(at, round.with(within, { event, copies: fewer }))
      if (response_lost === true || copies > 1) yield withCopies(1)
      if (copies > 2) yield withCopies(2)
    }
  }
  for (const [at, round] of schedule.entries()) {
    if (round.length < 2) continue
    const apart = round.map((delivery) => [delivery])
    yield schedule.toSpliced(at, 1, ...apart)
    yield schedule.toSpliced(at, 1, ...apart.toReversed())
  }
  // Sorts two neighbours into the order of the story.
  for (let at = 0; at + 1 < schedule.length; at++) {
    const [left, right] = [schedule[at]?.[0], schedule[at + 1]?.[0]]
    if (left === undefined || right === undefined || events.indexOf(left.event) <= events.indexOf(right.event)) continue
    yield schedule.toSpliced(at, 2, ...schedule.slice(at, at + 2).reverse())
  }
}

/** Returns how many pairs of deliveries are not in the order of the story. */
function countSwaps(schedule: Schedule, events: readonly string[]): number {
  const sent = schedule.flatMap((round, at) => round.map(({ event }) => ({ at, place: events.indexOf(event) })))
  const swappedWith = (one: (typeof sent)[number]) => sent.filter(({ at, place }) => at > one.at && place < one.place)
  return sent.reduce((sum, one) => sum + swappedWith(one).length, 0)
}

const PLAIN_AMOUNT = 100_000
const PLAIN_PERCENT = 30

function* simplerSteps(story: Story): Generator<Story> {
  const { amounts, steps } = story
  const created = steps.flatMap((step) => (step.do === 'create' ? [step.order] : []))
  if (created.length > 0 && !created.includes('main')) {
    const asMain = steps.map((step) => (step.do === 'create' ? { ...step, order: 'main' as const } : step))
    yield { amounts: { main: amounts.unrelated, unrelated: amounts.unrelated }, steps: asMain }
  }
  if (amounts.main !== PLAIN_AMOUNT) yield { ...story, amounts: { main: PLAIN_AMOUNT, unrelated: PLAIN_AMOUNT } }
  for (const [at, step] of steps.entries()) {
    const simple = simplerStep(step)
    if (simple !== undefined) yield { ...story, steps: steps.map((one, n) => (n === at ? simple : one)) }
  }
}

function simplerStep(step: StoryStep): StoryStep | undefined {
  if (step.do !== 'refund') return undefined
  if (step.percent !== PLAIN_PERCENT && step.percent !== 0) return { ...step, percent: PLAIN_PERCENT }
  return step.result === 'pending' ? { ...step, result: 'failed' } : undefined
}
