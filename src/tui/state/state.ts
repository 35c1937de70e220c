// The state of the terminal view: the shared model, the size of the terminal, and what is open.
import type { Effect } from '../../view-model/effect.ts'
import { type Dialog, initialModel, type Model } from '../../view-model/model.ts'
import type { PaneName } from '../../view-model/rows/rows.ts'
import type { DetailCommand } from '../keys/key-table.ts'
import type { EditBody } from './edited-body.ts'

export interface Size {
  readonly columns: number
  readonly rows: number
}

export type Overlay =
  | Dialog
  /** @param scroll the index of the first line shown */
  | { readonly kind: 'help'; readonly scroll: number }
  /** @param before the filter when the overlay was opened, which Esc restores */
  | { readonly kind: 'filter'; readonly text: string; readonly cursor: number; readonly before: string }
  /** Searches the lines of the detail. */
  | { readonly kind: 'find'; readonly text: string; readonly cursor: number }
  | {
      readonly kind: 'palette'
      readonly text: string
      readonly cursor: number
      readonly selected: number
      readonly readOnly: boolean
    }

/** Which objects and lists of JSON bodies are shown in one line. */
export interface Folding {
  /** Whether to fold every nested value. */
  readonly all: boolean
  /** The ids of the values whose folding is the opposite of `all`: open if `all` is true, folded if it is false. */
  readonly toggled: ReadonlySet<string>
  /** The value the cursor is on. */
  readonly current: string | undefined
}

/** A command that waits until the detail of its row is loaded. */
export interface WaitingCommand {
  readonly command: DetailCommand
  readonly pane: PaneName
  readonly id: string
}

/** The progress of an action on many rows. */
export interface Bulk {
  /** The number of rows that are done or were refused. */
  readonly finished: number
  readonly total: number
  /** True if no further request is sent. */
  readonly stopping: boolean
}

export const UNFOLDED: Folding = { all: false, toggled: new Set(), current: undefined }

export interface State extends Model {
  readonly url: string
  /** True if the server runs in this process and ends with it. */
  readonly runsServer: boolean
  readonly size: Size
  readonly focus: 'list' | 'detail'
  /** The index of the first line of the detail that is shown. */
  readonly detailScroll: number
  readonly overlay: Overlay | undefined
  /** True until the detail is loaded and scrolled to the last failed attempt. */
  readonly scrollToFailure: boolean
  /** The text searched for in the detail, or empty. */
  readonly find: string
  /** True if a comparison of the last two attempts is shown instead of the detail. */
  readonly showsComparison: boolean
  readonly folding: Folding
  /** The ids of the marked rows of the pane. */
  readonly marks: ReadonlySet<string>
  /** The action on many rows that is running. */
  readonly bulk: Bulk | undefined
  readonly waiting: WaitingCommand | undefined
  /** Whether the terminal reports the mouse. */
  readonly mouse: boolean
}

export type Update = readonly [state: State, effects: readonly ViewEffect[]]

/** `stop_bulk` stops the action on many rows. */
export type ViewEffect = Effect | EditBody | { readonly do: 'stop_bulk' | 'suspend' }

export const NO_MARKS: ReadonlySet<string> = new Set()

export function initialState(start: { url: string; runsServer: boolean; size: Size; now: number }): State {
  return {
    ...initialModel(start.now),
    ...start,
    focus: 'list',
    detailScroll: 0,
    overlay: undefined,
    scrollToFailure: false,
    find: '',
    showsComparison: false,
    folding: UNFOLDED,
    marks: NO_MARKS,
    bulk: undefined,
    waiting: undefined,
    mouse: true,
  }
}
