// Everything the view shows follows from this value; only the reducer makes a new one.
import type { ClockView, DeliveryView, EventView } from '../../client/control-wire.ts'
import type { RequestView } from '../../client/request-wire.ts'
import type { Form } from '../forms/form.ts'
import type { Effect } from './effect.ts'
import { NO_ROWS, type PaneName, type Tables } from './rows.ts'

export interface Size {
  readonly columns: number
  readonly rows: number
}

/** How one looks at a pane. Nothing chosen: the newest is, and stays so while rows come. */
export interface Gaze {
  readonly chosen: string | undefined
  readonly sort: number
  readonly filter: string
}

export type Line =
  | { readonly state: 'connecting' | 'open' }
  | { readonly state: 'lost'; readonly reason: string; readonly retryIn: number }

/** The clock as it was told, and when (wall clock, ms): the time now follows from both. */
export interface KnownClock {
  readonly mode: ClockView['mode']
  readonly speed: number
  readonly now: number
  readonly told: number
}

/** What is fetched for the chosen row alone. */
export interface Detail {
  readonly pane: PaneName
  readonly id: string
  readonly loading: boolean
  readonly events: readonly EventView[]
  readonly deliveries: readonly DeliveryView[]
  /** With its bodies. */
  readonly request: RequestView | undefined
  readonly problem: string | undefined
}

export type Overlay =
  /** @param scroll the first row that is shown */
  | { readonly kind: 'help'; readonly scroll: number }
  | { readonly kind: 'filter'; readonly text: string; readonly cursor: number; readonly before: string }
  | { readonly kind: 'form'; readonly form: Form }
  | { readonly kind: 'confirm'; readonly question: string; readonly effect: Effect }

export interface Notice {
  readonly text: string
  readonly look: 'good' | 'bad' | 'odd'
  /** Wall clock, ms. */
  readonly until: number
}

export interface State {
  /** Wall clock, ms, of the last tick or message. */
  readonly now: number
  readonly url: string
  /** The server runs in this process and ends with it. */
  readonly own: boolean
  readonly size: Size
  readonly line: Line
  readonly clock: KnownClock | undefined
  readonly tables: Tables
  /** Changes of status in each of the last seconds, the newest last. */
  readonly rates: { readonly second: number; readonly counts: readonly number[] }
  /** Wall clock, ms: what came before is history and no rate. */
  readonly live: number
  readonly pane: PaneName
  readonly gazes: Readonly<Record<PaneName, Gaze>>
  readonly focus: 'list' | 'detail'
  /** The first line of the detail that is shown. */
  readonly scroll: number
  readonly detail: Detail | undefined
  readonly overlay: Overlay | undefined
  readonly notice: Notice | undefined
  /** Calls that have not been answered. */
  readonly waiting: number
}

/** Seconds the rate plot reaches back. */
export const PLOTTED = 60

const GAZE: Gaze = { chosen: undefined, sort: 0, filter: '' }

export function initialState(start: { url: string; own: boolean; size: Size; now: number }): State {
  return {
    ...start,
    line: { state: 'connecting' },
    clock: undefined,
    tables: NO_ROWS,
    rates: { second: Math.floor(start.now / 1000), counts: new Array<number>(PLOTTED).fill(0) },
    live: Number.POSITIVE_INFINITY,
    pane: 'payments',
    gazes: { payments: GAZE, payouts: GAZE, deliveries: GAZE, requests: GAZE, stream: GAZE },
    focus: 'list',
    scroll: 0,
    detail: undefined,
    overlay: undefined,
    notice: undefined,
    waiting: 0,
  }
}
