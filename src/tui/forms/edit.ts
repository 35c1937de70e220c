// Keys in a form or a line of text. What is typed lives in the state: of keys that come in one piece, as a paste does,
// each sees what the one before has left.
import { shownFields } from './fields.ts'
import type { Field, Form } from './form.ts'

export interface Typed {
  readonly text: string
  /** Characters before the cursor. */
  readonly cursor: number
}

/** Characters a line of text holds; what is typed or pasted beyond them is left out. */
export const LONGEST = 200

/** The text after a key; the same value where the key means nothing to it. */
export function type(typed: Typed, key: string): Typed {
  const letters = [...typed.text]
  const { cursor } = typed
  const put = (text: readonly string[], at: number): Typed => ({ text: text.join(''), cursor: at })
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
      if (letters.length >= LONGEST) return typed
      return [...key].length === 1 ? put(letters.toSpliced(cursor, 0, key), cursor + 1) : typed
  }
}

/** The form after a key that neither ends nor leaves it. */
export function editForm(form: Form, key: string): Form {
  const fields = shownFields(form)
  if (key === 'tab' || key === 'down') return goTo(form, (form.field + 1) % fields.length)
  if (key === 'shift+tab' || key === 'up') return goTo(form, (form.field + fields.length - 1) % fields.length)
  const field = fields[form.field]
  if (field === undefined) return form
  return field.choices === undefined ? typeInto(form, field, key) : choose(form, field, field.choices, key)
}

function goTo(form: Form, at: number): Form {
  const name = shownFields(form)[at]?.name ?? ''
  return { ...form, field: at, cursor: [...(form.values[name] ?? '')].length }
}

function typeInto(form: Form, { name }: Field, key: string): Form {
  const { text, cursor } = type({ text: form.values[name] ?? '', cursor: form.cursor }, key)
  return { ...form, values: { ...form.values, [name]: text }, cursor, problem: undefined }
}

function choose(form: Form, { name }: Field, choices: readonly string[], key: string): Form {
  const at = Math.max(0, choices.indexOf(form.values[name] ?? ''))
  const next = choiceAfter(choices, at, key)
  return next === at ? form : { ...form, values: { ...form.values, [name]: choices[next] ?? '' }, problem: undefined }
}

function choiceAfter(choices: readonly string[], at: number, key: string): number {
  const count = choices.length
  if (key === 'right' || key === ' ') return (at + 1) % count
  if (key === 'left') return (at + count - 1) % count
  if (key === 'home') return 0
  if (key === 'end') return count - 1
  // A letter: the next one that begins with it.
  for (let step = 1; step <= count; step++) {
    const candidate = (at + step) % count
    if ([...key].length === 1 && choices[candidate]?.startsWith(key.toLowerCase())) return candidate
  }
  return at
}
