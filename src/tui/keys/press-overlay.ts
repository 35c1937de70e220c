// Handles inputs while an overlay is open.
import { editForm, editText, type TextInput } from '../../view-model/forms/edit-form.ts'
import type { Form } from '../../view-model/forms/form.ts'
import { visibleFields } from '../../view-model/forms/form-fields.ts'
import { submitForm } from '../../view-model/forms/submit-form.ts'
import { helpScrollLimit } from '../panes/help.ts'
import { startEffect, updateListView, withForm } from '../state/changes.ts'
import type { Overlay, State, Update } from '../state/state.ts'
import { findNext } from './find.ts'
import { type PaletteItem, paletteItems } from './palette.ts'

/** Runs a command that the palette found. */
type Run = (state: State, command: PaletteItem['command'], key: string) => Update

export function pressKeyInOverlay(state: State, overlay: Overlay, key: string, run: Run): Update {
  const closed: State = { ...state, overlay: undefined }
  switch (overlay.kind) {
    case 'help': {
      const by = { down: 1, j: 1, up: -1, k: -1, page_down: 8, page_up: -8 }[key]
      if (by === undefined) return [closed, []]
      const scroll = Math.min(helpScrollLimit(state), Math.max(0, overlay.scroll + by))
      return [{ ...state, overlay: { kind: 'help', scroll } }, []]
    }
    case 'confirm':
      // Enter confirms a question just as it submits a form.
      if (key === 'enter' || key === 'y' || key === 'Y') return startEffect(closed, overlay.effect)
      return key === 'n' || key === 'N' || key === 'escape' ? [closed, []] : [state, []]
    case 'filter':
      if (key === 'escape') return [updateListView(closed, { filter: overlay.before }), []]
      if (key === 'enter') return [closed, []]
      return [editFilter(state, overlay, [key]), []]
    case 'find':
      if (key === 'escape') return [{ ...closed, find: '' }, []]
      if (key === 'enter') return [closed, []]
      return [editFind(state, overlay, [key]), []]
    case 'palette': {
      const items = paletteItems(overlay.text, overlay.readOnly)
      if (key === 'escape') return [closed, []]
      if (key === 'enter') {
        const command = items[overlay.selected]?.command
        return command === undefined ? [closed, []] : run(closed, command, '')
      }
      const by = { down: 1, up: -1 }[key]
      if (by === undefined) return [editPalette(state, overlay, [key]), []]
      const selected = Math.min(items.length - 1, Math.max(0, overlay.selected + by))
      return [{ ...state, overlay: { ...overlay, selected } }, []]
    }
    case 'form': {
      if (key === 'escape') return [closed, []]
      if (key !== 'enter') return [withForm(state, editForm(overlay.form, key)), []]
      if (overlay.form.blocked) return [state, []]
      const submitted = submitForm(overlay.form)
      if ('effect' in submitted) return startEffect(closed, submitted.effect)
      return [withForm(state, { ...overlay.form, problem: submitted.problem }), []]
    }
  }
}

/** Types text into the field with the cursor. Returns `undefined` if there is no text field. */
export function typeIntoOverlay(state: State, overlay: Overlay, text: string): State | undefined {
  const characters = [...text.replace(/\s+/g, ' ')]
  switch (overlay.kind) {
    case 'filter':
      return editFilter(state, overlay, characters)
    case 'find':
      return editFind(state, overlay, characters)
    case 'palette':
      return editPalette(state, overlay, characters)
    case 'form':
      return isTextField(overlay.form) ? withForm(state, characters.reduce(editForm, overlay.form)) : undefined
    default:
      return undefined
  }
}

function isTextField(form: Form): boolean {
  const field = visibleFields(form)[form.field]
  return field !== undefined && field.choices === undefined
}

function editFilter(state: State, overlay: Extract<Overlay, { kind: 'filter' }>, keys: readonly string[]): State {
  const typed = keys.reduce<TextInput>(editText, overlay)
  return updateListView(
    { ...state, overlay: { ...overlay, text: typed.text, cursor: typed.cursor } },
    { filter: typed.text, selectedId: undefined },
  )
}

function editFind(state: State, overlay: Extract<Overlay, { kind: 'find' }>, keys: readonly string[]): State {
  const { text, cursor } = keys.reduce<TextInput>(editText, overlay)
  return findNext({ ...state, find: text, overlay: { ...overlay, text, cursor } }, 1, true)
}

function editPalette(state: State, overlay: Extract<Overlay, { kind: 'palette' }>, keys: readonly string[]): State {
  const { text, cursor } = keys.reduce<TextInput>(editText, overlay)
  return { ...state, overlay: { ...overlay, text, cursor, selected: 0 } }
}
