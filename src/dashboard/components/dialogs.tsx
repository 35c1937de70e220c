// The open dialog: a form of the shared view model, a question, or the list of keys.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { setFieldValue } from '../../view-model/forms/edit-form.ts'
import type { Field, Form } from '../../view-model/forms/form.ts'
import { visibleFields } from '../../view-model/forms/form-fields.ts'
import { submitForm } from '../../view-model/forms/submit-form.ts'
import { type PerformableEffect, usePerform } from '../state/perform.ts'
import { type Confirmation, useStore } from '../state/store.ts'
import type { MessageKey } from '../text/messages.ts'
import { useText } from '../text/translate.ts'
import type { View } from '../views/view.ts'
import { Button } from './button.tsx'
import { CodeText } from './empty.tsx'

/** @param views for the list of keys */
export function Dialogs({ views }: { readonly views: readonly View[] }) {
  const store = useStore()
  const { dialog } = store.app
  const element = useRef<HTMLDialogElement>(null)
  const isOpen = dialog !== undefined
  // Runs before the browser paints, so that the dialog receives the next key.
  useLayoutEffect(() => {
    // The browser moves the focus into the dialog, and back when it closes.
    if (isOpen && element.current?.open === false) element.current.showModal()
    if (!isOpen) element.current?.close()
  }, [isOpen])
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-labelledby="dialog-title"
      onClose={() => store.open(undefined)}
      onClick={(event) => event.target === element.current && store.open(undefined)}
    >
      {dialog?.kind === 'form' && <FormDialog key={dialog.form.name} form={dialog.form} />}
      {dialog?.kind === 'confirm' && <ConfirmDialog {...dialog} />}
      {dialog?.kind === 'help' && <HelpKeys views={views} />}
    </dialog>
  )
}

function FormDialog({ form: initial }: { readonly form: Form }) {
  const store = useStore()
  const perform = usePerform()
  const t = useText()
  const [form, setForm] = useState(initial)
  const [busy, setBusy] = useState(false)
  const fields = visibleFields(form)

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const result = submitForm(form)
    if ('problem' in result) return setForm({ ...form, problem: result.problem })
    setBusy(true)
    const isDone = await perform(result.effect as PerformableEffect)
    setBusy(false)
    if (isDone) store.open(undefined)
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <h2 id="dialog-title">{t(`title_${form.name}` as MessageKey)}</h2>
      {form.subject.id !== '' && <p class="quiet mono">{form.subject.id}</p>}
      <div class="form-fields">
        {fields.map((field, at) => (
          <FormField
            key={field.name}
            field={field}
            value={form.values[field.name] ?? ''}
            hasInitialFocus={at === initial.field}
            onChange={(value) => setForm(setFieldValue(form, field.name, value))}
          />
        ))}
      </div>
      <p class="problem" role="alert">
        {form.problem !== undefined && t.label(form.problem)}
      </p>
      <div class="dialog-buttons">
        <Button onClick={() => store.open(undefined)}>{t('close')}</Button>
        <button type="submit" class="button primary" disabled={busy}>
          {t(`submit_${form.name}` as MessageKey)}
        </button>
      </div>
    </form>
  )
}

interface FormFieldProps {
  readonly field: Field
  readonly value: string
  readonly hasInitialFocus: boolean
  onChange(value: string): void
}

function FormField({ field: { name, label, hint, choices }, value, hasInitialFocus, onChange }: FormFieldProps) {
  const t = useText()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (hasInitialFocus) input.current?.select()
  }, [])
  const described = hint === undefined ? undefined : `hint-${name}`
  return (
    <div class="form-field">
      <label for={`field-${name}`}>{t.label(label)}</label>
      {choices === undefined ? (
        <input
          id={`field-${name}`}
          ref={input}
          value={value}
          autofocus={hasInitialFocus}
          autocomplete="off"
          spellcheck={false}
          inputMode={name === 'amount' ? 'decimal' : undefined}
          aria-describedby={described}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <select
          id={`field-${name}`}
          value={value}
          aria-describedby={described}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {name === 'outcome' ? t.choice(choice) : choice}
            </option>
          ))}
        </select>
      )}
      {hint !== undefined && (
        <p id={described} class="quiet hint">
          <CodeText text={t.label(hint)} />
        </p>
      )}
    </div>
  )
}

function ConfirmDialog(props: Confirmation) {
  const store = useStore()
  const t = useText()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        store.open(undefined)
        props.run()
      }}
    >
      <h2 id="dialog-title">{props.question}</h2>
      <div class="dialog-buttons">
        <Button autofocus onClick={() => store.open(undefined)}>
          {t('close')}
        </Button>
        <button type="submit" class={`button ${props.look ?? 'danger'}`}>
          {props.confirm}
        </button>
      </div>
    </form>
  )
}

const KEYS: readonly (readonly [keys: readonly string[], text: MessageKey])[] = [
  [['/'], 'key_search'],
  [['j'], 'key_next'],
  [['k'], 'key_previous'],
  [['Enter'], 'key_open'],
  [['Esc'], 'key_close'],
  [['n'], 'key_new'],
  [['1', '…', '9'], 'key_views'],
  [['?'], 'key_help'],
]

function HelpKeys({ views }: { readonly views: readonly View[] }) {
  const store = useStore()
  const t = useText()
  return (
    <div>
      <h2 id="dialog-title">{t('help')}</h2>
      <dl class="help-keys">
        {KEYS.map(([keys, text]) => (
          <div key={text}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
        {views.map(({ name, letter, title }) => (
          <div key={name}>
            <dt>
              <kbd>g</kbd>
              <kbd>{letter}</kbd>
            </dt>
            <dd>{t(title)}</dd>
          </div>
        ))}
      </dl>
      <div class="dialog-buttons">
        <Button autofocus onClick={() => store.open(undefined)}>
          {t('close')}
        </Button>
      </div>
    </div>
  )
}
