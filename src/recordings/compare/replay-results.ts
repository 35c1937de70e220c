// Collects what a replay compared, what it skipped, and the differences.

import { asText, type JsonObject } from '../../domain/json-values.ts'
import type { SessionOpeningTolerance } from './compare-json.ts'
import { compareResponse } from './compare-response.ts'
import type { Difference } from './difference.ts'
import { DifferenceTally } from './difference-tally.ts'
import type { CallResponse, RecordedCall } from './recorded-call.ts'
import type { ServiceClock } from './service-clock.ts'

export class ReplayResults {
  readonly differences = new DifferenceTally()
  /** The number of calls that were not compared, by the reason. */
  readonly skipped = new Map<string, number>()
  /** The operations of the compared calls. */
  readonly operations = new Set<string>()
  /** The number of calls whose responses were compared. */
  compared = 0
  /** The number of compared calls whose response body the recording does not contain. */
  withoutBody = 0
  readonly #clock: ServiceClock
  /** The call that first showed each object of the recording. */
  readonly #firstCalls = new Map<string, RecordedCall>()

  constructor(clock: ServiceClock) {
    this.#clock = clock
  }

  /** Records that the call shows the object. Returns false if an earlier call showed it. */
  recordShown(id: string, call: RecordedCall): boolean {
    if (this.#firstCalls.has(id)) return false
    this.#firstCalls.set(id, call)
    return true
  }

  compare(call: RecordedCall, recorded: CallResponse, sandbox: CallResponse | undefined): void {
    this.compared++
    if (recorded.text === undefined && call.method !== 'HEAD') this.withoutBody++
    this.operations.add(call.operation)
    this.add(compareResponse(call, recorded, sandbox, (object) => this.#sessionOpeningTolerance(call, object)))
  }

  add(differences: readonly Difference[]): void {
    for (const difference of differences) this.differences.add(difference)
  }

  skip(reason: string): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + 1)
  }

  #sessionOpeningTolerance(call: RecordedCall, object: JsonObject): SessionOpeningTolerance {
    const first = this.#firstCalls.get(asText(object['id']) ?? '')
    // The recording does not show when the object was created, or when its session was opened.
    if (first?.status !== 201) return { early: Number.POSITIVE_INFINITY, late: Number.POSITIVE_INFINITY }
    const elapsed = call.endedAt - first.startedAt
    const elapsedAtService = this.#clock.timeAt(call.endedAt) - this.#clock.timeAt(first.startedAt)
    const movedBy = elapsedAtService + this.#clock.mayBeAheadAt(call.endedAt) - elapsed
    return { early: Math.max(0, movedBy), late: Math.max(0, elapsedAtService) }
  }
}
