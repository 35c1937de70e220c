// Runs of stories without a handler: a test says what each round sent, and what the probes showed.
import { sentIdsIn } from '../../src/audit/sent-ids.ts'
import { enactStory } from '../../src/explore/enact-story.ts'
import type { OrderReading } from '../../src/explore/read-probes.ts'
import { inOrderSchedule, type Schedule } from '../../src/explore/schedule.ts'
import type { StoryStep } from '../../src/explore/story.ts'
import type { StoryRun } from '../../src/explore/story-run.ts'
import { seededRandomness } from '../../src/random.ts'

export const PROBE = 'orders/{order_id}'

export const PAID: readonly StoryStep[] = [
  { do: 'create', payment: 'p1', order: 'main' },
  { do: 'pay', payment: 'p1' },
]

export const UNRELATED_PAID: readonly StoryStep[] = [
  { do: 'create', payment: 'u1', order: 'unrelated' },
  { do: 'pay', payment: 'u1' },
]

export const EXPIRED: readonly StoryStep[] = [
  { do: 'create', payment: 'p2', order: 'main' },
  { do: 'expire', payment: 'p2' },
]

export function refund(name: string, percent: number, payment = 'p1'): StoryStep {
  return { do: 'refund', payment, refund: name, percent, result: 'succeeded' }
}

/** Returns the value that a probe showed of an order. */
export function reading(value: unknown, more: Partial<OrderReading> = {}): OrderReading {
  return { probe: PROBE, order: 'main', text: typeof value === 'string' ? value : JSON.stringify(value), ...more }
}

interface Shown {
  readonly schedule?: Schedule
  /** The keys of the events of each round, and the readings after it. All events are accepted. */
  readonly rounds?: readonly (readonly [sent: readonly string[], readings: readonly OrderReading[]])[]
  readonly end?: readonly OrderReading[]
  readonly afterResend?: readonly OrderReading[]
  readonly shop?: StoryRun['shop']
}

/** A run with payments of 1000.00 for the main order and 500.00 for the unrelated order. */
export function storyRunOf(steps: readonly StoryStep[], shown: Shown = {}): StoryRun {
  const story = { amounts: { main: 100_000, unrelated: 50_000 }, steps }
  const ids = { random: seededRandomness('ids'), orders: { main: 'A-1', unrelated: 'B-1' }, start: 0 }
  const enacted = enactStory(story, ids)
  const { schedule = inOrderSchedule(enacted.events.map(({ key }) => key)), rounds = [], end = [], afterResend } = shown
  const accepted = new Set<string>()
  const sentRounds = rounds.map(([sent, readings]) => {
    for (const key of sent) accepted.add(key)
    const messages = sent.map((event) => ({ event, response: { status: 200, ms: 1, text: '' } }))
    return { messages, readings, accepted: enacted.events.filter(({ key }) => accepted.has(key)) }
  })
  return {
    enacted,
    schedule,
    result: {
      rounds: sentRounds,
      end,
      refused: [],
      broken: undefined,
      sent: 0,
      ...(afterResend !== undefined && { afterResend }),
    },
    sentIds: sentIdsIn(enacted.events.map(({ body }) => ({ body: Buffer.from(body) }))),
    cache: new Map(),
    shop: shown.shop ?? [],
  }
}
