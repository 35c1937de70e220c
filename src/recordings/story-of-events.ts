// Turns the webhooks of an order into a story and a schedule. The story repeats the actions, and the schedule repeats
// the order in which the webhooks were received.
import type { Schedule } from '../explore/schedule.ts'
import { createNames, eventKeyOf, type Story, type StoryStep } from '../explore/story.ts'
import { RecordingError } from './recording-error.ts'

/** A received webhook. An event that was received several times is in the list several times. */
export interface ReceivedWebhook {
  readonly event_id: string
  readonly event: string
  /** The time of receipt, in ms since the Unix epoch. */
  readonly at: number
  readonly body: string
}

export interface RecordedStory {
  readonly story: Story
  /** The events in the order in which they were received. */
  readonly schedule: Schedule
  /** The failure codes of declined payments, by the names of the payments. */
  readonly failureCodes: ReadonlyMap<string, string>
  /** Sentences about the differences between the webhooks and the story. */
  readonly remarks: readonly string[]
}

interface RefundData {
  readonly id?: string
  readonly amount?: number
  readonly status?: string
}

interface PaymentData {
  readonly id: string
  readonly amount: number
  readonly created_at?: string
  readonly captured_at?: string
  readonly metadata?: { readonly failure_code?: string }
  readonly refunds?: readonly RefundData[]
}

interface KnownEvent {
  readonly id: string
  readonly name: string
  readonly at: number
  readonly data: PaymentData
}

/**
 * Returns `undefined` if no webhook of the order is about a payment.
 * @throws RecordingError if the amount of a payment is not possible
 */
export function storyOfEvents(webhooks: readonly ReceivedWebhook[]): RecordedStory | undefined {
  const events = distinctEvents(webhooks)
  const payments = paymentsOf(events)
  const [first] = payments.values()
  if (first === undefined) return undefined
  for (const { data } of payments.values()) requireAmount(data)
  const builder = new StoryBuilder(payments)
  for (const event of events) builder.add(event)
  const amounts = new Set([...payments.values()].map(({ data }) => data.amount))
  const { amount } = first.data
  return {
    story: { amounts: { main: amount, unrelated: amount }, steps: builder.steps() },
    schedule: webhooks
      .toSorted((a, b) => a.at - b.at)
      .flatMap(({ event_id }) => builder.eventKeyOf(event_id) ?? [])
      .map((event) => [{ event, copies: 1 }]),
    failureCodes: builder.failureCodes,
    remarks: [
      ...builder.remarks,
      ...(amounts.size > 1 ? [`The payments have different amounts. Each has ${amount} in the story.`] : []),
    ],
  }
}

function requireAmount({ id, amount }: PaymentData): void {
  if (Number.isSafeInteger(amount) && amount >= 1) return
  throw new RecordingError(
    `The payment ${id} has the amount ${JSON.stringify(amount) ?? 'undefined'}. A scenario needs a whole number of at least 1.`,
    'Correct the amount in the recording, and import it with --replace.',
  )
}

function distinctEvents(webhooks: readonly ReceivedWebhook[]): KnownEvent[] {
  const known = new Map<string, KnownEvent>()
  for (const { event_id, event, at, body } of webhooks) {
    const { created_at, data } = JSON.parse(body) as { created_at?: string; data: PaymentData }
    if (known.has(event_id) || typeof data.id !== 'string') continue
    known.set(event_id, { id: event_id, name: event, at: timeOf(created_at) ?? at, data })
  }
  return [...known.values()].sort((a, b) => a.at - b.at)
}

interface KnownPayment {
  readonly name: string
  readonly at: number
  readonly data: PaymentData
}

