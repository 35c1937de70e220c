// The data of an open payment or payout: the live row, and what the server returns only on request.
import type { ScheduledStep } from '../../client/clock-types.ts'
import type { DeliveryView, EventView } from '../../client/control-types.ts'
import type { StoredMessage } from '../../client/history-types.ts'
import type { Detail } from '../../view-model/model.ts'
import { applyMessages } from '../../view-model/rows/apply-messages.ts'
import { NO_ROWS, newRow, type PaymentRow, type PayoutRow, type TimelineStep } from '../../view-model/rows/rows.ts'
import { knownMessages, objectIdOf } from '../../view-model/rows/stream-message.ts'
import { useStore } from '../state/store.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { errorText } from '../text/error-text.ts'
import { useText } from '../text/translate.ts'

type ObjectPane = 'payments' | 'payouts'
type RowOf<P extends ObjectPane> = P extends 'payments' ? PaymentRow : PayoutRow

export interface OpenObject<P extends ObjectPane = ObjectPane> {
  /** Absent: it is being loaded, or it does not exist. */
  readonly row: RowOf<P> | undefined
  readonly detail: Detail
  readonly schedule: readonly ScheduledStep[]
}

interface Loaded {
  /** The row as the lists return it, with its plan, which the stream omits. */
  readonly row: PaymentRow | PayoutRow | undefined
  readonly steps: readonly TimelineStep[]
  readonly events: readonly EventView[]
  readonly deliveries: readonly DeliveryView[]
  readonly schedule: readonly ScheduledStep[]
  readonly problem?: string
}

const NOTHING: Loaded = { row: undefined, steps: [], events: [], deliveries: [], schedule: [] }

/** The maximum number of events and of deliveries that are loaded for one object. */
const MAX_ITEMS = 50

/** The component that uses this hook shows one object. It is mounted again for another id. */
export function useObject<P extends ObjectPane>(pane: P, id: string): OpenObject<P> {
  const t = useText()
  const { model, session } = useStore().app
  const [loaded] = useLoaded(
    () =>
      loadObject(session.client.control, pane, id).catch(
        (error: unknown): Loaded => ({ ...NOTHING, problem: errorText(error, t) }),
      ),
    (message) => objectIdOf(message) === id,
  )
  const { row: listed, events, deliveries, schedule, steps, problem } = loaded ?? NOTHING
  const live = merged(model.tables[pane].get(id), listed) as RowOf<P> | undefined
  return {
    row: live && { ...live, steps: live.steps.length > steps.length ? live.steps : steps },
    detail: { pane, id, loading: loaded === undefined, events, deliveries, request: undefined, problem },
    schedule,
  }
}

/** Adds the fields of lists, such as the plan, to a row of the stream. */
function merged(live: PaymentRow | PayoutRow | undefined, listed: PaymentRow | PayoutRow | undefined) {
  if (live === undefined || listed === undefined) return live ?? listed
  if ('payment' in live && 'payment' in listed) return { ...live, payment: { ...listed.payment, ...live.payment } }
  if ('payout' in live && 'payout' in listed) return { ...live, payout: { ...listed.payout, ...live.payout } }
  return live
}

const ID = /^[0-9a-f-]{36}$/

type Control = ReturnType<typeof useStore>['app']['session']['client']['control']

async function loadObject(control: Control, pane: ObjectPane, id: string): Promise<Loaded> {
  const about = { object_id: id, limit: MAX_ITEMS }
  const [listed, events, deliveries, stored, schedule] = await Promise.all([
    ID.test(id) ? control.lists[pane]({ id, limit: 1 }) : undefined,
    control.events.list(about),
    control.deliveries.list(about),
    control.messages(id),
    control.clock.schedule(about),
  ])
  const item = listed?.items[0]
  const row = item && newRow(pane === 'payments' ? { id, payment: item } : { id, payout: item })
  return {
    row: row as PaymentRow | PayoutRow | undefined,
    steps: stepsOf(pane, id, stored.items),
    events: events.items,
    deliveries: deliveries.items,
    schedule: schedule.items,
  }
}

/** Applies the stored messages to an empty row, which collects the steps. */
function stepsOf(pane: ObjectPane, id: string, stored: readonly StoredMessage[]): readonly TimelineStep[] {
  return applyMessages(NO_ROWS, knownMessages(stored))[pane].get(id)?.steps ?? []
}
