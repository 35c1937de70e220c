// The fault `before_response`: the webhook is there before the caller has the answer to its create request.
import { parseFault } from '../domain/fault-forms.ts'
import { type Facts, matches } from '../domain/faults.ts'
import type { Engine } from '../engine/engine.ts'
import type { WallPort } from './ports.ts'

export interface BeforeResponse {
  /** Resolves when the response may go; `undefined`: no fault holds it. */
  hold(about: { readonly object_id: string; readonly shop_id: string }): Promise<void> | undefined
  /** An attempt for this object is over. */
  attempted(objectId: string): void
  /** Lets everybody go. */
  release(): void
}

/** A webhook that does not come (a frozen clock, no endpoint) holds a response so long: ms of wall time. */
const LONGEST = 10_000

export function createBeforeResponse(
  { world }: Pick<Engine, 'world'>,
  wall: Pick<WallPort, 'setTimeout'>,
): BeforeResponse {
  const held = new Map<string, Set<() => void>>()

  function wanted(facts: Facts): boolean {
    if (world.size('faults') === 0) return false
    for (const { target, fault, match, times } of world.rows('faults')) {
      if (target !== 'webhook' || times === 0 || parseFault(target, fault)?.name !== 'before_response') continue
      // Which event and endpoint it will be is not known yet.
      const { event, endpoint_id, attempt, ...known } = match
      if (matches(known, facts)) return true
    }
    return false
  }

  function attempted(objectId: string): void {
    for (const release of held.get(objectId) ?? []) release()
  }

  return {
    hold(about) {
      if (!wanted(about)) return undefined
      return new Promise((resolve) => {
        const waiting = held.get(about.object_id) ?? new Set()
        held.set(about.object_id, waiting)
        const timer = wall.setTimeout(release, LONGEST)
        waiting.add(release)
        function release(): void {
          timer.cancel()
          waiting.delete(release)
          if (waiting.size === 0) held.delete(about.object_id)
          resolve()
        }
      })
    },
    attempted,
    release() {
      for (const objectId of [...held.keys()]) attempted(objectId)
    },
  }
}
