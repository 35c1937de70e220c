// Changes of the state that several keys and actions share.

import type { Effect } from '../../view-model/effect.ts'
import { countOfTotal } from '../../view-model/feed/run-each.ts'
import type { Form } from '../../view-model/forms/form.ts'
import type { ListViewState, Notice } from '../../view-model/model.ts'
import type { PaneName } from '../../view-model/rows/rows.ts'
import { type Bulk, NO_MARKS, type State, UNFOLDED, type Update } from './state.ts'

export function withForm(state: State, form: Form): State {
  return { ...state, overlay: { kind: 'form', form } }
}

export function withPendingCall(state: State): State {
  return { ...state, pendingCalls: state.pendingCalls + 1 }
}

/** Starts an effect that the user confirmed. */
export function startEffect(state: State, effect: Effect): Update {
  if (effect.do === 'quit') return [state, [effect]]
  if (effect.do !== 'each') return [withPendingCall(state), [effect]]
  return [{ ...state, bulk: { finished: 0, total: effect.calls.length, stopping: false } }, [effect]]
}

export function askToQuit(state: State, bulk: Bulk): State {
  const question = `${countOfTotal(bulk.finished, bulk.total)} done. Stop and quit?`
  return { ...state, overlay: { kind: 'confirm', question, effect: { do: 'quit' } } }
}

export function withBulkProgress(state: State, progress: Pick<Bulk, 'finished' | 'total'>): State {
  const bulk = { stopping: state.bulk?.stopping ?? false, ...progress }
  const next = { ...state, bulk }
  return asksToQuit(state) ? askToQuit(next, bulk) : next
}

/** Shows the result of the action on many rows. */
export function withoutBulk(state: State, text: string, style: Notice['style'], now: number): State {
  const notice: Notice = { text, style, until: now + BULK_NOTICE_DURATION }
  return { ...state, now, bulk: undefined, overlay: asksToQuit(state) ? undefined : state.overlay, notice }
}

const BULK_NOTICE_DURATION = 12_000

function asksToQuit({ overlay }: State): boolean {
  return overlay?.kind === 'confirm' && overlay.effect.do === 'quit'
}

/** Shows why a key has no effect. */
export function withWarning(state: State, text: string): State {
  return { ...state, notice: { text, style: 'warning', until: state.now + 4000 } }
}

export function updateListView(state: State, change: Partial<ListViewState>): State {
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
