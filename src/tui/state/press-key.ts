// Keys: to an overlay where one is open, else as commands of the table.
import { editForm, type } from '../forms/edit.ts'
import type { Form } from '../forms/form.ts'
import { advanceForm, newForm } from '../forms/open-form.ts'
import { submit } from '../forms/submit.ts'
import { type Command, commandOf } from '../keys/key-table.ts'
import { helpLimit } from '../panes/help.ts'
import { act } from './act-on-row.ts'
import type { Effect } from './effect.ts'
import { move } from './move.ts'
import { ACTS, type Act, whyNot } from './offers.ts'
import { PANES, type PaneName } from './rows.ts'
import { chosenRow, ORDERS } from './seen-rows.ts'
import type { Gaze, Overlay, State } from './state.ts'

type Pressed = readonly [State, readonly Effect[]]

export function pressKey(state: State, key: string): Pressed {
  if (key === 'ctrl+c') return [state, [{ do: 'quit' }]]
  if (state.overlay !== undefined) return inOverlay(state, state.overlay, key)
  const command = commandOf(key)
  return command === undefined ? [state, []] : run(state, command, key)
}

function run(state: State, command: Command, key: string): Pressed {
  if (ACTS.includes(command as Act)) {
    const reason = whyNot(state, command as Act)
    return reason === undefined ? act(state, command as Act) : [remark(state, reason), []]
  }
  switch (command) {
    case 'new':
      return [inForm(state, newForm(state.pane === 'payouts' ? 'payout' : 'payment')), []]
    case 'advance':
      return [inForm(state, advanceForm()), []]
    case 'freeze':
      return [calling(state), [{ do: state.clock?.mode === 'frozen' ? 'resume' : 'freeze' }]]
    case 'filter': {
      const text = state.gazes[state.pane].filter
      return [
        { ...state, focus: 'list', overlay: { kind: 'filter', text, cursor: [...text].length, before: text } },
        [],
      ]
    }
    case 'sort': {
      const { sort } = state.gazes[state.pane]
      return [gaze(state, { sort: (sort + 1) % ORDERS[state.pane].length, chosen: undefined }), []]
    }
    case 'help':
      return [{ ...state, overlay: { kind: 'help', scroll: 0 } }, []]
    case 'quit':
      return [state, [{ do: 'quit' }]]
    case 'pane':
      return [toPane(state, PANES[Number(key) - 1] ?? state.pane), []]
    case 'next_pane':
      return [toPane(state, neighbour(state.pane, 1)), []]
    case 'previous_pane':
      return [toPane(state, neighbour(state.pane, -1)), []]
    case 'enter':
      return [state.focus === 'list' ? goIn(state) : state, []]
    case 'leave':
      return [leave(state), []]
    default:
      return [move(state, command as 'up'), []]
  }
}

/** What one reads stays, whatever comes. */
function goIn(state: State): State {
  const chosen = chosenRow(state)?.id
  return chosen === undefined ? state : { ...gaze(state, { chosen }), focus: 'detail', scroll: 0 }
}

/** One step back at a time. */
function leave(state: State): State {
  if (state.focus === 'detail') return { ...state, focus: 'list', scroll: 0 }
  const { filter, chosen } = state.gazes[state.pane]
  if (filter !== '') return gaze(state, { filter: '' })
  return chosen === undefined ? state : gaze(state, { chosen: undefined })
}

function inOverlay(state: State, overlay: Overlay, key: string): Pressed {
  const closed: State = { ...state, overlay: undefined }
  switch (overlay.kind) {
    case 'help': {
      const by = { down: 1, j: 1, up: -1, k: -1, page_down: 8, page_up: -8 }[key]
      if (by === undefined) return [closed, []]
      const scroll = Math.min(helpLimit(state), Math.max(0, overlay.scroll + by))
      return [{ ...state, overlay: { kind: 'help', scroll } }, []]
    }
    case 'confirm':
      if (key === 'y' || key === 'Y') return [calling(closed), [overlay.effect]]
      return key === 'n' || key === 'N' || key === 'escape' || key === 'enter' ? [closed, []] : [state, []]
    case 'filter': {
      if (key === 'escape') return [gaze(closed, { filter: overlay.before }), []]
      if (key === 'enter') return [closed, []]
      const typed = type(overlay, key)
      return [gaze({ ...state, overlay: { ...overlay, ...typed } }, { filter: typed.text, chosen: undefined }), []]
    }
    case 'form': {
      if (key === 'escape') return [closed, []]
      if (key !== 'enter') return [inForm(state, editForm(overlay.form, key)), []]
      if (overlay.form.astray) return [state, []]
      const submitted = submit(overlay.form)
      if ('effect' in submitted) return [calling(closed), [submitted.effect]]
      return [inForm(state, { ...overlay.form, problem: submitted.problem }), []]
    }
  }
}

function inForm(state: State, form: Form): State {
  return { ...state, overlay: { kind: 'form', form } }
}

function calling(state: State): State {
  return { ...state, waiting: state.waiting + 1 }
}

function remark(state: State, text: string): State {
  return { ...state, notice: { text, look: 'odd', until: state.now + 4000 } }
}

function gaze(state: State, change: Partial<Gaze>): State {
  const { pane, gazes } = state
  return { ...state, gazes: { ...gazes, [pane]: { ...gazes[pane], ...change } } }
}

function toPane(state: State, pane: PaneName): State {
  return pane === state.pane ? state : { ...state, pane, focus: 'list', scroll: 0 }
}

function neighbour(pane: PaneName, by: number): PaneName {
  return PANES[(PANES.indexOf(pane) + by + PANES.length) % PANES.length] ?? pane
}
