// Small changes of the state that several keys make.
import type { Form } from '../../view-model/forms/form.ts'
import type { ListView } from '../../view-model/model.ts'
import type { PaneName } from '../../view-model/rows/rows.ts'
import { NO_MARKS, type State, UNFOLDED } from './state.ts'

export function withForm(state: State, form: Form): State {
  return { ...state, overlay: { kind: 'form', form } }
}

export function withPendingCall(state: State): State {
  return { ...state, pendingCalls: state.pendingCalls + 1 }
}

/** Shows why a key has no effect. */
export function withWarning(state: State, text: string): State {
  return { ...state, notice: { text, style: 'warning', until: state.now + 4000 } }
}

export function updateListView(state: State, change: Partial<ListView>): State {
  const { pane, listViews } = state
  return { ...state, listViews: { ...listViews, [pane]: { ...listViews[pane], ...change } } }
}

export function switchPane(state: State, pane: PaneName): State {
  return pane === state.pane ? state : { ...state, pane, ...CLOSED_DETAIL, marks: NO_MARKS }
}

/** The state of a detail that does not have the focus. */
export const CLOSED_DETAIL = {
  focus: 'list',
  detailScroll: 0,
  find: '',
  showsComparison: false,
  scrollToFailure: false,
  folding: UNFOLDED,
} as const satisfies Partial<State>
