import type { FaultBody, FaultView, RuleBody, RuleView } from '../../client/control-types.ts'
import { Card, InlineForm, Page } from '../components/page.tsx'
import { useStore } from '../state/store.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { type Task, useTask } from '../state/use-task.ts'
import { useText } from '../text/translate.ts'
import { MagicValues } from './magic-values.tsx'
import { Settings } from './settings.tsx'
import type { View } from './view.ts'

function Simulator() {
  const t = useText()
  const { session } = useStore().now
  const { rules, faults, settings } = session.client.control
  const [data, reload] = useLoaded(
    async () => {
      const [ruleList, faultList, values, origins] = await Promise.all([
        rules.list({ limit: 1000 }),
        faults.list({ limit: 1000 }),
        settings.get(),
        settings.origins(),
      ])
      return { rules: ruleList.items, faults: faultList.items, values, origins }
    },
    // The remaining numbers of rules and faults change with requests and webhook attempts.
    ({ kind }) => kind === 'request' || kind === 'attempt',
  )
  const task = useTask(reload)
  if (data === undefined) return <p class="quiet loading">{t('loading')}</p>
  const run = session.readOnly ? undefined : task
  return (
    <Page title={t('simulator')} text={t('simulator_text')}>
      <div class="cards">
        <Card title={t('rules')}>
          <Rules rules={data.rules} run={run} />
        </Card>
        <Card title={t('faults')}>
          <Faults faults={data.faults} run={run} />
        </Card>
        <Card title={t('settings')}>
          <Settings values={data.values} origins={data.origins} run={run} />
        </Card>
        <Card title={t('magic_values')}>
          <MagicValues />
        </Card>
      </div>
    </Page>
  )
}

/** Reads `order_id=A-*, method=sbp`. */
function matchOf(text: string | undefined): RuleBody['match'] {
  const pairs = (text ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((pair) => [pair.split('=')[0] ?? '', pair.slice(pair.indexOf('=') + 1)])
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs)
}

const timesOf = (text: string | undefined): number | undefined => (text ? Number(text) : undefined)

function matchText(match: object | undefined): string {
  const text = Object.entries(match ?? {}).map(([field, value]) => `${field}=${value}`)
  return text.length === 0 ? '*' : text.join(', ')
}

function Rules({ rules, run }: { readonly rules: readonly RuleView[]; readonly run: Task | undefined }) {
  const t = useText()
  const calls = useStore().now.session.client.control.rules
  return (
    <>
      <RowsTable
        rows={rules.map(({ id, plan, match, times, applied }) => ({
          id,
          what: Array.isArray(plan) ? plan.join(', ') : String(plan),
          match: matchText(match),
          times,
          applied,
        }))}
        empty={t('no_rules')}
        onRemove={
          run &&
          ((id) =>
            run(async () => {
              await calls.remove(id)
              return t('done_deleted')
            }))
        }
      />
      {run && (
        <InlineForm
          fields={[
            { name: 'plan', label: t('plan'), example: 'failed:insufficient_funds' },
            { name: 'match', label: t('match'), example: 'order_id=A-*' },
            { name: 'times', label: t('times'), example: '2' },
          ]}
          submit={t('add_rule')}
          onSubmit={({ plan = '', match, times }) =>
            run(async () => {
              await calls.add({ plan: plan as RuleBody['plan'], match: matchOf(match), times: timesOf(times) })
              return t('done_added')
            })
          }
        />
      )}
    </>
  )
}

function Faults({ faults, run }: { readonly faults: readonly FaultView[]; readonly run: Task | undefined }) {
  const t = useText()
  const calls = useStore().now.session.client.control.faults
  return (
    <>
      <RowsTable
        rows={faults.map(({ id, target, fault, match, times, applied }) => ({
          id,
          what: `${target} ${fault}`,
          match: matchText(match),
          times,
          applied,
        }))}
        empty={t('no_faults')}
        onRemove={
          run &&
          ((id) =>
            run(async () => {
              await calls.remove(id)
              return t('done_deleted')
            }))
        }
      />
      {run && (
        <InlineForm
          fields={[
            { name: 'fault', label: t('fault'), example: 'webhook duplicate:2' },
            { name: 'match', label: t('match'), example: 'event=payment.succeeded' },
            { name: 'times', label: t('times'), example: '1' },
          ]}
          submit={t('add_fault')}
          onSubmit={({ fault = '', match, times }) =>
            run(async () => {
              const [target = '', name = ''] = fault.trim().split(/\s+/)
              const body = { target, fault: name, match: matchOf(match), times: timesOf(times) }
              await calls.add(body as FaultBody)
              return t('done_added')
            })
          }
        />
      )}
    </>
  )
}

interface RowsTableProps {
  readonly rows: readonly {
    readonly id: string
    readonly what: string
    readonly match: string
    readonly times?: number | undefined
    readonly applied?: number | undefined
  }[]
  readonly empty: string
  readonly onRemove: ((id: string) => void) | undefined
}

function RowsTable({ rows, empty, onRemove }: RowsTableProps) {
  const t = useText()
  if (rows.length === 0) return <p class="quiet">{empty}</p>
  return (
    <table class="plain-table">
      <thead>
        <tr>
          <th>{t('what')}</th>
          <th>{t('match')}</th>
          <th>{t('left')}</th>
          <th>{t('applied')}</th>
          {onRemove && <td />}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, what, match, times, applied = 0 }) => (
          <tr key={id}>
            <td>
              <code>{what}</code>
            </td>
            <td>
              <bdi>{match}</bdi>
            </td>
            <td>{times ?? '∞'}</td>
            <td>{applied}</td>
            {onRemove && (
              <td>
                <button type="button" class="button small" onClick={() => onRemove(id)}>
                  {t('delete')}
                </button>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export const simulatorView: View = { name: 'simulator', title: 'simulator', icon: 'sliders', component: Simulator }
