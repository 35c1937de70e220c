// The data of an open payment or payout: the live row, and what the server returns only on request.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ScheduledStep } from '../../client/clock-types.ts'
import type { DeliveryView, EventView } from '../../client/control-types.ts'
import type { StoredMessage } from '../../client/history-types.ts'
import type { Detail } from '../../view-model/model.ts'
import { applyMessages } from '../../view-model/rows/apply-messages.ts'
import { NO_ROWS, type PaymentRow, type PayoutRow, type TimelineStep } from '../../view-model/rows/rows.ts'
import { knownMessages, objectIdOf } from '../../view-model/rows/stream-message.ts'
import { browserClock } from '../state/browser-clock.ts'
import { useStore } from '../state/store.ts'
import { errorText } from '../text/error-text.ts'
import { useText } from '../text/translate.ts'

type ObjectPane = 'payments' | 'payouts'
type RowOf<P extends ObjectPane> = P extends 'payments' ? PaymentRow : PayoutRow

export interface OpenObject<P extends ObjectPane> {
  /** Absent: it is being loaded, or it does not exist. */
  readonly row: RowOf<P> | undefined
  readonly detail: Detail
  readonly schedule: readonly ScheduledStep[]
}

interface Loaded {
  readonly id: string
  /** The row as the lists return it, with its plan, which the stream omits. */
  readonly row: PaymentRow | PayoutRow | undefined
  readonly steps: readonly TimelineStep[]
  readonly events: readonly EventView[]
  readonly deliveries: readonly DeliveryView[]
  readonly schedule: readonly ScheduledStep[]
  readonly problem?: string
}

const NOTHING = { row: undefined, steps: [], events: [], deliveries: [], schedule: [] } as const

/** The maximum number of events and of deliveries that are loaded for one object. */
const MAX_ITEMS = 50

/** Changes are collected for this many ms. Then the data is loaded again. */
const RELOAD_INTERVAL = 200

export function useObject<P extends ObjectPane>(pane: P, id: string): OpenObject<P> {
  const store = useStore()
  const t = useText()
  const { model, session, loaded: hasLists } = store.app
  const [loaded, setLoaded] = useState<Loaded>()
  const timer = useRef<{ cancel(): void } | undefined>(undefined)
  useEffect(() => {
    let isCurrent = true
    const load = () => {
      timer.current = undefined
      loadObject(session.client.control, pane, id).then(
        (data) => isCurrent && setLoaded(data),
        (error: Error) => isCurrent && setLoaded({ id, ...NOTHING, problem: errorText(error, t) }),
      )
    }
    load()
    const stop = store.onMessages((batch) => {
      if (batch === undefined) load()
      else if (batch.some(({ message }) => message.kind === 'reset' || objectIdOf(message) === id))
        timer.current ??= browserClock.setTimeout(load, RELOAD_INTERVAL)
    })
    return () => {
      isCurrent = false
      timer.current?.cancel()
      timer.current = undefined
      stop()
    }
  }, [pane, id, session, hasLists])

  const current = loaded?.id === id ? loaded : undefined
  const live = merged(model.tables[pane].get(id), current?.row) as RowOf<P> | undefined
  const { events = [], deliveries = [], schedule = [], steps = [], problem } = current ?? {}
  return {
    row: live && { ...live, steps: live.steps.length > steps.length ? live.steps : steps },
    detail: { pane, id, loading: current === undefined, events, deliveries, request: undefined, problem },
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
  const row =
    item &&
    (pane === 'payments'
      ? { id, payment: item, steps: [], lastMessageId: 0 }
      : { id, payout: item, steps: [], lastMessageId: 0 })
  return {
    id,
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
