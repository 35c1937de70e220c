// Attempts deferred by a fault. `delay` waits for a time, `reorder` for the receiver's next attempt, and `hold` until the
// fault is removed.
import { type Delivery, isNextAttemptManual } from '../domain/delivery.ts'
import { addMs } from '../domain/time.ts'
import type { CommitListener } from '../engine/ports.ts'
import type { DispatcherPorts } from './dispatcher-types.ts'
import { receiverOf } from './job.ts'
import type { FaultPlan } from './webhook-faults.ts'

export interface DeferredAttempts {
  /** Returns and removes the plan of a deferred attempt. Its faults are not counted again. */
  takePlan(id: string): FaultPlan | undefined
  /** Stores the rest of the plan of an attempt that is not sent now. */
  savePlan(id: string, plan: FaultPlan): void
  /** Defers the attempt if a fault of its plan requires it. Returns true if deferred. */
  defer(delivery: Delivery, plan: FaultPlan): boolean
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
  const plans = new Map<string, FaultPlan>()
  /** The delivery that waits for the receiver's next attempt, because of `reorder`. */
  const byReceiver = new Map<string, string>()

  function release(id: string): void {
    if (engine.world.get('deliveries', id)?.status !== 'waiting') {
      plans.delete(id)
      return
    }
    try {
      scheduleAttempt(id, now())
    } catch {
      // The write failed: the delivery waits until it is retried manually or after a restart.
    }
  }

  /** Returns false, and defers nothing, if another attempt already waits for this one. */
  function reorder(receiver: string, id: string, plan: FaultPlan): boolean {
    const deferred = byReceiver.get(receiver)
    if (deferred !== undefined && engine.world.get('deliveries', deferred)?.status === 'waiting') return false
    byReceiver.set(receiver, id)
    plans.set(id, { ...plan, reorder: false })
    return true
  }

  return {
    takePlan(id) {
      const plan = plans.get(id)
      plans.delete(id)
      return plan
    },
    savePlan(id, plan) {
      if (plan.names.length > 0) plans.set(id, plan)
    },
    defer(delivery, plan) {
      const { id } = delivery
      if (plan.delay > 0) {
        plans.set(id, { ...plan, delay: 0 })
        scheduleAttempt(id, addMs(now(), plan.delay))
        return true
      }
      // A replay or a manual attempt is an explicit request to send, so it is not held.
      if (plan.hold && delivery.no_retries !== true && !isNextAttemptManual(delivery)) {
        plans.set(id, { ...plan, hold: false })
        return true
      }
      return plan.reorder && reorder(receiverOf(delivery), id, plan)
    },
    onSent(receiver) {
      const deferred = byReceiver.get(receiver)
      if (deferred === undefined) return
      byReceiver.delete(receiver)
      release(deferred)
    },
    clear() {
      plans.clear()
      byReceiver.clear()
    },
    onCommit(commit) {
      if (plans.size === 0) return
      const removed = new Set(commit.deletes.filter(({ table }) => table === 'faults').map(({ id }) => id))
      if (removed.size === 0) return
      // A release is a separate commit. It must come after the other listeners of this commit, so in the next turn.
      systemClock.nextTurn(() => {
        for (const [id, plan] of plans) {
          const isDeleted = engine.world.get('deliveries', id) === undefined
          if (isDeleted) plans.delete(id)
          else if (plan.ids.some((fault) => removed.has(fault))) release(id)
        }
        for (const [receiver, id] of byReceiver) if (!plans.has(id)) byReceiver.delete(receiver)
      })
    },
  }
}
