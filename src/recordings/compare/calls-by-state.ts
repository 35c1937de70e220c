import { isSuccess } from '../../domain/http-response.ts'
import { impliedState, type RecordedObjects, rankOf } from './object-states.ts'
import type { ObservedState, RecordedCall } from './recorded-call.ts'

interface CallStep {
  readonly call: RecordedCall
  readonly time: number
}

/**
 * For each object and each rank of its state (`rankOf`: 0 pending, 1 processing, 2 final): the first and the last call
 * that shows it.
 */
export class CallsByState<Step extends CallStep> {
  readonly #byObject = new Map<string, { readonly first: Step; last: Step }[]>()

  constructor(sorted: readonly Step[], known: RecordedObjects) {
    for (const step of sorted) {
      for (const { id, status } of shownAndImpliedStates(step.call, known)) {
        const ranks = this.#byObject.get(id) ?? []
        const seen = ranks[rankOf(status)]
        if (seen === undefined) ranks[rankOf(status)] = { first: step, last: step }
        else seen.last = step
        this.#byObject.set(id, ranks)
      }
    }
  }

  /** The first call that shows the state or a later one. */
  firstShowing({ id, status }: ObservedState): Step | undefined {
    const ranks =
      this.#byObject
        .get(id)
        ?.slice(rankOf(status))
        .flatMap(({ first }) => first) ?? []
    return ranks.sort((a, b) => a.time - b.time)[0]
  }

  /** For each older state, the last call that shows it. */
  lastOlder({ id, status }: ObservedState): Step[] {
    return (
      this.#byObject
        .get(id)
        ?.slice(0, rankOf(status))
        .flatMap(({ last }) => last) ?? []
    )
  }

  /** The first call for each object that shows a final status. */
  finals(): Step[] {
    return [...this.#byObject.values()].flatMap((ranks) => ranks[2]?.first ?? [])
  }
}

export function shownAndImpliedStates(call: RecordedCall, known: RecordedObjects): ObservedState[] {
  const implied = impliedState(call, known)
  const seen = stateInResponse(call)
  return [
    ...(implied === undefined || implied === 'no_longer_pending' ? [] : [implied]),
    ...(seen === undefined ? [] : [seen]),
  ]
}

/** Returns the state in a successful response. */
export const stateInResponse = ({ status, shows }: RecordedCall): ObservedState | undefined =>
  isSuccess(status) ? shows : undefined