/** Names the payments in the order of their creation. */
function paymentsOf(events: readonly KnownEvent[]): Map<string, KnownPayment> {
  const first = new Map<string, KnownEvent>()
  for (const event of events) {
    if (event.name.startsWith('payment.') && !first.has(event.data.id)) first.set(event.data.id, event)
  }
  const created = [...first.values()].map(({ at, data }) => ({ at: timeOf(data.created_at) ?? at, data }))
  return new Map(
    created
      .sort((a, b) => a.at - b.at)
      .map(({ at, data }, index) => [data.id, { name: `p${index + 1}`, at, data }] as const),
  )
}

const ACTIONS: Readonly<Record<string, 'pay' | 'decline' | 'expire' | 'cancel'>> = {
  'payment.succeeded': 'pay',
  'payment.failed': 'decline',
  'payment.expired': 'expire',
  'payment.cancelled': 'cancel',
}

class StoryBuilder {
  readonly failureCodes = new Map<string, string>()
  readonly remarks: string[] = []
  readonly #payments: ReadonlyMap<string, KnownPayment>
  /** The creations come first, so that they stay in front of events with the same time. */
  readonly #steps: { readonly at: number; readonly step: StoryStep }[] = []
  readonly #keys = new Map<string, string>()
  readonly #paid = new Set<string>()
  readonly #refunds = new Map<string, RefundData[]>()
  readonly #nextName = createNames()

  constructor(payments: ReadonlyMap<string, KnownPayment>) {
    this.#payments = payments
    for (const { name, at } of payments.values()) {
      this.#steps.push({ at, step: { do: 'create', payment: name, order: 'main' } })
    }
  }

  steps(): StoryStep[] {
    return this.#steps.toSorted((a, b) => a.at - b.at).map(({ step }) => step)
  }

  /** Returns the name of the event in the story. */
  eventKeyOf(eventId: string): string | undefined {
    return this.#keys.get(eventId)
  }

  add(event: KnownEvent): void {
    const payment = this.#payments.get(event.data.id)
    const action = ACTIONS[event.name]
    if (payment === undefined || (action === undefined && event.name !== 'payment.refunded')) {
      this.remarks.push(`${event.id} is left out, because a story has no ${event.name}.`)
      return
    }
    if (action === undefined) {
      this.#refund(event, payment)
      return
    }
    if (action === 'pay') this.#paid.add(payment.name)
    const code = event.data.metadata?.failure_code
    if (action === 'decline' && code !== undefined) this.failureCodes.set(payment.name, code)
    this.#push(event, { do: action, payment: payment.name })
  }

  #refund(event: KnownEvent, { name, data }: KnownPayment): void {
    if (!this.#paid.has(name)) {
      this.#paid.add(name)
      this.#steps.push({ at: timeOf(event.data.captured_at) ?? event.at, step: { do: 'pay', payment: name } })
    }
    const earlier = this.#refunds.get(name) ?? []
    const refund = event.data.refunds?.find(({ id }) => !earlier.some((one) => one.id === id)) ?? {}
    this.#refunds.set(name, [...earlier, refund])
    const refunded = earlier.reduce((sum, one) => sum + (one.status === 'failed' ? 0 : (one.amount ?? 0)), 0)
    this.#push(event, {
      do: 'refund',
      payment: name,
      refund: this.#nextName('r'),
      percent: percentOf(refund.amount ?? 0, data.amount, data.amount - refunded),
      result: refund.status === 'failed' || refund.status === 'pending' ? refund.status : 'succeeded',
    })
  }

  #push(event: KnownEvent, step: StoryStep): void {
    this.#steps.push({ at: event.at, step })
    this.#keys.set(event.id, eventKeyOf(step))
  }
}

/** Returns a percentage of `whole` that gives `amount` if the result is rounded down. 0 means the whole remainder. */
function percentOf(amount: number, whole: number, remainder: number): number {
  if (amount <= 0 || amount === remainder) return 0
  const percent = (amount * 100) / whole
  return Math.floor((whole * percent) / 100) === amount ? percent : ((amount + 0.5) * 100) / whole
}

function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? undefined : time
}
