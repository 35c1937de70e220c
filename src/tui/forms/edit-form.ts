// Keys in a form or a line of text. What is typed lives in the state: of keys that come in one piece, as a paste does,
// each sees what the one before has left.

import type { Field, Form } from './form.ts'
import { visibleFields } from './form-fields.ts'

export interface TextInput {
  readonly text: string
  /** Characters before the cursor. */
  readonly cursor: number
}

/** Characters a line of text holds; what is typed or pasted beyond them is left out. */
export const MAX_TEXT_LENGTH = 200

/** The text after a key; the same value where the key means nothing to it. */
export function editText(typed: TextInput, key: string): TextInput {
  const letters = [...typed.text]
  const { cursor } = typed
  const put = (text: readonly string[], at: number): TextInput => ({ text: text.join(''), cursor: at })
  switch (key) {
    case 'left':
      return cursor === 0 ? typed : { ...typed, cursor: cursor - 1 }
    case 'right':
      return cursor === letters.length ? typed : { ...typed, cursor: cursor + 1 }
    case 'home':
      return { ...typed, cursor: 0 }
    case 'end':
      return { ...typed, cursor: letters.length }
    case 'backspace':
      return cursor === 0 ? typed : put(letters.toSpliced(cursor - 1, 1), cursor - 1)
    case 'ctrl+u':
      return put(letters.slice(cursor), 0)
    default:
      if (letters.length >= MAX_TEXT_LENGTH) return typed
      return isCharacter(key) ? put(letters.toSpliced(cursor, 0, key), cursor + 1) : typed
  }
}

/** The form after a key that neither ends nor leaves it. */
export function editForm(form: Form, key: string): Form {
  const fields = visibleFields(form)
  const to = (at: number) => focusField(form, fields[at % fields.length]?.name ?? '')
  if (key === 'tab' || key === 'down') return to(form.field + 1)
  if (key === 'shift+tab' || key === 'up') return to(form.field + fields.length - 1)
  const field = fields[form.field]
  if (field === undefined) return form
  return field.choices === undefined ? typeInto(form, field, key) : chooseValue(form, field, field.choices, key)
}

/** The form with the cursor at the field of this name. */
export function focusField(form: Form, name: string): Form {
  const fields = visibleFields(form)
  const at = fields.findIndex((field) => field.name === name)
  const text = form.values[name] ?? ''
  const selected = fields[at]?.choices === undefined && text !== ''
  return { ...form, field: at, cursor: [...text].length, selected, problem: undefined, blocked: false }
}

function typeInto(form: Form, { name }: Field, key: string): Form {
  const replaces = form.selected && (isCharacter(key) || key === 'backspace')
  const before: TextInput = replaces ? EMPTY_INPUT : { text: form.values[name] ?? '', cursor: form.cursor }
  const { text, cursor } = editText(before, key)
  return { ...form, values: { ...form.values, [name]: text }, cursor, selected: false, problem: undefined }
}

const EMPTY_INPUT: TextInput = { text: '', cursor: 0 }

function chooseValue(form: Form, { name, label }: Field, choices: readonly string[], key: string): Form {
  const at = Math.max(0, choices.indexOf(form.values[name] ?? ''))
  const next = nextChoice(choices, at, key)
  if (next !== undefined) {
    return resetInvalidChoices({
      ...form,
      values: { ...form.values, [name]: choices[next] ?? '' },
      problem: undefined,
      blocked: false,
    })
  }
  if (!isCharacter(key)) return form
  return {
    ...form,
    problem: `No ${label} begins with “${key}”: ← → choose, Tab goes to the next field.`,
    blocked: true,
  }
}

/** A choice may take others with it: what is no choice any more becomes the first there is. */
function resetInvalidChoices(form: Form): Form {
  const gone = visibleFields(form).filter(({ name, choices }) => choices?.includes(form.values[name] ?? '') === false)
  return {
    ...form,
    values: { ...form.values, ...Object.fromEntries(gone.map((each) => [each.name, each.choices?.[0] ?? ''])) },
  }
}

/** `undefined` where the key chooses nothing. */
function nextChoice(choices: readonly string[], at: number, key: string): number | undefined {
  const count = choices.length
  if (key === 'right' || key === ' ') return (at + 1) % count
  if (key === 'left') return (at + count - 1) % count
  if (key === 'home') return 0
  if (key === 'end') return count - 1
  // A letter: the next one that begins with it.
  for (let step = 1; step <= count; step++) {
    const candidate = (at + step) % count
    if (isCharacter(key) && choices[candidate]?.startsWith(key.toLowerCase())) return candidate
  }
  return undefined
}

function isCharacter(key: string): boolean {
  return [...key].length === 1
}
