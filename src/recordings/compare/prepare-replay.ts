// Reads from a recording, once, what all its replays need.
import { ChangePeriods } from './change-periods.ts'
import { type RecordedObjects, recordedObjects } from './object-states.ts'
import type { RecordedCall } from './recorded-call.ts'
import { type KeyOwners, ownersByKey } from './replay-shops.ts'
import { clockTime, type ReplayStep, replaySteps } from './replay-steps.ts'
import { type UsedIdempotencyKeys, usedIdempotencyKeys } from './replayable.ts'
import { type ServiceClock, serviceClock } from './service-clock.ts'

export interface PreparedReplay {
  readonly calls: readonly RecordedCall[]
  readonly known: RecordedObjects
  readonly clock: ServiceClock
  readonly periods: ChangePeriods
  readonly steps: readonly ReplayStep[]
  /** The time of the first step, in whole ms. The sandbox's clock starts at this time. */
  readonly startTime: number
  readonly owners: KeyOwners
  readonly idempotencyKeys: UsedIdempotencyKeys
}

export function prepareReplay(calls: readonly RecordedCall[]): PreparedReplay {
  const known = recordedObjects(calls)
  const clock = serviceClock(calls)
  const steps = replaySteps(calls, known, clock)
  const startTime = Math.floor(steps[0] === undefined ? 0 : clockTime(steps[0]))
  return {
    calls,
    known,
    clock,
    periods: new ChangePeriods(calls, known),
    steps,
    startTime,
    owners: ownersByKey(calls),
    idempotencyKeys: usedIdempotencyKeys(calls),
  }
}
