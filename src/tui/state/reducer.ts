// Handles the actions of the terminal view. The others are for the shared reducer.
import type { Notice } from '../../view-model/model.ts'
import type { ModelAction } from '../../view-model/model-action.ts'
import { reduceModel, syncDetail } from '../../view-model/reduce-model.ts'
import { continueWaiting, dropOutdatedWaiting, showLoading } from '../keys/detail-commands.ts'
import { seekFailure } from '../keys/find.ts'
import type { Input } from '../keys/input-parser.ts'
import { pressInput } from '../keys/press-key.ts'
import { CLOSED_DETAIL, withBulkProgress, withoutBulk, withWarning } from './changes.ts'
import { askToSend, type EditBody, type EditResult } from './edited-body.ts'
import { NO_MARKS, type Size, type State, type Update, type ViewEffect } from './state.ts'

/** `now` is system time in ms. */
export type Action =
  | ModelAction
  | { readonly type: 'keys'; readonly keys: readonly Input[]; readonly now: number }
  | { readonly type: 'resized'; readonly size: Size }
  | { readonly type: 'edited'; readonly edit: EditBody; readonly result: EditResult; readonly now: number }
  | { readonly type: 'bulk_progress'; readonly finished: number; readonly total: number }
  | { readonly type: 'bulk_done'; readonly text: string; readonly style: Notice['style']; readonly now: number }

export function reduce(state: State, action: Action): Update {
  const [next, effects] = applyAction(state, action)
  return [keepScroll(state, next), effects]
}

function applyAction(state: State, action: Action): Update {
  switch (action.type) {
    case 'keys':
      // A key dismisses the notice, so that the footer shows the available keys again.
      return pressKeys({ ...state, now: action.now, notice: undefined }, action.keys)
    case 'resized':
      return [{ ...state, size: action.size }, []]
    case 'edited':
      return [showEdited({ ...state, now: action.now }, action.edit, action.result), []]
    case 'bulk_progress':
      return [withBulkProgress(state, { finished: action.finished, total: action.total }), []]
    case 'bulk_done':
      return [withoutBulk(state, action.text, action.style, action.now), []]
    case 'call_done':
      return reduceModel(
        action.created === undefined || state.overlay !== undefined
          ? state
          : { ...state, ...CLOSED_DETAIL, marks: NO_MARKS },
        action,
      )
    case 'detail_loaded': {
      const [next, effects] = reduceModel(state, action)
      const [acted, more] = continueWaiting(next.scrollToFailure ? seekFailure(next) : next)
      return [acted, [...effects, ...more]]
    }
    case 'tick': {
      const [next, effects] = reduceModel(state, action)
      return [showLoading(next), effects]
    }
    default:
      return reduceModel(state, action)
  }
}

function showEdited(state: State, edit: EditBody, result: EditResult): State {
  const dialog = askToSend(edit, result)
  return 'problem' in dialog ? withWarning(state, dialog.problem) : { ...state, overlay: dialog }
}

/** Applies a batch of keys as one change, so that a long paste filters the rows only once. */
function pressKeys(state: State, keys: readonly Input[]): Update {
  const effects: ViewEffect[] = []
  for (const key of keys) {
    const [next, more] = pressInput(state, key)
    state = next
    effects.push(...more)
  }
  const [synced, loads] = syncDetail(dropOutdatedWaiting(state))
  return [synced, [...effects, ...loads]]
}

/** Scrolls to the start if another row is shown, unless its detail has the focus. */
function keepScroll(before: State, next: State): State {
  const isSame = before.detail?.pane === next.detail?.pane && before.detail?.id === next.detail?.id
  if (isSame || next.detailScroll === 0 || (before.pane === next.pane && next.focus === 'detail')) return next
  return { ...next, detailScroll: 0 }
}
