import { useState } from 'preact/hooks'
import { useStore } from '../state/store.ts'
import type { Task } from '../state/use-task.ts'
import { useText } from '../text/translate.ts'

interface SettingsProps {
  readonly values: Readonly<Record<string, unknown>>
  readonly origins: Readonly<Record<string, string>>
  /** Absent: the settings can only be read. */
  readonly run: Task | undefined
}

/** Every setting with its value and source. Enter saves a changed value. An empty value restores the default. */
export function Settings({ values, origins, run }: SettingsProps) {
  const t = useText()
  const { settings } = useStore().app.session.client.control
  const save = (name: string, text: string) =>
    run?.('done_saved_setting', () => settings.update({ [name]: text.trim() === '' ? null : parsedValue(text) }), {
      name,
    })
  return (
    <table class="plain-table stacked">
      <thead>
        <tr>
          <th>{t('setting')}</th>
          <th>{t('value')}</th>
          <th>{t('source')}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(values).map(([name, value]) => (
          <tr key={name}>
            <td>
              <code>{name}</code>
            </td>
            <td>
              {run === undefined ? (
                <bdi>{textOf(value)}</bdi>
              ) : (
                <SettingInput
                  key={textOf(value)}
                  name={name}
                  value={textOf(value)}
                  onSave={(text) => save(name, text)}
                />
              )}
            </td>
            <td class="quiet">{t.label(origins[name] ?? '')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function SettingInput(props: { readonly name: string; readonly value: string; onSave(text: string): void }) {
  const [text, setText] = useState(props.value)
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (text !== props.value) props.onSave(text)
      }}
    >
      <input
        aria-label={props.name}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </form>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Parses numbers, lists, true and false as JSON. Any other text is a string. */
function parsedValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
