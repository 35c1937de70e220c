import type { ScheduledStep } from '../../client/clock-types.ts'
import { orderNumberOf } from '../../view-model/rows/rows.ts'
import { formatDateTime } from '../../view-model/time-format.ts'
import { AdvanceButton } from '../components/advance-button.tsx'
import { Button } from '../components/button.tsx'
import { ObjectLink } from '../components/object-link.tsx'
import { Card, InlineForm, Page } from '../components/page.tsx'
import { browserClock } from '../state/browser-clock.ts'
import { usePerform } from '../state/perform.ts'
import { useStore } from '../state/store.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { type Task, useTask } from '../state/use-task.ts'
import type { MessageKey } from '../text/messages.ts'
import { type Translate, useText } from '../text/translate.ts'
import { groupSteps } from './group-steps.ts'

const SPEEDS = [1, 10, 60, 3600]
const MAX_STEPS = 1000
const MAX_ROWS = 200

export function ClockPage() {
  const t = useText()
  const { session } = useStore().app
  const { clock } = session.client.control
  const [data, reload] = useLoaded(
    async () => ({ clock: await clock.get(), schedule: await clock.schedule({ limit: MAX_STEPS }) }),
    () => true,
  )
  const run = useTask(reload)
  if (data === undefined) return <p class="quiet loading">{t('loading')}</p>
  const { mode, now, speed } = data.clock
  return (
    <Page title={t('clock')} text={t('clock_text')}>
      <div class="cards">
        <Card title={t('clock_now')}>
          <p class="big mono">{formatDateTime(now)}</p>
          <p class="quiet">
            {t(`mode_${mode}`, { speed })} · {offsetText(now, t)}
          </p>
          {!session.readOnly && <Controls mode={mode} speed={speed} run={run} />}
        </Card>
        <Card title={t('scheduled_title', { count: data.schedule.total })}>
          <Schedule steps={data.schedule.items} total={data.schedule.total} />
        </Card>
      </div>
    </Page>
  )
}

/** Returns how far the sandbox's clock is ahead of or behind the clock of this machine. */
function offsetText(now: string, t: Translate): string {
  const offset = Date.parse(now) - browserClock.now()
  if (Math.abs(offset) < 2000) return t('offset_none')
  return t(offset > 0 ? 'offset_ahead' : 'offset_behind', { span: t.duration(Math.abs(offset)) })
}

function Controls({ mode, speed, run }: { readonly mode: string; readonly speed: number; readonly run: Task }) {
  const t = useText()
  const { session, advancing } = useStore().app
  const { clock } = session.client.control
  const perform = usePerform()
  return (
    <>
      <div class="buttons">
        {mode === 'frozen' ? (
          <Button look="primary" onClick={() => run('done_resumed', () => clock.set({ mode: 'real' }))}>
            {t('resume')}
          </Button>
        ) : (
          <Button onClick={() => run('done_frozen', () => clock.set({ mode: 'frozen' }))}>{t('freeze')}</Button>
        )}
        <AdvanceButton body={{ until: 'idle' }} text={t('advance_idle')} />
        <label class="inline-form">
          <span class="quiet">{t('speed')}</span>
          <select
            value={mode === 'scaled' ? speed : 1}
            onChange={({ currentTarget }) => {
              const next = Number(currentTarget.value)
              run('done_speed', () => clock.set(next === 1 ? { mode: 'real' } : { mode: 'scaled', speed: next }))
            }}
          >
            {[...new Set([...SPEEDS, mode === 'scaled' ? speed : 1])].map((each) => (
              <option key={each} value={each}>
                ×{each}
              </option>
            ))}
          </select>
        </label>
      </div>
      <InlineForm
        fields={[{ name: 'by', label: t('advance_by'), example: '20m' }]}
        submit={t('submit_advance')}
        busy={advancing}
        onSubmit={({ by = '' }) => void perform({ do: 'advance', body: /^\d{4}-/.test(by) ? { to: by } : { by } })}
      />
      <p class="quiet hint">{t('advance_hint')}</p>
    </>
  )
}

/** Returns the view of the object that a step changes. */
function viewOf(step: string): string {
  if (step === 'deliver') return 'webhooks'
  if (step === 'settle_payout') return 'payouts'
  return step === 'settle_refund' ? 'refunds' : 'payments'
}

function Schedule({ steps, total }: { readonly steps: readonly ScheduledStep[]; readonly total: number }) {
  const t = useText()
  const { session, model } = useStore().app
  const canAct = !session.readOnly
  const groups = groupSteps(steps)
  if (steps.length === 0) return <p class="quiet">{t('nothing_scheduled')}</p>
  return (
    <table class="plain-table stacked">
      <thead>
        <tr>
          <th>{t('time_utc')}</th>
          <th>{t('step')}</th>
          <th>{t('object')}</th>
          {canAct && <td />}
        </tr>
      </thead>
      <tbody>
        {groups.slice(0, MAX_ROWS).map(({ due, step, object_id, count }) => (
          <tr key={`${due} ${step}`}>
            <td class="mono">{formatDateTime(due)}</td>
            <td>
              {t(`step_${step}` as MessageKey)}
              {count > 1 && (
                <strong>
                  {' · '}
                  {t(count === steps.length && count < total ? 'equal_steps_or_more' : 'equal_steps', {
                    count: t.number(count),
                  })}
                </strong>
              )}
            </td>
            <td class="mono">
              <ObjectLink view={viewOf(step)} id={object_id}>
                {orderNumberOf(model.tables, object_id) ?? object_id.slice(0, 12)}
              </ObjectLink>
            </td>
            {canAct && (
              <td>
                <AdvanceButton look="small" body={{ to: due }} text={t('advance_to')} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
