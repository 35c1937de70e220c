/**
 * The part of a view that needs no terminal, no DOM and no Node. `psp ui` and the dashboard are two renderers of it.
 * - {@link initialModel} and `reduceModel(model, action)` in reduce-model.ts: the state and its changes. The reducer
 *   returns the next model and the effects to perform. A renderer may add fields to the model; the reducer keeps them.
 * - `runFeed(ports)` in feed/feed.ts dispatches the lists, then the messages of the control stream. It reconnects.
 * - `runCall(effect, ports)` in feed/run-call.ts performs an effect and returns the text of its notice. `loadDetail`
 *   fetches the data of the selected row for the effect `load`.
 * - `visibleRows(model, pane)` in rows/visible-rows.ts filters and sorts; `SORT_ORDERS` names the orders of each pane.
 * - `rowActionIssue(row, action, pane)` in actions/ returns why an action is not allowed. `rowAction(row, action,
 *   tables)` returns its effect, form or question.
 * - forms/: `open-form.ts`, `setFieldValue`, `visibleFields` and `submitForm`, which returns an effect or a problem.
 * - `describeRow(row, detail, context)` in detail/describe-row.ts: the detail of a row as data. Text in it is not
 *   sanitized.
 * - {@link sandboxNow} and time-format.ts: the time of the sandbox's clock, and its formats.
 */
import type { ClockView } from '../client/clock-types.ts'
import type { DeliveryView, EventView } from '../client/control-types.ts'
import type { RequestView } from '../client/request-types.ts'
import type { Effect } from './effect.ts'
import type { Form } from './forms/form.ts'
import { type MessageId, NO_ROWS, type PaneName, type Tables } from './rows/rows.ts'

/** Selection, order and filter of a pane. */
export interface ListViewState {
  /** If `undefined`, the first row is selected, and a new first row becomes the selected one. */
  readonly selectedId: string | undefined
  /** An index in the `SORT_ORDERS` of the pane. */
  readonly sort: number
  readonly filter: string
}

/** For each list that is not complete yet, the number of rows that were read so far. */
export type RowsRead = Readonly<Partial<Record<Exclude<PaneName, 'stream'>, number>>>

/** The connection to the stream. A lost one is opened again. */
export type Connection = { readonly state: 'connecting' | 'open' } | { readonly state: 'lost'; readonly reason: string }

/** The last known state of the sandbox's clock. `receivedAt` is the system time in ms at which it was read. */
export interface KnownClock {
  readonly mode: ClockView['mode']
  readonly speed: number
  readonly now: number
  readonly receivedAt: number
}

/** The data that is fetched for the selected row only. */
export interface Detail {
  readonly pane: PaneName
  readonly id: string
  readonly loading: boolean
  readonly events: readonly EventView[]
  readonly deliveries: readonly DeliveryView[]
  /** The request with its bodies. */
  readonly request: RequestView | undefined
  readonly problem: string | undefined
}

/** A form, or a question before an effect. */
export type Dialog =
  | { readonly kind: 'form'; readonly form: Form }
  | { readonly kind: 'confirm'; readonly question: string; readonly effect: Effect }

export interface Notice {
  readonly text: string
  readonly style: 'success' | 'failure' | 'warning'
  /** System time in ms. */
  readonly until: number
}

/** The state that both renderers share. It is immutable: a change creates a new model. */
export interface Model {
  /** System time in ms of the last tick, key or message. */
  readonly now: number
  readonly connection: Connection
  readonly clock: KnownClock | undefined
  readonly tables: Tables
  readonly rowsRead: RowsRead
  /** The changes of status in each of the last seconds, the newest last. */
  readonly rates: {
    /** System time in s. */
    readonly second: number
    readonly counts: readonly number[]
    /** The changes to a failed or expired status among them. */
    readonly failures: readonly number[]
  }
  /** System time in ms. Messages that are received earlier may be old, so the rate does not count them. */
  readonly historyUntil: number
  /** The id of the newest message of the stream that was applied. */
  readonly newestMessageId: MessageId
  /** The newest id before the first lists were requested. The lists include the changes of messages up to this id. */
  readonly lastHistoryId: MessageId | undefined
  readonly pane: PaneName
  readonly listViews: Readonly<Record<PaneName, ListViewState>>
  readonly detail: Detail | undefined
  /** The open dialog, or another open layer of the renderer. While it is present, a created object is not selected. */
  readonly overlay: { readonly kind: string } | undefined
  readonly notice: Notice | undefined
  /** True if the client sent the view token, which only permits reading. */
  readonly readOnly: boolean
  /** The number of calls without a response. */
  readonly pendingCalls: number
}

/** Returns the sandbox's current time in ms since the Unix epoch. */
export function sandboxNow({ clock, now }: Pick<Model, 'clock' | 'now'>): number {
  if (clock === undefined) return now
  if (clock.mode === 'frozen') return clock.now
  return clock.now + (now - clock.receivedAt) * (clock.mode === 'scaled' ? clock.speed : 1)
}

/** Until the old messages of the stream are received, timelines may be incomplete. */
export function isHistoryLoading({ newestMessageId, lastHistoryId, historyUntil, now }: Model): boolean {
  return now < historyUntil && (lastHistoryId === undefined || newestMessageId < lastHistoryId)
}

export const RATE_SECONDS = 60

const NO_COUNTS: readonly number[] = new Array<number>(RATE_SECONDS).fill(0)

const INITIAL_LIST_VIEW: ListViewState = { selectedId: undefined, sort: 0, filter: '' }

export const NOTHING_READ: RowsRead = { payments: 0, payouts: 0, deliveries: 0, requests: 0 }

/** @param now system time in ms */
export function initialModel(now: number): Model {
  return {
    now,
    connection: { state: 'connecting' },
    clock: undefined,
    tables: NO_ROWS,
    rowsRead: NOTHING_READ,
    rates: { second: Math.floor(now / 1000), counts: NO_COUNTS, failures: NO_COUNTS },
    historyUntil: Number.POSITIVE_INFINITY,
    newestMessageId: 0,
    lastHistoryId: undefined,
    pane: 'payments',
    listViews: {
      payments: INITIAL_LIST_VIEW,
      payouts: INITIAL_LIST_VIEW,
      deliveries: INITIAL_LIST_VIEW,
      requests: INITIAL_LIST_VIEW,
      stream: INITIAL_LIST_VIEW,
    },
    detail: undefined,
    overlay: undefined,
    notice: undefined,
    readOnly: false,
    pendingCalls: 0,
  }
}
