// Generates a story: a seeded walk on the real engine, which refuses the steps that are not possible.
import type { Randomness } from '../engine/ports.ts'
import { seededRandomness } from '../random.ts'
import { drawBelow, drawItem, drawWeighted, type Weighted } from './draw.ts'
import { enactStory, type StoryOptions, startStory } from './enact-story.ts'
import { createNames, type Story, type StoryStep } from './story.ts'

interface Walk {
  readonly random: Randomness
  readonly payments: readonly string[]
  readonly refunds: readonly string[]
  /** Returns an unused name. */
  next(kind: string): string
}

/** The kinds of steps. A kind returns `undefined` if there is nothing to act on. */
const STEP_KINDS: readonly (Weighted & { make(walk: Walk): StoryStep | undefined })[] = [
  { weight: 5, make: ({ next }) => ({ do: 'create', payment: next('p'), order: 'main' }) },
  { weight: 8, make: (walk) => onPayment(walk, 'pay') },
  { weight: 3, make: (walk) => onPayment(walk, 'expire') },
  { weight: 2, make: (walk) => onPayment(walk, 'decline') },
  { weight: 2, make: (walk) => onPayment(walk, 'cancel') },
  { weight: 6, make: (walk) => refund(walk, 10 + drawBelow(walk.random, 35), 'succeeded') },
  { weight: 3, make: (walk) => refund(walk, 0, 'succeeded') },
  { weight: 2, make: (walk) => refund(walk, 10 + drawBelow(walk.random, 35), 'failed') },
  { weight: 1, make: (walk) => refund(walk, 0, 'failed') },
  { weight: 2, make: (walk) => refund(walk, 10 + drawBelow(walk.random, 35), 'pending') },
  { weight: 2, make: (walk) => settle(walk) },
  { weight: 1, make: ({ next, random }) => ({ do: 'payout', payout: next('o'), result: drawItem(random, RESULTS) }) },
]

const RESULTS = ['succeeded', 'failed'] as const

/** The number of events of a story is drawn from this list. Short stories are cheap, and find most bugs. */
const LENGTHS = [2, 3, 3, 4, 4, 5, 5, 6, 7, 8] as const
/** The walk ends after this number of drawn steps, possible or not. */
const MAX_DRAWS = 80
/** Share of stories with an unrelated order. */
const UNRELATED_SHARE = 0.35

/** @param amounts fixes the amounts of the orders; drawn by default */
export function walkStory(random: Randomness, amounts: Story['amounts'] = drawAmounts(random)): Story {
  const eventCount = drawItem(random, LENGTHS)
  const steps: StoryStep[] = []
  const walker = startStory(amounts, { random, orders: WALK_ORDERS, start: 0 })
  const walk: Walk = {
    random,
    get payments() {
      return steps.flatMap((step) => (step.do === 'create' ? [step.payment] : []))
    },
    get refunds() {
      return steps.flatMap((step) => (step.do === 'refund' ? [step.refund] : []))
    },
    next: createNames(),
  }
  for (let drawn = 0; drawn < MAX_DRAWS && walker.events.length < eventCount; drawn++) {
    const step = drawWeighted(random, STEP_KINDS).make(walk)
    if (step !== undefined && walker.perform(step)) steps.push(step)
  }
  return withoutIdleSteps({
    amounts,
    steps: random.draw() < UNRELATED_SHARE ? withUnrelatedOrder(random, steps) : steps,
  })
}

const WALK_ORDERS = { main: 'main', unrelated: 'unrelated' }

function drawAmounts(random: Randomness): Story['amounts'] {
  const amount = () => 1000 * (5 + drawBelow(random, 400)) + 2 * drawBelow(random, 50)
  return { main: amount(), unrelated: amount() }
}

function onPayment({ random, payments }: Walk, act: 'pay' | 'decline' | 'expire' | 'cancel'): StoryStep | undefined {
  return payments.length === 0 ? undefined : { do: act, payment: drawItem(random, payments) }
}

function refund(walk: Walk, percent: number, result: 'succeeded' | 'failed' | 'pending'): StoryStep | undefined {
  const { random, payments, next } = walk
  if (payments.length === 0) return undefined
  return { do: 'refund', payment: drawItem(random, payments), refund: next('r'), percent, result }
}

function settle({ random, refunds }: Walk): StoryStep | undefined {
  return refunds.length === 0
    ? undefined
    : { do: 'settle', refund: drawItem(random, refunds), result: drawItem(random, RESULTS) }
}

/** Inserts the payment of an unrelated order. */
function withUnrelatedOrder(random: Randomness, steps: readonly StoryStep[]): StoryStep[] {
  const at = drawBelow(random, steps.length + 1)
  const unrelated: StoryStep[] = [
    { do: 'create', payment: 'u1', order: 'unrelated' },
    { do: 'pay', payment: 'u1' },
  ]
  return [...steps.slice(0, at), ...unrelated, ...steps.slice(at)]
}

/** Removes payments to which nothing happens. */
function withoutIdleSteps(story: Story): Story {
  const used = new Set(story.steps.flatMap((step) => (step.do !== 'create' && 'payment' in step ? [step.payment] : [])))
  return { ...story, steps: story.steps.filter((step) => step.do !== 'create' || used.has(step.payment)) }
}

/** A story with only the steps that the engine accepts. */
export interface LegalStory {
  readonly story: Story
  /** The keys of its events, see `eventKeyOf`. */
  readonly events: readonly string[]
}

export function legalize(story: Story, more: Pick<StoryOptions, 'allowsSecondPayment'> = {}): LegalStory {
  const options = { random: seededRandomness('legal'), orders: WALK_ORDERS, start: 0, ...more }
  const enacted = enactStory(withoutIdleSteps(story), options)
  return { story: withoutIdleSteps(enacted.story), events: enacted.events.map(({ key }) => key) }
}
