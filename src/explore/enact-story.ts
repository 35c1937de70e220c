// Performs a story on the real engine, in memory and with a separate clock. The engine emits the events that are sent.
import { RefusalError } from '../domain/errors.ts'
import type { WebhookEvent } from '../domain/events.ts'
import { addMs, type SandboxTime } from '../domain/time.ts'
import type { Caller } from '../engine/command.ts'
import { defaultShopInput } from '../engine/default-shop.ts'
import { createEngine, type Engine } from '../engine/engine.ts'
import type { Randomness } from '../engine/ports.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import { performStep, type StoryContext } from './perform-step.ts'
import { eventKeyOf, type OrderName, type Story, type StoryStep } from './story.ts'
import type { Snapshot, StoryEvent } from './story-event.ts'

export interface StoryOptions {
  readonly random: Randomness
  /** The ids of the orders. */
  readonly orders: { readonly [order in OrderName]: string }
  /** The first step happens 1 s after this time, and each further step at least 1 s after the one before. */
  readonly start: number
  readonly metadata?: { readonly [key: string]: string }
  /** Allows a second successful payment for an order that is already paid. */
  readonly allowsSecondPayment?: boolean
}

export interface StoryWalker {
  /** Performs a step. Returns false, and changes no object, if the step is not possible. */
  perform(step: StoryStep): boolean
  readonly events: readonly StoryEvent[]
}

const STEP_MS = 1000

/**
 * Starts a story. The name of a new payment or refund must be unused, and a step must not pay for a paid order unless
 * `allowsSecondPayment` is set. The engine decides about everything else.
 */
export function startStory(amounts: Story['amounts'], options: StoryOptions): StoryWalker {
  const { random, orders, start, metadata = {}, allowsSecondPayment = false } = options
  let steps = 0
  const { engine, caller } = createStoryEngine(random, () => addMs(start as SandboxTime, steps * STEP_MS))
  const context: StoryContext = { engine, caller, amounts, orders, metadata, ids: new Map(), orderOf: new Map() }
  const events: StoryEvent[] = []
  return {
    events,
    perform(step) {
      if (!isNameFree(step, context.ids)) return false
      if (!allowsSecondPayment && paysTwice(step, context)) return false
      steps++
      try {
        performStep(context, step)
      } catch (error) {
        if (error instanceof RefusalError) return false
        throw error
      }
      for (const event of newEvents(context, events.at(-1)?.id)) events.push(toStoryEvent(step, event, context))
      return true
    },
  }
}

/** Returns whether the step pays for an order that is already paid. Most stories contain no such double charge. */
function paysTwice(step: StoryStep, { ids, orderOf, engine }: StoryContext): boolean {
  if (step.do !== 'pay') return false
  const order = orderOf.get(step.payment)
  return [...ids].some(
    ([name, id]) => orderOf.get(name) === order && engine.world.get('payments', id)?.status === 'succeeded',
  )
}

function newEvents({ engine }: StoryContext, last: string | undefined): WebhookEvent[] {
  return [...engine.world.rowsAfter('events', last)].filter(({ id }) => id !== last)
}

function toStoryEvent(step: StoryStep, event: WebhookEvent, { ids, orderOf }: StoryContext): StoryEvent {
  const { id, event: name, body, object_id } = event
  const object = [...ids].find(([, known]) => known === object_id)?.[0] ?? object_id
  const order = orderOf.get(object)
  const snapshot = snapshotOf(body)
  return {
    key: eventKeyOf(step),
    id,
    name,
    body,
    object,
    object_id,
    snapshot,
    ...(order !== undefined && { order }),
    ...(name === 'payment.refunded' && 'result' in step && step.result === 'failed' && { refundFailed: true }),
  }
}

function isNameFree(step: StoryStep, ids: ReadonlyMap<string, string>): boolean {
  const name = step.do === 'create' ? step.payment : step.do === 'refund' ? step.refund : undefined
  return name === undefined || !ids.has(name)
}

function snapshotOf(body: string): Snapshot {
  const { data } = JSON.parse(body) as { data: { status: string; amount: number; amount_refunded?: number } }
  return { status: data.status, amount: data.amount, refunded: data.amount_refunded ?? 0 }
}

function createStoryEngine(random: Randomness, now: () => SandboxTime): { engine: Engine; caller: Caller } {
  const store = openMemoryStore({ folder: undefined, systemClock: { now }, notice() {} })
  const engine = createEngine(store, random, now)
  engine.execute('initialize', { shop: defaultShopInput() })
  const [shop] = engine.world.rows('shops')
  return { engine, caller: { shop_id: shop?.id ?? '', mode: 'test' } }
}

/** The events of a story, and the steps that the engine accepted. */
export interface EnactedStory {
  readonly story: Story
  readonly events: readonly StoryEvent[]
  readonly orders: StoryOptions['orders']
}

/** Performs the possible steps of the story, and leaves out the impossible ones. */
export function enactStory({ amounts, steps }: Story, options: StoryOptions): EnactedStory {
  const walker = startStory(amounts, options)
  const performed = steps.filter((step) => walker.perform(step))
  return { story: { amounts, steps: performed }, events: walker.events, orders: options.orders }
}
