// The state of the terminal view: the shared model, the size of the terminal, and what is open.
import type { Effect } from '../../view-model/effect.ts'
import { type Dialog, initialModel, type Model } from '../../view-model/model.ts'

export interface Size {
  readonly columns: number
  readonly rows: number
}

export type Overlay =
  | Dialog
  /** @param scroll the index of the first line shown */
  | { readonly kind: 'help'; readonly scroll: number }
  | { readonly kind: 'filter'; readonly text: string; readonly cursor: number; readonly before: string }

export interface State extends Model {
  readonly url: string
  /** True if the server runs in this process and ends with it. */
  readonly embedded: boolean
  readonly size: Size
  readonly focus: 'list' | 'detail'
  /** The index of the first line of the detail that is shown. */
  readonly detailScroll: number
  readonly overlay: Overlay | undefined
}

/** The next state, and the effects to perform. */
export type Reduced = readonly [state: State, effects: readonly Effect[]]

export function initialState(start: { url: string; embedded: boolean; size: Size; now: number }): State {
  return { ...initialModel(start.now), ...start, focus: 'list', detailScroll: 0, overlay: undefined }
}
