// The parts of a view that is not a list: a title, cards, and small forms.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useText } from '../text/translate.ts'
import { Button } from './button.tsx'

export function Page(props: { readonly title: string; readonly text: string; readonly children: ComponentChildren }) {
  return (
    <section class="page" aria-label={props.title}>
      <header class="page-head">
        <h1>{props.title}</h1>
        <p class="quiet">{props.text}</p>
      </header>
      {props.children}
    </section>
  )
}

export function Card(props: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="card">
      <h2>{props.title}</h2>
      {props.children}
    </section>
  )
}

interface InlineFormProps {
  /** Names, labels and examples of the text fields. The first one is required. */
  readonly fields: readonly { readonly name: string; readonly label: string; readonly example: string }[]
  readonly submit: string
  /** The initial values. Default: all fields are empty. */
  readonly initial?: Readonly<Record<string, string>>
  onSubmit(values: Readonly<Record<string, string>>): void
  /** True: the form cannot be submitted now. */
  readonly busy?: boolean
  /** More fields. */
  readonly children?: ComponentChildren
}

/** The input types of fields that do not accept free text, by the name of the field. */
const FIELD_TYPES: Readonly<Record<string, string>> = { url: 'url', times: 'number' }

export function InlineForm({ fields, submit, initial = {}, onSubmit, busy = false, children }: InlineFormProps) {
  const [values, setValues] = useState(initial)
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(values)
      }}
    >
      {fields.map(({ name, label, example }, at) => (
        <label key={name}>
          <span class="quiet">{label}</span>
          <input
            required={at === 0}
            type={(FIELD_TYPES[name] ?? 'text') as 'text'}
            min={1}
            autocomplete="off"
            spellcheck={false}
            placeholder={example}
            value={values[name] ?? ''}
            onInput={({ currentTarget: { value } }) => setValues({ ...values, [name]: value })}
          />
        </label>
      ))}
      {children}
      <button type="submit" class="button" disabled={busy}>
        {submit}
      </button>
    </form>
  )
}

/** A secret that is shown only if the user asks for it. */
export function Secret({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <details class="secret">
      <summary>{title}</summary>
      <code>{text}</code>
    </details>
  )
}

/** A command or code that can be copied. */
export function CopyBlock({ text, onCopy }: { readonly text: string; onCopy(): void }) {
  const t = useText()
  return (
    <div class="copy-block">
      <pre class="body" tabIndex={0}>
        {text}
      </pre>
      <Button look="small" onClick={onCopy}>
        {t('copy')}
      </Button>
    </div>
  )
}
