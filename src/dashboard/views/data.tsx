import { useRef } from 'preact/hooks'
import { formatDateTime } from '../../view-model/time-format.ts'
import { Card, InlineForm, Page } from '../components/page.tsx'
import { saveFile } from '../state/save-file.ts'
import { useStore } from '../state/store.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { type Task, useTask } from '../state/use-task.ts'
import { useText } from '../text/translate.ts'
import { PlayScenario } from './play-scenario.tsx'
import { ShopKeys } from './shop-keys.tsx'
import type { View } from './view.ts'

function Data() {
  const t = useText()
  const { session } = useStore().now
  const { shops, keys, store } = session.client.control
  const [data, reload] = useLoaded(
    async () => {
      const [{ items }, snapshots, counts] = await Promise.all([
        shops.list({ limit: 1000 }),
        store.snapshots(),
        store.counts(),
      ])
      const rows = await Promise.all(items.map(async (shop) => ({ shop, keys: (await keys.list(shop.id)).items })))
      return { shops: rows, snapshots: snapshots.items, counts }
    },
    () => false,
  )
  const task = useTask(reload)
  if (data === undefined) return <p class="quiet loading">{t('loading')}</p>
  const run = session.readOnly ? undefined : task
  return (
    <Page title={t('data')} text={t('data_text')}>
      <div class="cards">
        <Card title={t('rows_title')}>
          <p class="quiet">
            {Object.entries(data.counts)
              .map(([table, count]) => `${table}: ${count}`)
              .join(' · ')}
          </p>
          {run && <StateButtons run={run} />}
        </Card>
        <Card title={t('snapshots')}>
          <Snapshots snapshots={data.snapshots} run={run} />
        </Card>
        {data.shops.map((row) => (
          <Card key={row.shop.id} title={row.shop.name}>
            <ShopKeys {...row} run={run} />
          </Card>
        ))}
        {run && (
          <Card title={t('play_scenario')}>
            <PlayScenario run={run} />
          </Card>
        )}
      </div>
    </Page>
  )
}

function StateButtons({ run }: { readonly run: Task }) {
  const t = useText()
  const app = useStore()
  const { store } = app.now.session.client.control
  const file = useRef<HTMLInputElement>(null)
  const ask = (question: string, confirm: string, work: () => Promise<string>) =>
    app.open({ kind: 'confirm', question, confirm, run: () => run(work) })
  return (
    <div class="buttons">
      <button
        type="button"
        class="button"
        onClick={() =>
          run(async () => {
            saveFile('psp-export.json', JSON.stringify(await store.export()))
            return t('done_exported')
          })
        }
      >
        {t('export')}
      </button>
      <button type="button" class="button" onClick={() => file.current?.click()}>
        {t('import')}
      </button>
      <input
        ref={file}
        type="file"
        accept="application/json,.json"
        hidden
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.files?.[0]
          currentTarget.value = ''
          if (chosen === undefined) return
          ask(t('ask_import', { file: chosen.name }), t('import'), async () => {
            await store.import(JSON.parse(await chosen.text()))
            return t('done_imported')
          })
        }}
      />
      <button
        type="button"
        class="button"
        onClick={() =>
          ask(t('ask_reset'), t('reset'), async () => {
            await store.reset()
            return t('done_reset')
          })
        }
      >
        {t('reset')}
      </button>
      <button
        type="button"
        class="button"
        onClick={() =>
          ask(t('ask_reset_all'), t('reset_all'), async () => {
            await store.reset({ all: true })
            return t('done_reset')
          })
        }
      >
        {t('reset_all')}
      </button>
    </div>
  )
}

interface SnapshotsProps {
  readonly snapshots: readonly { readonly name: string; readonly taken_at?: string }[]
  readonly run: Task | undefined
}

function Snapshots({ snapshots, run }: SnapshotsProps) {
  const t = useText()
  const app = useStore()
  const { store } = app.now.session.client.control
  const ask = (question: string, confirm: string, work: () => Promise<string>) =>
    app.open({ kind: 'confirm', question, confirm, run: () => run?.(work) })
  return (
    <>
      {snapshots.length === 0 && <p class="quiet">{t('no_snapshots')}</p>}
      <table class="plain-table">
        <tbody>
          {snapshots.map(({ name, taken_at }) => (
            <tr key={name}>
              <td>
                <bdi>{name}</bdi>
              </td>
              <td class="quiet mono">{taken_at === undefined ? '' : formatDateTime(taken_at)}</td>
              {run && (
                <td>
                  <button
                    type="button"
                    class="button small"
                    onClick={() =>
                      ask(t('ask_restore', { name }), t('restore'), async () => {
                        await store.restore(name)
                        return t('done_restored')
                      })
                    }
                  >
                    {t('restore')}
                  </button>
                  <button
                    type="button"
                    class="button small"
                    onClick={() =>
                      ask(t('ask_delete_snapshot', { name }), t('delete'), async () => {
                        await store.removeSnapshot(name)
                        return t('done_deleted')
                      })
                    }
                  >
                    {t('delete')}
                  </button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {run && (
        <InlineForm
          fields={[{ name: 'name', label: t('snapshot_name'), example: 'before-refunds' }]}
          submit={t('take_snapshot')}
          onSubmit={({ name = '' }) =>
            run(async () => {
              await store.snapshot(name)
              return t('done_snapshot')
            })
          }
        />
      )}
    </>
  )
}

export const dataView: View = { name: 'data', title: 'data', icon: 'data', component: Data }
