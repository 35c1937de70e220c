// Attempts deferred by a fault. `delay` waits for a time, `reorder` for the receiver's next attempt, and `hold` until
// the fault is removed.
import { type Delivery, isNextAttemptManual } from '../domain/delivery.ts'
import { addMs } from '../domain/time.ts'
import type { CommitListener } from '../engine/ports.ts'
import { receiverOf } from './attempt-job.ts'
import type { DispatcherPorts } from './dispatcher-types.ts'
import type { AttemptFaults } from './webhook-faults.ts'

export interface DeferredAttempts {
  /** Returns and removes the faults of a deferred attempt. They are not counted again. */
  takeFaults(id: string): AttemptFaults | undefined
  /** Stores the remaining faults of an attempt that is not sent now. */
  saveFaults(id: string, faults: AttemptFaults): void
  /** Defers the attempt if one of its faults requires it, and returns whether it did. */
  defer(delivery: Delivery, faults: AttemptFaults): boolean
  /** Called when an attempt was sent to this receiver. */
  onSent(receiver: string): void
  onCommit: CommitListener
  clear(): void
}

export function createDeferredAttempts({
  engine,
  now,
  scheduleAttempt,
  systemClock,
}: DispatcherPorts): DeferredAttempts {
  const saved = new Map<string, AttemptFaults>()
  /** The delivery that waits for the receiver's next attempt, because of `reorder`. */
  const byReceiver = new Map<string, string>()

  function release(id: string): void {
    if (engine.world.get('deliveries', id)?.status !== 'waiting') {
      saved.delete(id)
      return
    }
    try {
      scheduleAttempt(id, now())
    } catch {
      // The write failed. The delivery waits for a manual retry or a restart.
    }
  }

  /** Returns false, and defers nothing, if another attempt already waits for this one. */
  function reorder(receiver: string, id: string, faults: AttemptFaults): boolean {
    const deferred = byReceiver.get(receiver)
    if (deferred !== undefined && engine.world.get('deliveries', deferred)?.status === 'waiting') return false
    byReceiver.set(receiver, id)
    saved.set(id, { ...faults, reorder: false })
    return true
  }

  return {
    takeFaults(id) {
      const faults = saved.get(id)
      saved.delete(id)
      return faults
    },
    saveFaults(id, faults) {
      if (faults.names.length > 0) saved.set(id, faults)
    },
    defer(delivery, faults) {
      const { id } = delivery
      if (faults.delay > 0) {
        saved.set(id, { ...faults, delay: 0 })
        scheduleAttempt(id, addMs(now(), faults.delay))
        return true
      }
      // A replay or a manual attempt is an explicit request to send, so it is not held.
      if (faults.hold && delivery.no_retries !== true && !isNextAttemptManual(delivery)) {
        saved.set(id, { ...faults, hold: false })
        return true
      }
      return faults.reorder && reorder(receiverOf(delivery), id, faults)
    },
    onSent(receiver) {
      const deferred = byReceiver.get(receiver)
      if (deferred === undefined) return
      byReceiver.delete(receiver)
      release(deferred)
    },
    clear() {
      saved.clear()
      byReceiver.clear()
    },
    onCommit(commit) {
      if (saved.size === 0) return
      const removed = new Set(commit.deletes.filter(({ table }) => table === 'faults').map(({ id }) => id))
      if (removed.size === 0) return
      // A release is a separate commit. It must come after the other listeners of this commit, so in the next turn.
      systemClock.nextTurn(() => {
        for (const [id, faults] of saved) {
          const isDeleted = engine.world.get('deliveries', id) === undefined
          if (isDeleted) saved.delete(id)
          else if (faults.ids.some((fault) => removed.has(fault))) release(id)
        }
        for (const [receiver, id] of byReceiver) if (!saved.has(id)) byReceiver.delete(receiver)
      })
    },
  }
}
