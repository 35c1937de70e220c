// Orders the steps of a replay. A call is replayed at its end. A stream is open from its start to its end. Changes of state
// that a stream reports are made between the calls.
import { impliedState, type KnownObjects, rankOf } from './object-states.ts'
import { asObject, asText, isStream, isSuccess, type ObservedState, type RecordedCall } from './recorded-call.ts'
import { type StreamMessage, streamMessages } from './stream-messages.ts'

export type ReplayStep =
  | { readonly do: 'call'; readonly time: number; readonly call: RecordedCall; readonly before?: ObservedState }
  | { readonly do: 'open'; readonly time: number; readonly call: RecordedCall }
  | { readonly do: 'close'; readonly time: number; readonly call: RecordedCall }
  | { readonly do: 'bringToState'; readonly time: number; readonly state: ObservedState; readonly stream: RecordedCall }

/** ms by which a service may end an object later than it should, because neither timers nor recorded times are exact. */
const SLACK = 1000

/**
 * Returns the time to which the clock advances before the step. A read that does not show the end of an object may be
 * sent just before that end, so the clock must not end the object before the read.
 */
export function clockTime(step: ReplayStep): number {
  if (step.do !== 'call' || step.call.method !== 'GET') return step.time
  const { shows } = step.call
  return shows === undefined || rankOf(shows.status) < 2 ? step.time - SLACK : step.time
}

interface Placed {
  readonly step: ReplayStep
  place: number
}

export function replaySteps(calls: readonly RecordedCall[], known: KnownObjects): ReplayStep[] {
  const skew = clockSkew(calls)
  const ends = endTimes(calls)
  const sortTime = (step: ReplayStep) => (step.do === 'call' ? ends.get(step.call) : undefined) ?? step.time
  const steps = calls.flatMap((call) => stepsOf(call, known, skew))
  const placed = steps
    .sort((a, b) => sortTime(a) - sortTime(b) || orderOf(a) - orderOf(b))
    .map((step, place): Placed => ({ step, place }))
  placeCreationsFirst(placed)
  delayChanges(placed)
  return withStates(placed.sort((a, b) => a.place - b.place).map(({ step }) => step))
}

/** A recording rounds the start of a call down to 1 ms, so the computed end may be up to 1 ms early. */
const RESOLUTION = 1

/** Returns the end of each call, for sorting. Ends closer together than the resolution keep the order of the recording. */
function endTimes(calls: readonly RecordedCall[]): ReadonlyMap<RecordedCall, number> {
  const times = new Map<RecordedCall, number>()
  let last = Number.NEGATIVE_INFINITY
  for (const call of calls.toSorted((a, b) => a.number - b.number)) {
    const time = call.endedAt < last && last - call.endedAt < RESOLUTION ? last : call.endedAt
    if (!isStream(call)) last = Math.max(last, time)
    times.set(call, time)
  }
  return times
}

function stepsOf(call: RecordedCall, known: KnownObjects, skew: number): ReplayStep[] {
  if (!isStream(call)) return [{ do: 'call', time: call.endedAt, call }]
  const changes = streamMessages(call.response?.text ?? '').flatMap((message): ReplayStep[] => {
    const state = changeIn(message, known)
    if (state === undefined) return []
    const time = Math.min(Math.max(message.at - skew, call.startedAt), call.endedAt)
    return [{ do: 'bringToState', time, state, stream: call }]
  })
  return [{ do: 'open', time: call.startedAt, call }, ...changes, { do: 'close', time: call.endedAt, call }]
}

/** Returns the change that a message reports. Cancellations and refunds are ignored: recorded calls make them. */
function changeIn({ kind, payload }: StreamMessage, known: KnownObjects): ObservedState | undefined {
  const [id, status] = [asText(payload['id']), asText(payload['status'])]
  if (!kind.endsWith('.status_changed') || id === undefined || status === undefined) return undefined
  if (status === 'pending' || status === 'cancelled' || status === 'refunded') return undefined
  return { id, type: known.get(id)?.type ?? 'payment', status }
}

const ORDER = { open: 0, bringToState: 1, call: 2, close: 3 } as const
const orderOf = (step: ReplayStep) => ORDER[step.do]

