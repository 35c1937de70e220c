// Makes the steps of a replay, in order. A call is replayed at its end, and a stream is open from its start to its end.
// Changes of state that a stream reports are made between the calls. The steps follow the recorded times. If one call
// shows that another took effect earlier, a rule corrects the order.

import { groupBy } from '../../domain/group-by.ts'
import { isSuccess } from '../../domain/http-response.ts'
import { asText } from '../../domain/json-values.ts'
import { CallsByState, shownAndImpliedStates, stateInResponse } from './calls-by-state.ts'
import { impliedState, type RecordedObjects, rankOf } from './object-states.ts'
import { effectiveEnds, precedencesIn } from './overlapping-calls.ts'
import { isStream, type ObservedState, type RecordedCall } from './recorded-call.ts'
import { type ReplacedStream, replacedStreams } from './replaced-streams.ts'
import type { ServiceClock } from './service-clock.ts'
import { type ObservedMessage, observedMessages } from './stream-messages.ts'

interface Timed {
  /** ms by the clock of the recording machine, for the order. */
  readonly time: number
  /** The same time by the clock of the service. The clock of the sandbox follows it. */
  readonly clock: number
}

type CallStep = Timed & { readonly do: 'call'; readonly call: RecordedCall; readonly before?: ObservedState }
type OpenStep = Timed & { readonly do: 'open'; readonly call: RecordedCall }
type CloseStep = Timed & { readonly do: 'close'; readonly call: RecordedCall }
type ChangeStep = Timed & { readonly do: 'bringToState'; readonly state: ObservedState }

export type ReplayStep = CallStep | OpenStep | CloseStep | ChangeStep

/** ms by which a service may expire an object too late, because neither timers nor recorded times are exact. */
const SLACK = 1000

/**
 * Returns the time to which the clock advances before the step. A read may show an object just before it expires. The
 * clock then advances a little less, so that the object does not expire before the read.
 */
export function clockTime(step: ReplayStep): number {
  if (step.do !== 'call' || step.call.method !== 'GET') return step.clock
  const { shows } = step.call
  return shows === undefined || rankOf(shows.status) < 2 ? step.clock - SLACK : step.clock
}

export function replaySteps(calls: readonly RecordedCall[], known: RecordedObjects, clock: ServiceClock): ReplayStep[] {
  const replaced = replacedStreams(calls)
  const precedences = precedencesIn(calls, replaced)
  const ends = effectiveEnds(calls, precedences)
  const timed = (time: number): Timed => ({ time, clock: clock.timeAt(time) })
  const endOf = (call: RecordedCall) => timed(ends.get(call) ?? call.endedAt)

  const callSteps = calls
    .filter((call) => !isStream(call))
    .map((call): CallStep => ({ do: 'call', call, ...endOf(call) }))
    .sort(byTime)
  const states = new CallsByState(callSteps, known)
  const changeSteps = (changes: readonly RecordedChange[]) => atLatestWhenShown(changes, states)
  const streams = calls.filter(isStream).map((call) => ({
    open: { do: 'open', call, ...timed(call.startedAt) } as const,
    changes: changeSteps(changesIn(call, known, clock)),
    close: { do: 'close', call, ...endOf(call) } as const,
  }))
  const finals = states.finals().flatMap(({ call }) => changeSteps(finalChange(call, clock)))

  const changes = [...streams.flatMap(({ changes }) => changes), ...finals]
  const changesOf = new Map(streams.map(({ open, changes }) => [open.call, changes]))
  const openings = new Map<RecordedCall, ReplayStep>(streams.map(({ open }) => [open.call, open]))
  const endings = new Map<RecordedCall, ReplayStep>(
    [...callSteps, ...streams.map(({ close }) => close)].map((step) => [step.call, step]),
  )
  const steps = [...callSteps, ...finals, ...streams.flatMap(({ open, changes, close }) => [open, ...changes, close])]
  return withStates(
    orderSteps(steps.sort(byTime), [
      ...precedences.flatMap(({ earlier, later, before }) =>
        rule(endings.get(earlier), (before === 'start' ? openings : endings).get(later)),
      ),
      ...streams.flatMap(({ open, changes, close }) => inSequence([open, ...changes, close])),
      ...replaced.flatMap(({ stream, next, messages }) =>
        changesReportedIn(messages, changesOf.get(stream)).flatMap((change) => rule(change, openings.get(next))),
      ),
      // A call may show an older state than a message that was sent at the same time.
      ...changes.flatMap((change) => states.lastOlder(change.state).flatMap((older) => rule(older, change))),
    ]),
    known,
  )
}

const ORDER = { open: 0, bringToState: 1, call: 2, close: 3 } as const
const byTime = (a: ReplayStep, b: ReplayStep) => a.time - b.time || ORDER[a.do] - ORDER[b.do]

const rule = (earlier: ReplayStep | undefined, later: ReplayStep | undefined): OrderRule<ReplayStep>[] =>
  earlier === undefined || later === undefined ? [] : [[earlier, later]]
const inSequence = (steps: readonly ReplayStep[]) => steps.flatMap((step, at) => rule(steps[at - 1], step))

const changesReportedIn = (messages: ReplacedStream['messages'], changes: readonly ChangeStep[] = []) =>
  changes.filter(({ state }) =>
    messages.some(({ id, payload }) => id === state.id && payload['status'] === state.status),
  )

