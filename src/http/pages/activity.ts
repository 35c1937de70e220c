// Records transitions, commands and returns of payments whose page was opened, for the history on the panel.
// Transitions from before the first opening are those of the control API's stream. The log is in memory only, so after
// a restart the history has only what is stored.
import type { ControlHub } from '../../delivery/control-hub.ts'
import type { ControlEntry } from '../../delivery/control-messages.ts'
import type { Payment } from '../../domain/payment.ts'
import type { PaymentStatus } from '../../domain/payment-states.ts'
import type { ThreeDsStep } from '../../domain/three-ds.ts'
import type { SandboxTime } from '../../domain/time.ts'
import { replacesState } from '../../engine/commit.ts'
import type { Engine } from '../../engine/engine.ts'
import { BoundedMap } from './bounded-map.ts'

export type Activity = { readonly at: SandboxTime } & (
  | { readonly kind: 'status'; readonly status: PaymentStatus }
  | { readonly kind: 'returned' | 'dropped'; readonly host: string }
  | { readonly kind: 'three_ds'; readonly step: ThreeDsStep }
  | { readonly kind: 'command'; readonly command: PanelCommand; readonly value?: string }
)

export type PanelCommand = 'approve' | 'decline' | 'expire' | 'no_response' | 'order'

export interface ActivityLog {
  /** Begins to record a payment. */
  open(payment: Payment): void
  add(paymentId: string, activity: Activity): void
  /** Returns the activities, the oldest first. If the page was not opened, these are the transitions. */
  of(paymentId: string): readonly Activity[]
}

const MAX_PAYMENTS = 1000
const MAX_PER_PAYMENT = 100

export function createActivityLog(
  engine: Pick<Engine, 'onCommit'>,
  hub: Pick<ControlHub, 'entriesAbout'>,
): ActivityLog {
  const byPayment = new BoundedMap<Activity[]>(MAX_PAYMENTS)
  const add: ActivityLog['add'] = (id, activity) => {
    const entries = byPayment.get(id)
    if (entries === undefined) return
    entries.push(activity)
    if (entries.length > MAX_PER_PAYMENT) entries.shift()
  }
  engine.onCommit((commit, _, at) => {
    if (byPayment.size === 0) return
    if (replacesState(commit)) byPayment.clear()
    for (const { kind, payload } of commit.stream) {
      if (kind !== 'payment.status_changed') continue
      const { id, status } = payload as { readonly id: string; readonly status: PaymentStatus }
      add(id, { at, kind: 'status', status })
    }
  })
  return {
    open({ id }) {
      if (!byPayment.has(id)) byPayment.set(id, earlierActivities(hub.entriesAbout(id)))
    },
    add,
    of: (id) => byPayment.get(id) ?? earlierActivities(hub.entriesAbout(id)),
  }
}

function earlierActivities(entries: readonly ControlEntry[]): Activity[] {
  return entries.flatMap((entry): Activity[] => {
    if (entry.kind !== 'payment') return []
    const { at, change, status, three_ds } = entry
    if (three_ds !== undefined) return [{ at, kind: 'three_ds', step: three_ds }]
    return change === 'status_changed' ? [{ at, kind: 'status', status: status as PaymentStatus }] : []
  })
}