/** ms by which the clock of the service is ahead of that of the recording machine. */
function clockSkew(calls: readonly RecordedCall[]): number {
  const skews = calls.flatMap((call) => {
    if (call.status !== 201) return []
    const made = asText((call.shows?.object ?? asObject(call.response?.json))?.['created_at'])
    const at = Date.parse(made ?? '')
    return Number.isNaN(at) ? [] : [at - (call.startedAt + call.endedAt) / 2]
  })
  const middle = skews.sort((a, b) => a - b)[Math.floor(skews.length / 2)] ?? 0
  return Math.abs(middle) < 1000 ? 0 : middle
}

/** If two calls with one Idempotency-Key, or for one object, overlap, the one that created something came first. */
function placeCreationsFirst(placed: Placed[]): void {
  const bySubject = new Map<string, Placed[]>()
  for (const one of placed) {
    if (one.step.do !== 'call') continue
    const { key, objectId, operation } = one.step.call
    const subject = key ?? (operation.startsWith('POST ') ? objectId : undefined)
    if (subject !== undefined) addTo(bySubject, subject, one)
  }
  for (const group of bySubject.values()) {
    for (const [at, later] of group.entries()) {
      if (!hasCreated(callOf(later))) continue
      const first = group
        .slice(0, at)
        .find((earlier) => !hasCreated(callOf(earlier)) && overlaps(callOf(earlier), callOf(later)))
      if (first !== undefined) later.place = first.place - 0.5
    }
  }
}

const callOf = ({ step }: Placed) => (step as { readonly call: RecordedCall }).call
const overlaps = (a: RecordedCall, b: RecordedCall) => a.startedAt <= b.endedAt && b.startedAt <= a.endedAt
const hasCreated = ({ status }: RecordedCall) => status === 201

function addTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}

/** A call may show an older state than a message that was sent at the same time. */
function delayChanges(placed: Placed[]): void {
  if (!placed.some(({ step }) => step.do === 'bringToState')) return
  const shown = new Map<string, { readonly place: number; readonly rank: number }[]>()
  for (const { step, place } of placed) {
    if (step.do !== 'call') continue
    for (const state of statesShown(step.call)) {
      addTo(shown, state.id, { place, rank: rankOf(state.status) })
    }
  }
  const ends = new Map<RecordedCall, number>()
  for (const one of placed) {
    const { step } = one
    if (step.do !== 'bringToState') continue
    const rank = rankOf(step.state.status)
    const older = (shown.get(step.state.id) ?? []).filter((seen) => seen.rank < rank && seen.place > one.place)
    one.place = Math.max(one.place, ...older.map(({ place }) => place + 0.2), (ends.get(step.stream) ?? 0) + 0.001)
    ends.set(step.stream, one.place)
  }
  for (const one of placed) {
    if (one.step.do === 'close') one.place = Math.max(one.place, (ends.get(one.step.call) ?? 0) + 0.001)
  }
}

function statesShown(call: RecordedCall): ObservedState[] {
  const implied = impliedState(call)
  const seen = seenIn(call)
  return [
    ...(implied === undefined || implied === 'no_longer_pending' ? [] : [implied]),
    ...(seen === undefined ? [] : [seen]),
  ]
}

const seenIn = ({ status, shows }: RecordedCall) => (isSuccess(status) ? shows : undefined)

/** Adds the state that the object must reach before each call. */
function withStates(steps: readonly ReplayStep[]): ReplayStep[] {
  /** The next state of each object, because the steps are visited from the last to the first. */
  const next = new Map<string, ObservedState>()
  const found: ReplayStep[] = []
  for (const step of steps.toReversed()) {
    const before = step.do === 'call' ? stateBefore(step.call, next) : undefined
    found.push(before === undefined ? step : ({ ...step, before } as ReplayStep))
    const states = step.do === 'bringToState' ? [step.state] : step.do === 'call' ? statesShown(step.call) : []
    for (const state of states.toReversed()) next.set(state.id, state)
  }
  return found.reverse()
}

function stateBefore(call: RecordedCall, next: ReadonlyMap<string, ObservedState>): ObservedState | undefined {
  const implied = impliedState(call)
  if (implied !== 'no_longer_pending') return implied ?? seenIn(call)
  const id = call.objectId ?? ''
  return next.get(id) ?? { id, type: 'payment', status: 'processing' }
}
