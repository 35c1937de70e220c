// Reads from a recording what each of its replays needs, once for all of them.
import { type KnownObjects, knownObjects } from './object-states.ts'
import type { RecordedCall } from './recorded-call.ts'
import { type KeyOwners, ownersByKey } from './replay-shops.ts'
import { type ReplayStep, replaySteps } from './replay-steps.ts'
import { type UsedKeys, usedKeys } from './replayable.ts'

export interface PreparedReplay {
  readonly calls: readonly RecordedCall[]
  readonly known: KnownObjects
  readonly steps: readonly ReplayStep[]
  readonly owners: KeyOwners
  readonly keys: UsedKeys
}

export function prepareReplay(calls: readonly RecordedCall[]): PreparedReplay {
  const known = knownObjects(calls)
  return { calls, known, steps: replaySteps(calls, known), owners: ownersByKey(calls), keys: usedKeys(calls) }
}
