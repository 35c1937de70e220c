// Attempts that a fault put off: `delay` until an instant, `reorder` until the receiver's next one has gone.
import { after } from '../domain/time.ts'
import type { CommitListener } from '../engine/ports.ts'
import type { DispatcherPorts } from './dispatcher-types.ts'
import type { FaultPlan } from './webhook-faults.ts'

export interface DeferredAttempts {
  /** The plan of an attempt that was put off before; it is taken, not counted again. */
  takePlan(id: string): FaultPlan | undefined
  /** Remembers what is still to be done to an attempt that does not leave now. */
  savePlan(id: string, plan: FaultPlan): void
  delay(id: string, plan: FaultPlan): void
  /** False: another one is held for this receiver already, and this one is the next it waits for. */
  reorder(receiver: string, id: string, plan: FaultPlan): boolean
  /** Something went out to this receiver. */
  sent(receiver: string): void
  committed: CommitListener
  /** Forgets every attempt. */
  clear(): void
}

export function createDeferredAttempts({ engine, now, rearm, wall }: DispatcherPorts): DeferredAttempts {
  const plans = new Map<string, FaultPlan>()
  const byReceiver = new Map<string, string>()

  function release(id: string): void {
    if (engine.world.get('deliveries', id)?.status !== 'waiting') {
      plans.delete(id)
      return
    }
    try {
      rearm(id, now())
    } catch {
      // The disk refuses: the delivery stays where it is until it is retried by hand or after a restart.
    }
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
    delay(id, plan) {
      plans.set(id, { ...plan, delay: 0 })
      rearm(id, after(now(), plan.delay))
    },
    reorder(receiver, id, plan) {
      const held = byReceiver.get(receiver)
      if (held !== undefined && engine.world.get('deliveries', held)?.status === 'waiting') return false
      byReceiver.set(receiver, id)
      plans.set(id, { ...plan, reorder: false })
      return true
    },
    sent(receiver) {
      const held = byReceiver.get(receiver)
      if (held === undefined) return
      byReceiver.delete(receiver)
      release(held)
    },
    clear() {
      plans.clear()
      byReceiver.clear()
    },
    committed(commit) {
      if (plans.size === 0) return
      const removed = new Set(commit.deletes.filter(({ table }) => table === 'faults').map(({ id }) => id))
      if (removed.size === 0) return
      // After the commit's other listeners: letting go is a change of its own.
      wall.nextTurn(() => {
        for (const [id, plan] of plans) {
          const gone = engine.world.get('deliveries', id) === undefined
          if (gone) plans.delete(id)
          else if (plan.ids.some((fault) => removed.has(fault))) release(id)
        }
        for (const [receiver, id] of byReceiver) if (!plans.has(id)) byReceiver.delete(receiver)
      })
    },
  }
}