/** Moves each change before the first call that shows it, and before the later changes of its stream. */
function atLatestWhenShown(changes: readonly RecordedChange[], states: CallsByState<CallStep>): ChangeStep[] {
  let latest = Number.POSITIVE_INFINITY
  return changes
    .toReversed()
    .map((change): ChangeStep => {
      latest = Math.min(latest, change.time, states.firstShowing(change.state)?.time ?? latest)
      return { do: 'bringToState', ...change, time: latest }
    })
    .reverse()
}

/** Adds the state that the object must reach before each call. */
function withStates(steps: readonly ReplayStep[], known: RecordedObjects): ReplayStep[] {
  /** The next state of each object, because the steps are visited from the last to the first. */
  const next = new Map<string, ObservedState>()
  const found: ReplayStep[] = []
  for (const step of steps.toReversed()) {
    const before = step.do === 'call' ? stateBefore(step.call, next, known) : undefined
    found.push(before === undefined ? step : ({ ...step, before } as ReplayStep))
    const states =
      step.do === 'bringToState' ? [step.state] : step.do === 'call' ? shownAndImpliedStates(step.call, known) : []
    for (const state of states.toReversed()) next.set(state.id, state)
  }
  return found.reverse()
}

function stateBefore(
  call: RecordedCall,
  next: ReadonlyMap<string, ObservedState>,
  known: RecordedObjects,
): ObservedState | undefined {
  const implied = impliedState(call, known)
  if (implied !== 'no_longer_pending') return implied ?? stateInResponse(call)
  const id = call.objectId ?? ''
  const later = next.get(id)
  // The payment is no longer pending. If its next known state is `pending`, a later refused refund implied that state,
  // and shows only that the payment was not paid yet.
  return later === undefined || later.status === 'pending' ? { id, type: 'payment', status: 'processing' } : later
}

export type OrderRule<T> = readonly [earlier: T, later: T]

/** Keeps the given order, except that a step waits until the last of the steps that must precede it. */
export function orderSteps<T>(steps: readonly T[], rules: readonly OrderRule<T>[]): T[] {
  const missing = new Map<T, Set<T>>()
  for (const [earlier, later] of rules) missing.set(later, (missing.get(later) ?? new Set()).add(earlier))
  const rulesOf = groupBy(rules, ([earlier]) => earlier)
  const ordered = new Set<T>()
  const waiting = new Set<T>()
  for (const step of steps) {
    const ready = [step]
    for (let next = ready.shift(); next !== undefined; next = ready.shift()) {
      if ((missing.get(next)?.size ?? 0) > 0) {
        waiting.add(next)
        continue
      }
      ordered.add(next)
      for (const [, follower] of rulesOf.get(next) ?? []) {
        missing.get(follower)?.delete(next)
        if (waiting.has(follower) && missing.get(follower)?.size === 0) ready.push(follower)
      }
    }
  }
  // If rules contradict each other, their steps keep the given order at the end.
  return [...ordered, ...steps.filter((step) => !ordered.has(step))]
}

export interface RecordedChange {
  readonly state: ObservedState
  /** ms by the clock of the recording machine. */
  readonly time: number
  /** ms by the clock of the service. */
  readonly clock: number
}

/** Returns the changes that the messages of a stream report, in their order. */
function changesIn(stream: RecordedCall, known: RecordedObjects, clock: ServiceClock): RecordedChange[] {
  const [start, end] = [clock.timeAt(stream.startedAt), clock.timeAt(stream.endedAt)]
  return observedMessages(stream.response?.text).flatMap((message): RecordedChange[] => {
    const state = changeIn(message, known)
    if (state === undefined) return []
    const at = Number.isNaN(message.at) ? end : Math.min(Math.max(message.at, start), end)
    return [{ state, time: within(stream, clock.recordedAt(at)), clock: at }]
  })
}

const within = ({ startedAt, endedAt }: RecordedCall, time: number) => Math.min(Math.max(time, startedAt), endedAt)

/**
 * Returns the change that a message reports. Cancellations and refunds are ignored, because the replayed calls cause
 * them. So is `pending`, the first status.
 */
function changeIn({ kind, payload }: ObservedMessage, known: RecordedObjects): ObservedState | undefined {
  const [id, status] = [asText(payload['id']), asText(payload['status'])]
  if (!kind.endsWith('.status_changed') || id === undefined || status === undefined) return undefined
  if (status === 'pending' || status === 'cancelled' || status === 'refunded') return undefined
  return { id, type: known.get(id)?.type ?? 'payment', status }
}

/**
 * If a call shows a final status that is older than this many ms, the payment is finished at the recorded time, and not
 * just before the call.
 */
const LATE = 1000

/**
 * Returns the change in which the payment that the call shows was paid or declined. This may be long before the call.
 * If the sandbox waited for the call, the bank session would expire.
 */
function finalChange(call: RecordedCall, clock: ServiceClock): RecordedChange[] {
  const { shows, endedAt } = call
  if (!isSuccess(call.status) || shows?.type !== 'payment' || !PAID_OR_DECLINED.has(shows.status)) return []
  const { id, object } = shows
  const at = Date.parse(asText(object?.['captured_at']) ?? asText(object?.['finalized_at']) ?? '')
  if (!(at < clock.timeAt(endedAt) - LATE)) return []
  const status = shows.status === 'failed' ? 'failed' : 'succeeded'
  return [{ state: { id, type: 'payment', status }, time: Math.min(clock.recordedAt(at), endedAt), clock: at }]
}

const PAID_OR_DECLINED: ReadonlySet<string> = new Set(['succeeded', 'refunded', 'failed'])
