import type { FaultBody, RuleBody } from '../../client/control-types.ts'
import { Button } from '../components/button.tsx'
import { Card, InlineForm, Page } from '../components/page.tsx'
import { useStore } from '../state/store.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { type Task, useTask } from '../state/use-task.ts'
import type { MessageKey } from '../text/messages.ts'
import { useText } from '../text/translate.ts'
import { MagicValues } from './magic-values.tsx'
import { Settings } from './settings.tsx'

export function Simulator() {
  const t = useText()
  const { session } = useStore().app
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
    // Requests and webhook attempts change how often rules and faults were applied.
    ({ kind }) => kind === 'request' || kind === 'attempt',
  )
  const task = useTask(reload)
  if (data === undefined) return <p class="quiet loading">{t('loading')}</p>
  const run = session.readOnly ? undefined : task
  return (
    <Page title={t('simulator')} text={t('simulator_text')}>
      <div class="cards">
        <Card title={t('rules')}>
          <Rows
            rows={data.rules.map(({ plan, ...rule }) => ({ ...rule, what: [plan].flat().join(', ') }))}
            empty="no_rules"
            what={{ label: 'plan', example: 'failed:insufficient_funds' }}
            match="order_id=A-*"
            submit="add_rule"
            run={run}
            add={(plan, rest) => rules.add({ plan: plan as RuleBody['plan'], ...rest })}
            remove={rules.remove}
          />
        </Card>
        <Card title={t('faults')}>
          <Rows
            rows={data.faults.map(({ target, fault, ...rest }) => ({ ...rest, what: `${target} ${fault}` }))}
            empty="no_faults"
            what={{ label: 'fault', example: 'webhook duplicate:2' }}
            match="event=payment.succeeded"
            submit="add_fault"
            run={run}
            add={(what, rest) => {
              const [target, fault = ''] = what.split(/\s+/)
              return faults.add({ target, fault, ...rest } as FaultBody)
            }}
            remove={faults.remove}
          />
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

/** Parses `order_id=A-*, method=sbp`. */
function parseMatch(text: string | undefined): RuleBody['match'] {
  const pairs = (text ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((pair) => [pair.split('=')[0] ?? '', pair.slice(pair.indexOf('=') + 1)])
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs)
}

function formatMatch(match: object | undefined): string {
  const text = Object.entries(match ?? {}).map(([field, value]) => `${field}=${value}`)
  return text.length === 0 ? '*' : text.join(', ')
}

/** A rule or a fault as a row of a table. */
interface RuleOrFault {
  readonly id: string
  readonly what: string
  readonly match?: object | undefined
  readonly times?: number | undefined
  readonly applied?: number | undefined
}

interface RowsProps {
  readonly rows: readonly RuleOrFault[]
  readonly empty: MessageKey
  readonly what: { readonly label: MessageKey; readonly example: string }
  readonly match: string
  readonly submit: MessageKey
  /** Absent: the rows can only be read. */
  readonly run: Task | undefined
  add(what: string, rest: Pick<RuleBody, 'match' | 'times'>): Promise<unknown>
  remove(id: string): Promise<unknown>
}

/** The rows, and a form that adds a rule or a fault. */
function Rows({ rows, empty, what, match, submit, run, add, remove }: RowsProps) {
  const t = useText()
  return (
    <>
      <RowsTable rows={rows} empty={t(empty)} onRemove={run && ((id) => run('done_deleted', () => remove(id)))} />
      {run && (
        <InlineForm
          fields={[
            { name: 'what', label: t(what.label), example: what.example },
            { name: 'match', label: t('match'), example: match },
            { name: 'times', label: t('times'), example: '2' },
          ]}
          submit={t(submit)}
          onSubmit={(values) =>
            run('done_added', () =>
              add((values['what'] ?? '').trim(), {
                match: parseMatch(values['match']),
                times: values['times'] ? Number(values['times']) : undefined,
              }),
            )
          }
        />
      )}
    </>
  )
}

interface RowsTableProps extends Pick<RowsProps, 'rows'> {
  readonly empty: string
  readonly onRemove: ((id: string) => void) | undefined
}

function RowsTable({ rows, empty, onRemove }: RowsTableProps) {
  const t = useText()
  if (rows.length === 0) return <p class="quiet">{empty}</p>
  return (
    <table class="plain-table stacked">
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
              <bdi>{formatMatch(match)}</bdi>
            </td>
            <td data-label={t('left')}>{times ?? '∞'}</td>
            <td data-label={t('applied')}>{applied}</td>
            {onRemove && (
              <td>
                <Button look="small" onClick={() => onRemove(id)}>
                  {t('delete')}
                </Button>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
