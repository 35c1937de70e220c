// The situations that a run reached. The report lists them, so that a reader sees what was tested.
import { isAccepted } from '../domain/http-response.ts'
import type { StoryEvent } from './story-event.ts'
import type { StoryRun } from './story-run.ts'

/** A message that was sent. Messages of one round have the same number. */
interface Sent {
  readonly round: number
  readonly event: StoryEvent
  readonly isAccepted: boolean
  readonly isAbandoned: boolean
}

interface Situation {
  readonly title: string
  isReached(sent: readonly Sent[]): boolean
}

const LATE_FAILURES = ['payment.expired', 'payment.failed', 'payment.cancelled']

const SITUATIONS = [
  {
    title: 'refund before its payment',
    isReached: (sent) => isBefore(sent, 'payment.refunded', 'payment.succeeded', true),
  },
  { title: 'later refund before an earlier one', isReached: hasInversion },
  {
    title: 'expired, failed or cancelled after payment',
    isReached: (sent) => LATE_FAILURES.some((name) => isBefore(sent, 'payment.succeeded', name, false)),
  },
  {
    title: 'second copy while the first is being handled',
    isReached: (sent) => hasPair(sent, (a, b) => a.round === b.round && a.event.key === b.event.key),
  },
  {
    title: 'second copy after the first',
    isReached: (sent) => hasPair(sent, (a, b) => a.round < b.round && a.event.key === b.event.key && a.isAccepted),
  },
  {
    title: 'two events of one order at once',
    isReached: (sent) =>
      hasPair(sent, (a, b) => a.round === b.round && a.event.key !== b.event.key && a.event.order === b.event.order),
  },
  { title: 'response lost, then sent again', isReached: (sent) => sent.some(({ isAbandoned }) => isAbandoned) },
  {
    title: 'refused, then accepted',
    isReached: (sent) =>
      hasPair(sent, (a, b) => a.event.key === b.event.key && !a.isAccepted && !a.isAbandoned && b.isAccepted),
  },
  {
    title: 'refund that failed or is pending',
    isReached: (sent) => sent.some(({ event }) => event.name === 'payment.refunded' && event.snapshot.refunded === 0),
  },
  {
    title: 'several refunds of one payment',
    isReached: (sent) => hasPair(sent, (a, b) => isRefundOfSame(a.event, b.event)),
  },
  {
    title: 'paid again after a full refund',
    isReached: (sent) =>
      hasPair(
        sent,
        (a, b) =>
          a.event.snapshot.status === 'refunded' &&
          b.event.name === 'payment.succeeded' &&
          a.event.order === b.event.order &&
          a.event.object !== b.event.object,
      ),
  },
  { title: 'payout', isReached: (sent) => sent.some(({ event }) => event.order === undefined) },
  {
    title: 'event of another order in between',
    isReached: (sent) => sent.some(({ event }) => event.order === 'unrelated'),
  },
] as const satisfies readonly Situation[]

export const SITUATION_TITLES: readonly string[] = SITUATIONS.map(({ title }) => title)

export function situationsOf({ enacted, result }: StoryRun): string[] {
  const byKey = new Map(enacted.events.map((event) => [event.key, event]))
  const sent = result.rounds.flatMap(({ messages }, round) =>
    messages.flatMap(({ event, response }) => {
      const found = byKey.get(event)
      const isAbandoned = response.code === 'ABANDONED'
      return found === undefined ? [] : [{ round, event: found, isAccepted: isAccepted(response), isAbandoned }]
    }),
  )
  return SITUATIONS.filter(({ isReached }) => isReached(sent)).map(({ title }) => title)
}

function hasPair(sent: readonly Sent[], test: (a: Sent, b: Sent) => boolean): boolean {
  return sent.some((a, at) => sent.slice(at + 1).some((b) => test(a, b)))
}

function isBefore(sent: readonly Sent[], first: string, second: string, isSamePayment: boolean): boolean {
  return hasPair(sent, (a, b) => {
    const isAbout = isSamePayment ? a.event.object === b.event.object : a.event.order === b.event.order
    return isAbout && a.round < b.round && a.event.name === first && b.event.name === second
  })
}

/** Returns whether a later refund of a payment was sent before an earlier one. */
function hasInversion(sent: readonly Sent[]): boolean {
  return hasPair(
    sent,
    (a, b) =>
      a.event.object === b.event.object &&
      b.event.name === 'payment.refunded' &&
      // Only an event about a refund has a refunded sum, so the first event needs no check.
      a.event.snapshot.refunded > b.event.snapshot.refunded,
  )
}

function isRefundOfSame(a: StoryEvent, b: StoryEvent): boolean {
  return a.name === 'payment.refunded' && b.name === 'payment.refunded' && a.object === b.object && a.key !== b.key
}
