// The state of the view. Everything on the screen is derived from it, and only the reducer creates a new one.
import type { ClockView } from '../client/clock-types.ts'
import type { DeliveryView, EventView } from '../client/control-types.ts'
import type { RequestView } from '../client/request-types.ts'
import type { Effect } from './effect.ts'
import type { Form } from './forms/form.ts'
import { NO_ROWS, type PaneName, type Tables } from './rows/rows.ts'

export interface Size {
  readonly columns: number
  readonly rows: number
}

/** Selection, order and filter of a pane. Without `selectedId` the first row is selected, also when new rows arrive. */
export interface ListView {
  readonly selectedId: string | undefined
  readonly sort: number
  readonly filter: string
}

export type Connection =
  | { readonly state: 'connecting' | 'open' }
  | { readonly state: 'lost'; readonly reason: string; readonly retryIn: number }

/** The last known state of the sandbox's clock. `receivedAt` is system time in ms, to compute the current time. */
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

export type Overlay =
  /** @param scroll the index of the first line shown */
  | { readonly kind: 'help'; readonly scroll: number }
  | { readonly kind: 'filter'; readonly text: string; readonly cursor: number; readonly before: string }
  | { readonly kind: 'form'; readonly form: Form }
  | { readonly kind: 'confirm'; readonly question: string; readonly effect: Effect }

export interface Notice {
  readonly text: string
  readonly style: 'success' | 'failure' | 'warning'
  /** System time in ms. */
  readonly until: number
}

export interface State {
  /** System time in ms of the last tick, key or message. */
  readonly now: number
  readonly url: string
  /** True if the server runs in this process and ends with it. */
  readonly embedded: boolean
  readonly size: Size
  readonly connection: Connection
  readonly clock: KnownClock | undefined
  readonly tables: Tables
  /** The changes of status in each of the last seconds, the newest last. */
  readonly rates: { readonly second: number; readonly counts: readonly number[] }
  /** System time in ms. Messages before it are history, and not counted in the rate. */
  readonly liveSince: number
  readonly pane: PaneName
  readonly listViews: Readonly<Record<PaneName, ListView>>
  readonly focus: 'list' | 'detail'
  /** The index of the first line of the detail that is shown. */
  readonly detailScroll: number
  readonly detail: Detail | undefined
  readonly overlay: Overlay | undefined
  readonly notice: Notice | undefined
  /** The number of calls without a response. */
  readonly pendingCalls: number
}

/** The number of seconds in the sparkline of the rate. */
export const RATE_SECONDS = 60

const INITIAL_LIST_VIEW: ListView = { selectedId: undefined, sort: 0, filter: '' }

export function initialState(start: { url: string; embedded: boolean; size: Size; now: number }): State {
  return {
    ...start,
    connection: { state: 'connecting' },
    clock: undefined,
    tables: NO_ROWS,
    rates: { second: Math.floor(start.now / 1000), counts: new Array<number>(RATE_SECONDS).fill(0) },
    liveSince: Number.POSITIVE_INFINITY,
    pane: 'payments',
    listViews: {
      payments: INITIAL_LIST_VIEW,
      payouts: INITIAL_LIST_VIEW,
      deliveries: INITIAL_LIST_VIEW,
      requests: INITIAL_LIST_VIEW,
      stream: INITIAL_LIST_VIEW,
    },
    focus: 'list',
    detailScroll: 0,
    detail: undefined,
    overlay: undefined,
    notice: undefined,
    pendingCalls: 0,
  }
}
