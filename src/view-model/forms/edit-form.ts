// Edits a form or a text input by keys. Each key is applied to the result of the previous key, also in pasted text.

import type { Field, Form } from './form.ts'
import { visibleFields } from './form-fields.ts'

export interface TextInput {
  readonly text: string
  /** Characters before the cursor. */
  readonly cursor: number
}

/** In characters. Further input is ignored. */
export const MAX_TEXT_LENGTH = 200

/** Returns the text after a key, or the same object if the key has no effect. */
export function editText(input: TextInput, key: string): TextInput {
  const characters = [...input.text]
  const { cursor } = input
  const replaced = (text: readonly string[], at: number): TextInput => ({ text: text.join(''), cursor: at })
  switch (key) {
    case 'left':
      return cursor === 0 ? input : { ...input, cursor: cursor - 1 }
    case 'right':
      return cursor === characters.length ? input : { ...input, cursor: cursor + 1 }
    case 'home':
      return { ...input, cursor: 0 }
    case 'end':
      return { ...input, cursor: characters.length }
    case 'backspace':
      return cursor === 0 ? input : replaced(characters.toSpliced(cursor - 1, 1), cursor - 1)
    case 'ctrl+u':
      return replaced(characters.slice(cursor), 0)
    default:
      if (characters.length >= MAX_TEXT_LENGTH) return input
      return isCharacter(key) ? replaced(characters.toSpliced(cursor, 0, key), cursor + 1) : input
  }
}

/** Returns the form after a key other than Enter and Esc. */
export function editForm(form: Form, key: string): Form {
  const fields = visibleFields(form)
  const focusAt = (at: number) => focusField(form, fields[at % fields.length]?.name ?? '')
  if (key === 'tab' || key === 'down') return focusAt(form.field + 1)
  if (key === 'shift+tab' || key === 'up') return focusAt(form.field + fields.length - 1)
  const field = fields[form.field]
  if (field === undefined) return form
  return field.choices === undefined ? typeInto(form, field, key) : chooseValue(form, field, field.choices, key)
}

export function focusField(form: Form, name: string): Form {
  const fields = visibleFields(form)
  const at = fields.findIndex((field) => field.name === name)
  const text = form.values[name] ?? ''
  const selected = fields[at]?.choices === undefined && text !== ''
  return { ...form, field: at, cursor: [...text].length, selected, problem: undefined, blocked: false }
}

function typeInto(form: Form, { name, label, characters }: Field, key: string): Form {
  if (isCharacter(key) && characters?.test(key) === false) {
    return { ...form, problem: `The ${label} cannot contain “${key}”. Press Tab for the next field.` }
  }
  const replaces = form.selected && (isCharacter(key) || key === 'backspace')
  const before: TextInput = replaces ? EMPTY_INPUT : { text: form.values[name] ?? '', cursor: form.cursor }
  const { text, cursor } = editText(before, key)
  return { ...form, values: { ...form.values, [name]: text }, cursor, selected: false, problem: undefined }
}

const EMPTY_INPUT: TextInput = { text: '', cursor: 0 }

function chooseValue(form: Form, { name, label }: Field, choices: readonly string[], key: string): Form {
  const at = Math.max(0, choices.indexOf(form.values[name] ?? ''))
  const next = nextChoice(choices, at, key)
  if (next !== undefined) return setFieldValue(form, name, choices[next] ?? '')
  if (!isCharacter(key)) return form
  return {
    ...form,
    problem: `No ${label} begins with “${key}”. Use ← → to choose, or Tab for the next field.`,
    blocked: true,
  }
}

/** Changes the value of a field. Other fields may appear or disappear, and choices that no longer exist are reset. */
export function setFieldValue(form: Form, name: string, value: string): Form {
  return resetInvalidChoices({
    ...form,
    values: { ...form.values, [name]: value },
    problem: undefined,
    blocked: false,
  })
}

/** Resets fields whose value is not a choice any more, because their choices depend on another field. */
function resetInvalidChoices(form: Form): Form {
  const invalid = visibleFields(form).filter(
    ({ name, choices }) => choices?.includes(form.values[name] ?? '') === false,
  )
  return {
    ...form,
    values: { ...form.values, ...Object.fromEntries(invalid.map((each) => [each.name, each.choices?.[0] ?? ''])) },
  }
}

/** Returns the index of the chosen value, or `undefined` if the key chooses none. */
function nextChoice(choices: readonly string[], at: number, key: string): number | undefined {
  const count = choices.length
  if (key === 'right' || key === ' ') return (at + 1) % count
  if (key === 'left') return (at + count - 1) % count
  if (key === 'home') return 0
  if (key === 'end') return count - 1
  // A letter chooses the next value that begins with it.
  for (let step = 1; step <= count; step++) {
    const candidate = (at + step) % count
    if (isCharacter(key) && choices[candidate]?.startsWith(key.toLowerCase())) return candidate
  }
  return undefined
}

function isCharacter(key: string): boolean {
  return [...key].length === 1
}
