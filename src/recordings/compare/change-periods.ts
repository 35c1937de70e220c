// The period in which each change of the recording may have happened. Calls before and after the change limit it.
import { asObject, asText } from '../../domain/json-values.ts'
import { CallsByState } from './calls-by-state.ts'
import type { RecordedObjects } from './object-states.ts'
import { isStream, type RecordedCall } from './recorded-call.ts'
import type { ObservedMessage } from './stream-messages.ts'

/** In ms since the Unix epoch, by the clock of the recording machine. A limit that no call sets is infinite. */
export interface ChangePeriod {
  readonly from: number
  readonly to: number
}

export class ChangePeriods {
  readonly #states: CallsByState<{ readonly call: RecordedCall; readonly time: number }>
  readonly #creations: ReadonlyMap<string, RecordedCall>

  constructor(calls: readonly RecordedCall[], known: RecordedObjects) {
    const steps = calls.filter((call) => !isStream(call)).map((call) => ({ call, time: call.endedAt }))
    this.#states = new CallsByState(
      steps.sort((a, b) => a.time - b.time),
      known,
    )
    this.#creations = creationsById(calls)
  }

  /**
   * Returns the period of the change that a message reports. A creation happened during its call. A change of state
   * happened between two calls: after the start of the last call that shows an older state, and before the end of the
   * first call that shows the new one. Returns `undefined` for other messages, and for a creation whose call is not in
   * the recording.
   * @param id the id of the object in the recording
   */
  periodOf({ kind, payload }: ObservedMessage, id: string): ChangePeriod | undefined {
    const creation = this.#creations.get(id)
    if (kind.endsWith('.created') && creation !== undefined) return { from: creation.startedAt, to: creation.endedAt }
    const status = asText(payload['status'])
    if (!kind.endsWith('.status_changed') || status === undefined) return undefined
    const state = { id, type: 'payment', status } as const
    const older = this.#states.lastOlder(state).map(({ call }) => call.startedAt)
    const first = this.#states.firstShowing(state)?.call.endedAt ?? Number.POSITIVE_INFINITY
    return { from: Math.min(Math.max(...older), first), to: first }
  }
}

/** Returns the calls that created payments, payouts and refunds. */
export function creationsById(calls: readonly RecordedCall[]): ReadonlyMap<string, RecordedCall> {
  return new Map(
    calls
      .filter(({ status }) => status === 201)
      .flatMap((call) => {
        const id = call.shows?.id ?? asText(asObject(call.response?.json)?.['id'])
        return id === undefined ? [] : [[id, call] as const]
      }),
  )
}
