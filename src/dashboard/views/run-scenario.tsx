import { useState } from 'preact/hooks'
import { CodeText } from '../components/empty.tsx'
import { useStore } from '../state/store.ts'
import type { Task } from '../state/use-task.ts'
import { useText } from '../text/translate.ts'

/** Runs a scenario from a file that the user chooses, and shows its steps. */
export function RunScenario({ run }: { readonly run: Task }) {
  const t = useText()
  const { trigger } = useStore().app.session.client.control
  const [result, setResult] = useState<string>()
  return (
    <>
      <input
        type="file"
        aria-label={t('run_scenario')}
        accept="application/json,.json"
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.files?.[0]
          currentTarget.value = ''
          if (chosen === undefined) return
          run(
            'done_scenario',
            async () => {
              const report = await trigger({ scenario: JSON.parse(await chosen.text()) })
              setResult(JSON.stringify(report, null, 2))
            },
            { file: chosen.name },
          )
        }}
      />
      <p class="quiet hint">
        <CodeText text={t('scenario_hint')} />
      </p>
      {result !== undefined && (
        <pre class="body" tabIndex={0}>
          {result}
        </pre>
      )}
    </>
  )
}
